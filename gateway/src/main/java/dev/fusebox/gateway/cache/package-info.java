/// What servers offered when they were last seen, on disk. Nothing of it is needed, and nothing of it is believed
/// against a server's own word.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.cache;
