/// Front ends: client sessions over standard input and output, Streamable HTTP, and HTTP with server-sent events.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.front;
