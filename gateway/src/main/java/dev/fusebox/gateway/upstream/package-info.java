/// Aggregation of the upstream servers: exposed names, merged lists, and the routing of requests to servers.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.upstream;
