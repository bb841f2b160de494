package dev.fusebox.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The incoming bytes of one connection. Thread-safe; [#watch], [#more] and [#take] block. Its monitor is a leaf
/// lock and never held while reading.
///
/// Two threads may use it. The *runner* takes bytes, request after request. While a request is being handled, a
/// *watcher* may block in `read` to notice that the client disconnects. Only one of them may read from the
/// channel:
///
/// ```
/// unwatched  the runner reads
///    |  ^
///    |  '-- the channel ended, enough is kept, or the runner has left: watch() returns
///    v
/// watched    the watcher reads; a runner that needs more waits for it
///    |
///    '-- leave(): the runner leaves; the next byte makes the watcher the runner
/// ```
///
/// So no thread is woken to hand a request to another: the thread that has read it handles it.
final class ConnectionInput {
    /// Enough for the head of most requests; the memory of an idle connection.
    private static final int IDLE_BYTES = 1024;
    /// The most that a client may pipeline before the server stops watching it.
    private static final int MAX_KEPT = 64 << 10;

    private final ReadableByteChannel channel;
    private byte[] bytes = {};
    private int from;
    private int to;
    private boolean watchable;
    private boolean watched;
    private boolean isLeft;
    private boolean ended;
    private @Nullable Thread waiting;

    ConnectionInput(ReadableByteChannel channel) {
        this.channel = channel;
    }

    /// The reason why a watch ended.
    enum Watch {
        /// The runner had left: the watcher is the runner now.
        TOOK_OVER,
        /// The client has closed its side, or the connection is gone.
        ENDED,
        /// The client has pipelined so much that it is not watched any more.
        FULL
    }

    /// Called by the runner when it has read a whole request, and again when that request is done.
    synchronized void letWatch(boolean lets) {
        watchable = lets;
    }

    /// Requests a watcher; returns true if the caller has to start a thread that calls [#watch()].
    synchronized boolean startWatch() {
        boolean starts = watchable && !watched && !ended && to - from < MAX_KEPT;
        watched |= starts;
        return starts;
    }

    /// Reads ahead and keeps the bytes until there is a reason to stop.
    Watch watch() {
        while (true) {
            int count = receive();
            synchronized (this) {
                keep(count);
                if (isLeft) {
                    isLeft = false;
                    watched = false;
                    return Watch.TOOK_OVER;
                }
                watched = !ended && to - from < MAX_KEPT;
                wakeRunner();
                if (!watched) {
                    return ended ? Watch.ENDED : Watch.FULL;
                }
            }
        }
    }

    /// For a runner with nothing left to take: returns true if a watcher is reading and will take over.
    synchronized boolean leave() {
        isLeft = watched && from == to;
        return isLeft;
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    synchronized boolean isEmpty() {
        return from == to;
    }

    /// The available bytes. Valid until bytes are skipped or taken.
    synchronized ByteSpan byteSpan() {
        return new ByteSpan(bytes, from, to - from);
    }

    synchronized void skip(int count) {
        from += count;
    }

    synchronized void skipAll() {
        from = to;
    }

    /// Waits until there are more bytes than the caller has seen; returns false if none will come.
    boolean more(int known) {
        while (mustWait(known)) {
            LockSupport.park(this);
            // An interrupt left by the handler would turn this wait into a busy wait.
            Thread.interrupted();
        }
        if (isReadable(known)) {
            int count = receive();
            synchronized (this) {
                keep(count);
            }
        }
        return hasMore(known);
    }

    private synchronized boolean hasMore(int known) {
        return to - from > known;
    }

    /// Whether the watcher will read the next byte.
    private synchronized boolean mustWait(int known) {
        boolean waits = watched && !hasMore(known);
        waiting = waits ? Thread.currentThread() : null;
        return waits;
    }

    private synchronized boolean isReadable(int known) {
        return !watched && !ended && !hasMore(known);
    }

    /// Takes at least one byte, waiting for it; returns -1 if none will come. Few bytes are read ahead, so that the
    /// sizes and ends of small chunks do not cost a system call for each byte.
    int take(byte[] into, int at, int most) {
        if (most >= IDLE_BYTES && isReadable(0)) {
            return takeFromChannel(into, at, most);
        }
        return more(0) ? takeKept(into, at, most) : -1;
    }

    private synchronized int takeKept(byte[] into, int at, int most) {
        int count = Math.min(most, to - from);
        System.arraycopy(bytes, from, into, at, count);
        from += count;
        return count;
    }

    private int takeFromChannel(byte[] into, int at, int most) {
        int count = read(into, at, most);
        synchronized (this) {
            ended = count < 0;
        }
        return count;
    }

    private void wakeRunner() {
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    private void keep(int count) {
        ended |= count < 0;
        to += Math.max(count, 0);
    }

    private int receive() {
        byte[] into;
        int at;
        synchronized (this) {
            makeRoom();
            into = bytes;
            at = to;
        }
        return read(into, at, into.length - at);
    }

    /// Never moves bytes within their array: a [ByteSpan] may refer to them.
    private void makeRoom() {
        if (from == to) {
            from = 0;
            to = 0;
            if (bytes.length != IDLE_BYTES) {
                bytes = new byte[IDLE_BYTES];
            }
        } else if (to == bytes.length) {
            var larger = new byte[Math.max(IDLE_BYTES, 2 * (to - from))];
            System.arraycopy(bytes, from, larger, 0, to - from);
            bytes = larger;
            to -= from;
            from = 0;
        }
    }

    private int read(byte[] into, int at, int most) {
        try {
            return channel.read(ByteBuffer.wrap(into, at, most));
        } catch (IOException e) {
            return -1;
        }
    }
}
