/// Failover and replicas: which failures go to another server, and in which order servers are tried. Pure
/// rules.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.routing;
