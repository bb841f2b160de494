package dev.fusebox.gateway.share;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The connection of a connector to a gateway. One thread reads, any number write; writing blocks while the
/// gateway takes nothing.
final class GatewayLink implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    /// Lines before messages are exchanged are shorter.
    private static final int MAX_LINE = 1 << 20;

    private final SocketChannel channel;
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private volatile boolean moved;
    private volatile boolean lost;
    private volatile boolean writing;
    private volatile boolean resuming;
    private volatile @Nullable Long process;
    private volatile long heardAt;

    /// Bytes that the gateway has taken. Written under the monitor.
    private volatile long taken;

    /// For the thread that calls [#hasTakenMore].
    private long takenBefore;

    private GatewayLink(SocketChannel channel) {
        this.channel = channel;
    }

    /// Null if no gateway accepts connections there. Does not wait for one whose queue is full.
    static @Nullable GatewayLink connect(Path socket) {
        SocketChannel channel = null;
        boolean isConnected = false;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.configureBlocking(false);
            isConnected = channel.connect(UnixDomainSocketAddress.of(socket));
            channel.configureBlocking(true);
            return isConnected ? new GatewayLink(channel) : null;
        } catch (IOException refused) {
            isConnected = false;
            return null;
        } finally {
            if (channel != null && !isConnected) {
                closeQuietly(channel);
            }
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException broken) {
            // It is gone already.
        }
    }

    /// Sets the process id of the gateway.
    void setProcess(@Nullable Long id) {
        process = id;
    }

    /// The process id of the gateway; null if it did not say that.
    @Nullable
    Long process() {
        return process;
    }

    /// The next line; null at the end.
    byte @Nullable [] readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (received.hasRemaining()) {
                byte next = received.get();
                if (next == '\n') {
                    return line.toByteArray();
                }
                line.write(next);
            }
            if (line.size() > MAX_LINE || !fill()) {
                return null;
            }
        }
    }

    private boolean fill() throws IOException {
        received.clear();
        int count = channel.read(received);
        received.flip();
        return count > 0;
    }

    /// What has been received and not been read; at the end of the connection -1.
    int read(byte[] into) throws IOException {
        if (!received.hasRemaining() && !fill()) {
            return -1;
        }
        int count = Math.min(into.length, received.remaining());
        received.get(into, 0, count);
        return count;
    }

    /// Writes whole lines.
    ///
    /// @throws IOException if the gateway is gone; nothing, a part or all of it may have been received
    synchronized void write(byte[] lines) throws IOException {
        writing = true;
        try {
            int from = 0;
            // Large writes in parts: the JDK copies each into memory outside the heap, and keeps that for the thread.
            while (from < lines.length) {
                int count = channel.write(ByteBuffer.wrap(lines, from, Math.min(BUFFER_BYTES, lines.length - from)));
                from += count;
                taken += count;
            }
        } finally {
            writing = false;
        }
    }

    /// Whether a write is in progress. It takes long only if the gateway takes nothing.
    boolean isWriting() {
        return writing;
    }

    /// Whether the gateway has taken more since the last call of this method. For one thread.
    boolean hasTakenMore() {
        long now = taken;
        boolean isMore = now != takenBefore;
        takenBefore = now;
        return isMore;
    }

    /// Notes when the gateway last gave a sign of life.
    void noteHeard(long nanos) {
        heardAt = nanos;
    }

    long heardAt() {
        return heardAt;
    }

    /// Notes whether the client's session is being repeated to the gateway.
    void setResuming(boolean isResuming) {
        resuming = isResuming;
    }

    boolean isResuming() {
        return resuming;
    }

    /// Notes that the gateway takes no new messages.
    void noteMove() {
        moved = true;
    }

    boolean isMoved() {
        return moved;
    }

    /// Notes that the gateway is gone.
    void noteLoss() {
        lost = true;
    }

    boolean isLost() {
        return lost;
    }

    /// Tells the gateway that nothing more will come.
    void endOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException gone) {
            // Its end is noticed by the reader.
        }
    }

    @Override
    public void close() {
        closeQuietly(channel);
    }
}
