package dev.fusebox.gateway.share;

import dev.fusebox.platform.TryWritable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// The streams over a socket, whose output can also be written without blocking. One thread reads, and one at a
/// time writes; closing is for any thread, and ends both. The streams of the JDK block both directions alike.
final class LinkStreams implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final SocketChannel channel;
    private final Selector readable;
    private final Selector writable;
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    private LinkStreams(SocketChannel channel, Selector readable, Selector writable) {
        this.channel = channel;
        this.readable = readable;
        this.writable = writable;
    }

    /// Takes over the channel, which is closed if that fails.
    static LinkStreams over(SocketChannel channel) throws IOException {
        Selector readable = null;
        Selector writable = null;
        boolean isOpen = false;
        try {
            channel.configureBlocking(false);
            readable = Selector.open();
            writable = Selector.open();
            channel.register(readable, SelectionKey.OP_READ);
            channel.register(writable, SelectionKey.OP_WRITE);
            isOpen = true;
            return new LinkStreams(channel, readable, writable);
        } finally {
            if (!isOpen) {
                closeAll(channel, readable, writable);
            }
        }
    }

    private static void closeAll(@Nullable AutoCloseable... opened) {
        for (AutoCloseable each : opened) {
            try {
                if (each != null) {
                    each.close();
                }
            } catch (Exception broken) {
                // What cannot be closed is gone already.
            }
        }
    }

    /// The next line of a conversation before messages are exchanged; null at its end.
    ///
    /// @throws IOException if it is longer than the limit
    byte @Nullable [] readLine(int limit) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (fill()) {
            while (received.hasRemaining()) {
                byte next = received.get();
                if (next == '\n') {
                    return line.toByteArray();
                }
                line.write(next);
                if (line.size() > limit) {
                    throw new IOException("a line of the other side is longer than " + limit + " bytes");
                }
            }
        }
        return null;
    }

    /// Waits until something has been received; false at the end.
    private boolean fill() throws IOException {
        while (!received.hasRemaining()) {
            received.clear();
            int count = channel.read(received);
            received.flip();
            if (count < 0) {
                return false;
            }
            if (count == 0) {
                await(readable);
            }
        }
        return true;
    }

    /// Closing the streams ends the wait.
    private static void await(Selector selector) throws IOException {
        try {
            selector.select();
            selector.selectedKeys().clear();
        } catch (ClosedSelectorException closed) {
            throw new IOException("the streams were closed", closed);
        }
    }

    InputStream in() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                return fill() ? received.get() & 0xff : -1;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (length == 0) {
                    return 0;
                }
                if (!fill()) {
                    return -1;
                }
                int count = Math.min(length, received.remaining());
                received.get(into, from, count);
                return count;
            }
        };
    }

    OutputStream out() {
        return new Out();
    }

    private final class Out extends OutputStream implements TryWritable {
        @Override
        public int tryWrite(byte[] bytes, int from, int to) {
            try {
                return channel.write(ByteBuffer.wrap(bytes, from, to - from));
            } catch (IOException gone) {
                return -1;
            }
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            ByteBuffer rest = ByteBuffer.wrap(bytes, from, length);
            while (rest.hasRemaining()) {
                if (channel.write(rest) == 0) {
                    LinkStreams.await(writable);
                }
            }
        }
    }

    /// The reader finds the end of input.
    void endInput() {
        try {
            channel.shutdownInput();
            readable.wakeup();
        } catch (IOException closed) {
            // It has ended already.
        }
    }

    @Override
    public void close() {
        closeAll(channel, readable, writable);
    }
}
