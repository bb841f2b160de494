/// Tests of the token record, its storage and its refresh.
@org.jspecify.annotations.NullUnmarked
package dev.fusebox.oauth.token;
