package dev.fusebox.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// Connection to one origin that carries one request at a time, or another protocol after an upgrade. Used by one
/// thread at a time, or as a [DuplexStream]; [#close] is for any thread, and ends blocking reads and writes.
final class HttpConnection implements DuplexStream {
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
    private @Nullable ResponseBody unreadEnd;
    private long idleSince;
    private long keepAliveNanos = Long.MAX_VALUE;

    /// @param streams of TLS over the socket, or of the socket itself
    HttpConnection(HttpTarget target, TcpSocket tcpSocket, Streams streams, Runnable onClosed) {
        this.target = target;
        this.tcpSocket = tcpSocket;
        this.in = streams.in();
        this.out = streams.out();
        this.onClosed = onClosed;
    }

    /// Both directions of a connection.
    record Streams(InputStream in, OutputStream out) {}

    HttpTarget.ConnectionKey connectionKey() {
        return target.connectionKey();
    }

    /// Whether other requests with the same connection key may use it.
    boolean isShared() {
        return !target.isForeign();
    }

    /// Writes a request. After the first byte it is unknown how much the server has received.
    ///
    /// @param begun runs as soon as the head is written, since the server may read a long body slowly
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

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        out.write(bytes, from, count);
        out.flush();
    }

    /// One byte; -1 at the end.
    int read() throws IOException {
        return at < end || fill() ? buffer[at++] & 0xFF : -1;
    }

    /// At least one byte; -1 at the end.
    @Override
    public int read(byte[] into, int from, int limit) throws IOException {
        if (at == end && limit >= BUFFER) {
            return in.read(into, from, limit);
        }
        if (at == end && !fill()) {
            return -1;
        }
        int count = Math.min(limit, end - at);
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

    /// Whether a read would return at once.
    boolean hasBytes() {
        return at < end || tcpSocket.peek() == TcpSocket.PeekResult.BYTES;
    }

    /// Whether the connection is open, and nothing has arrived on it.
    boolean isQuiet() {
        return at == end && tcpSocket.peek() == TcpSocket.PeekResult.NOTHING;
    }

    // ---- Idle

    /// @param left unread end of the last response body; null if it is complete
    /// @param keepAlive how long the server announced to keep the connection
    void markIdle(@Nullable ResponseBody left, long now, long keepAlive) {
        unreadEnd = left;
        idleSince = now;
        keepAliveNanos = Math.min(keepAliveNanos, keepAlive);
    }

    long idleFor(long now) {
        return now - idleSince;
    }

    /// How long the server keeps the idle connection; unlimited if not specified.
    long keepAliveNanos() {
        return keepAliveNanos;
    }

    /// Whether the last response was not complete when the connection became idle.
    boolean hasUnreadEnd() {
        return unreadEnd != null;
    }

    /// Waits for the end of the last response body; false if there is more content.
    boolean readEnd() {
        ResponseBody left = unreadEnd;
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
        unreadEnd = null;
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
