/// Protocol eras: detection of a server's era, endpoints for both, and the bridge from legacy clients to modern
/// servers.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.era;
