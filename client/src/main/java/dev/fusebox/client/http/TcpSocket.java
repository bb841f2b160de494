package dev.fusebox.client.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A TCP connection that can be asked, without waiting, whether its other end is still there. One thread reads and
/// writes; closing is for any thread, and ends what blocks.
final class TcpSocket implements Closeable {
    /// The channel copies through a buffer outside of the heap that is as large as the read.
    private static final int MOST_A_READ = 64 << 10;

    private final SocketChannel channel;
    private final byte[] peeked = new byte[1];
    private boolean hasPeeked;

    /// What an unused connection tells.
    enum Sign {
        /// Nothing came.
        SILENT,
        /// Something came that nobody asked for, or belongs to what came before.
        BYTES,
        /// The other end has closed, or the connection is broken.
        ENDED
    }

    TcpSocket(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }

    SocketChannel channel() {
        return channel;
    }

    Sign peek() {
        if (hasPeeked) {
            return Sign.BYTES;
        }
        try {
            channel.configureBlocking(false);
            int count = channel.read(ByteBuffer.wrap(peeked));
            channel.configureBlocking(true);
            hasPeeked = count > 0;
            return count > 0 ? Sign.BYTES : count < 0 ? Sign.ENDED : Sign.SILENT;
        } catch (IOException broken) {
            return Sign.ENDED;
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
            public int read(byte[] into, int at, int most) throws IOException {
                return most == 0 ? 0 : receive(into, at, most);
            }
        };
    }

    private int receive(byte[] into, int at, int most) throws IOException {
        if (hasPeeked) {
            hasPeeked = false;
            into[at] = peeked[0];
            return 1;
        }
        return channel.read(ByteBuffer.wrap(into, at, Math.min(most, MOST_A_READ)));
    }

    OutputStream out() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                ByteBuffer left = ByteBuffer.wrap(bytes, from, count);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            }
        };
    }

    /// Closes it from whatever thread, and never throws: there is nobody to tell.
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // It is gone either way.
        }
    }
}
