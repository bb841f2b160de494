package dev.fusebox.platform;

/// A destination of bytes that can be written to without blocking. Thread-safe if its implementation is.
public interface TryWritable {
    /// Writes as many of the bytes as fit at once, without blocking; returns how many, or -1 if no other side
    /// reads any more. A destination that cannot be written to in this way takes no bytes.
    int tryWrite(byte[] bytes, int from, int to);
}
