package dev.fusebox.client.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// A connection to one origin that requests go over, one after the other. One thread at a time uses it; closing is
/// for any thread, and ends what blocks.
final class HttpConnection implements Closeable {
    private static final int BUFFER = 8 << 10;

    private final HttpTarget target;
    private final TcpSocket tcpSocket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private final Runnable onClosed;
    private int at;
    private int end;
    private boolean isClosed;
    private @Nullable ResponseBody rest;
    private long suspendedAt;
    private long keptNanos = Long.MAX_VALUE;

    /// @param streams TLS over the cable, or the cable itself
    HttpConnection(HttpTarget target, TcpSocket tcpSocket, Streams streams, Runnable onClosed) {
        this.target = target;
        this.tcpSocket = tcpSocket;
        this.in = streams.in();
        this.out = streams.out();
        this.onClosed = onClosed;
    }

    /// Both directions of a connection.
    record Streams(InputStream in, OutputStream out) {}

    HttpTarget.Way way() {
        return target.way();
    }

    /// Whether others that go the same way may use it.
    boolean isShared() {
        return !target.isForeign();
    }

    /// From the first byte on nobody can tell how much has arrived.
    ///
    /// @param begun is run as soon as the head is out: the server may read a long body slowly
    void write(byte[] head, byte[] body, Runnable begun) throws IOException {
        if (head.length + body.length <= BUFFER) {
            byte[] whole = new byte[head.length + body.length];
            System.arraycopy(head, 0, whole, 0, head.length);
            System.arraycopy(body, 0, whole, head.length, body.length);
            out.write(whole, 0, whole.length);
            begun.run();
        } else {
            out.write(head, 0, head.length);
            begun.run();
            out.write(body, 0, body.length);
        }
        out.flush();
    }

    /// One byte; -1 at the end.
    int read() throws IOException {
        return at < end || fill() ? buffer[at++] & 0xFF : -1;
    }

    /// At least one byte; -1 at the end.
    int read(byte[] into, int from, int most) throws IOException {
        if (at == end && most >= BUFFER) {
            return in.read(into, from, most);
        }
        if (at == end && !fill()) {
            return -1;
        }
        int count = Math.min(most, end - at);
        System.arraycopy(buffer, at, into, from, count);
        at += count;
        return count;
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, 0, BUFFER);
        at = 0;
        end = Math.max(count, 0);
        return count > 0;
    }

    /// Whether a read would find something at once.
    boolean hasBytes() {
        return at < end || tcpSocket.peek() == TcpSocket.Sign.BYTES;
    }

    /// Whether the other end has kept quiet, and is there.
    boolean isQuiet() {
        return at == end && tcpSocket.peek() == TcpSocket.Sign.SILENT;
    }

    // ---- While nobody uses it

    /// @param left what is still to come of the last answer; null if it is complete
    /// @param keptFor how long the server said it keeps the line
    void park(@Nullable ResponseBody left, long now, long keptFor) {
        rest = left;
        suspendedAt = now;
        keptNanos = Math.min(keptNanos, keptFor);
    }

    long suspendedFor(long now) {
        return now - suspendedAt;
    }

    /// How long the server keeps it; for ever if it did not say.
    long keptNanos() {
        return keptNanos;
    }

    /// Whether the last answer was not complete when the line was parked.
    boolean hasRest() {
        return rest != null;
    }

    /// Reads what is left of the last answer if that is nothing but its end, and waits for it; false if there is
    /// more.
    boolean finish() {
        ResponseBody left = rest;
        if (left == null) {
            return true;
        }
        try {
            if (!left.finish()) {
                return false;
            }
        } catch (IOException broken) {
            return false;
        }
        rest = null;
        return true;
    }

    @Override
    public void close() {
        tcpSocket.close();
        boolean first;
        synchronized (this) {
            first = !isClosed;
            isClosed = true;
        }
        if (first) {
            onClosed.run();
        }
    }
}
