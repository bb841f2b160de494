/// Connections whose messages are framed on a byte stream: over TCP and Unix sockets, one message on each line.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.stream;
