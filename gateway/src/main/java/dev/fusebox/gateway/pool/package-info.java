/// Who has a connection and who waits for one: bounds over all servers, and when connections that nobody uses end.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.pool;
