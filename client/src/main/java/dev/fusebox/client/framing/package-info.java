/// Messages from the parts in which they arrive: lines of a byte stream and fragments of a WebSocket message, with
/// limits on their length.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.framing;
