package dev.fusebox.client.stream;

import dev.fusebox.client.http.DuplexStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Both directions of a connection to a Unix socket. One thread may read while another one writes; [#close] is for
/// any thread.
final class UnixStream implements DuplexStream {
    /// The channel copies through a buffer outside of the heap that is as large as the read.
    private static final int MAX_A_READ = 64 << 10;

    private final SocketChannel channel;

    UnixStream(SocketChannel channel) {
        this.channel = channel;
    }

    void connect(UnixDomainSocketAddress address) throws IOException {
        channel.connect(address);
    }

    @Override
    public int read(byte[] into, int from, int limit) throws IOException {
        return channel.read(ByteBuffer.wrap(into, from, Math.min(limit, MAX_A_READ)));
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes, from, count);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // It is closed either way.
        }
    }
}
