package dev.fusebox.http;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A stream of events with its queue. Thread-safe; never blocks; its monitor is a leaf lock.
///
/// A virtual thread empties the queue and ends when it is empty; the next event starts another. So a sender never
/// waits for this client, and an idle stream has no sending thread.
/// sends never waits for this client, and an idle stream has no thread for sending.
final class QueuedEventStream implements EventStream {
    /// The most that is joined for one write.
    private static final int BATCH = 64 << 10;

    private final HttpExchange exchange;
    private final HttpServerConnection connection;
    private final int maxWaitingBytes;
    private final boolean chunked;
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>(4);
    private long waiting;
    private boolean sending;
    private boolean closed;

    /// @param maxWaitingBytes of events that the client has not read
    QueuedEventStream(HttpExchange exchange, HttpServerConnection connection, int maxWaitingBytes) {
        this.exchange = exchange;
        this.connection = connection;
        this.maxWaitingBytes = maxWaitingBytes;
        this.chunked = !exchange.request().isOfVersion10();
    }

    void open(byte[] head) {
        offer(head, exchange.request().isHead());
    }

    @Override
    public boolean event(@Nullable String id, byte[] data) {
        return offer(SseEventText.event(id, data), false);
    }

    @Override
    public boolean named(String name, byte[] data) {
        return offer(SseEventText.named(name, data), false);
    }

    @Override
    public boolean comment() {
        return offer(SseEventText.comment(), false);
    }

    @Override
    public boolean retry(long millis) {
        return offer(SseEventText.retry(millis), false);
    }

    @Override
    public void close() {
        // The client may disconnect as soon as it sees the end, which is then not too early.
        if (exchange.answered()) {
            offer(SseEventText.end(), true);
        }
    }

    private boolean offer(SseEventText text, boolean last) {
        return offer(chunked ? text.chunk() : text.bytes(), last);
    }

    private boolean offer(byte[] bytes, boolean last) {
        if (exchange.isClientGone()) {
            return false;
        }
        Place place = enqueue(bytes, last);
        switch (place) {
            // On another thread: the sender may hold a monitor, and closing a connection runs callbacks.
            case OVERFLOWN -> connection.start(connection::cut);
            case FIRST -> connection.start(this::send);
            case CLOSED, QUEUED -> {}
        }
        return place != Place.CLOSED && !exchange.isClientGone();
    }

    private enum Place {
        CLOSED,
        OVERFLOWN,
        QUEUED,
        FIRST
    }

    private synchronized Place enqueue(byte[] bytes, boolean last) {
        if (closed) {
            return Place.CLOSED;
        }
        // The event that reaches the limit is accepted, however large it is: no response fails because of its size
        // alone.
        if (!last && waiting >= maxWaitingBytes) {
            closed = true;
            return Place.OVERFLOWN;
        }
        closed = last;
        queue.add(bytes);
        waiting += bytes.length;
        boolean isFirst = !sending;
        sending = true;
        return isFirst ? Place.FIRST : Place.QUEUED;
    }

    /// Runs on a thread of its own, and continues with the connection if this was the end of the exchange.
    private void send() {
        byte[] batch = take();
        while (batch != null && batch.length > 0) {
            if (!connection.send(batch, ResponseHeadWriter.NO_BODY)) {
                return;
            }
            batch = take();
        }
        if (batch != null && exchange.streamed()) {
            connection.run();
        }
    }

    /// The waiting events, joined up to a batch. Null if there are none now, and then this thread has stopped
    /// sending; empty if there will be no more, which is returned to one thread only.
    private synchronized byte @Nullable [] take() {
        if (queue.isEmpty()) {
            sending = closed;
            return closed ? ResponseHeadWriter.NO_BODY : null;
        }
        int count = 0;
        int length = 0;
        for (byte[] next : queue) {
            if (count > 0 && length + next.length > BATCH) {
                break;
            }
            length += next.length;
            count++;
        }
        waiting -= length;
        return join(count, length);
    }

    private byte[] join(int count, int length) {
        var batch = new byte[length];
        int at = 0;
        for (int i = 0; i < count; i++) {
            byte[] next = queue.remove();
            System.arraycopy(next, 0, batch, at, next.length);
            at += next.length;
        }
        return batch;
    }
}
