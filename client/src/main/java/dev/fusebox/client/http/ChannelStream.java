package dev.fusebox.client.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Both directions of a channel over TCP or to a Unix socket, which is connected before the first use. One thread may
/// read while another one writes; [#close] is for any thread.
public final class ChannelStream implements DuplexStream {
    /// The channel copies through a buffer outside of the heap that is as large as the read.
    private static final int MAX_A_READ = 64 << 10;

    private final SocketChannel channel;

    public ChannelStream(SocketChannel channel) {
        this.channel = channel;
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
