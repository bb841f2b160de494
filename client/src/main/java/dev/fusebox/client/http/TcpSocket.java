package dev.fusebox.client.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// TCP connection that can be checked without blocking for whether its peer is still there. One thread reads,
/// and one writes; [#close] is for any thread, and ends blocking reads and writes.
final class TcpSocket implements Closeable {
    private final SocketChannel channel;
    private final ChannelStream stream;
    private final byte[] peeked = new byte[1];
    private boolean hasPeeked;

    /// Result of a non-blocking check.
    enum PeekResult {
        /// Nothing has arrived.
        NOTHING,
        /// Data has arrived, unexpected or part of the last response.
        BYTES,
        /// The peer has closed the connection, or it is broken.
        ENDED
    }

    TcpSocket(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.stream = new ChannelStream(channel);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    SocketChannel channel() {
        return channel;
    }

    PeekResult peek() {
        if (hasPeeked) {
            return PeekResult.BYTES;
        }
        try {
            channel.configureBlocking(false);
            int count = channel.read(ByteBuffer.wrap(peeked));
            channel.configureBlocking(true);
            hasPeeked = count > 0;
            return count > 0 ? PeekResult.BYTES : count < 0 ? PeekResult.ENDED : PeekResult.NOTHING;
        } catch (IOException broken) {
            return PeekResult.ENDED;
        }
    }

    InputStream in() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] into, int at, int limit) throws IOException {
                return limit == 0 ? 0 : receive(into, at, limit);
            }
        };
    }

    private int receive(byte[] into, int at, int limit) throws IOException {
        if (hasPeeked) {
            hasPeeked = false;
            into[at] = peeked[0];
            return 1;
        }
        return stream.read(into, at, limit);
    }

    OutputStream out() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                stream.write(bytes, from, count);
            }
        };
    }

    /// Closes it from any thread. Never throws.
    @Override
    public void close() {
        stream.close();
    }
}
