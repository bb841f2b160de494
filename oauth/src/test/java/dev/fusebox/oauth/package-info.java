@org.jspecify.annotations.NullMarked
package dev.fusebox.oauth;
