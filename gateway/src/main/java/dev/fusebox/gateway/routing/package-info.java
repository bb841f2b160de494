/// Routing of requests to upstream servers: the registry of all servers, their merged catalog, resolution of
/// exposed names, replica sets and failover.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.routing;
