/// Changing the configuration while the gateway runs: what has changed in the file, what that is a difference
/// to, and having it applied.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.reload;
