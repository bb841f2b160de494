/// Connection pool: bounds over all servers, waiting requests, and when idle connections are closed.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.pool;
