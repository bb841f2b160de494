package dev.fusebox.client.http;

import java.io.Closeable;
import java.io.IOException;

/// Both directions of an open connection to a server. One thread may read while another one writes; both block.
/// [#close] is for any thread, and ends blocking reads and writes.
public interface DuplexStream extends Closeable {
    /// At least one byte; -1 at the end.
    int read(byte[] into, int from, int limit) throws IOException;

    /// Writes all of it.
    void write(byte[] bytes, int from, int count) throws IOException;

    /// Closes both directions. Never throws.
    @Override
    void close();
}
