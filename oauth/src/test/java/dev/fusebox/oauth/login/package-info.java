/// Tests of the parts of a login by a person.
@org.jspecify.annotations.NullUnmarked
package dev.fusebox.oauth.login;
