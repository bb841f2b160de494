package dev.fusebox.gateway.front;

import dev.fusebox.http.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The events of one stream, and the connection that they go to at the moment. A client that lost the connection
/// comes back with the id of the last event it saw and gets the ones after it. Thread-safe; nothing blocks.
final class StreamLog {
    /// What is kept of a stream for a client that may come back.
    private static final int MOST_EVENTS = 256;

    private static final int MOST_BYTES = 1 << 20;

    private final int number;
    private final Deque<Event> kept = new ArrayDeque<>();
    private int keptBytes;
    private long lastEvent;
    private long lastDelivered;
    private boolean ended;
    private @Nullable EventStream stream;

    private record Event(long number, Frame frame) {}

    /// Bytes with an identity of their own, as records ask for.
    private static final class Frame {
        private final byte[] bytes;

        Frame(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /// @param number tells this stream from the others of the session
    StreamLog(int number) {
        this.number = number;
    }

    /// Sends and keeps an event.
    synchronized void add(byte[] frame) {
        if (ended) {
            return;
        }
        Event event = new Event(++lastEvent, new Frame(frame));
        kept.addLast(event);
        keptBytes += frame.length;
        while (kept.size() > MOST_EVENTS || (keptBytes > MOST_BYTES && kept.size() > 1)) {
            keptBytes -= kept.removeFirst().frame().bytes.length;
        }
        deliver(event);
    }

    private void deliver(Event event) {
        if (stream != null && stream.event(id(event), event.frame().bytes)) {
            lastDelivered = Math.max(lastDelivered, event.number());
        } else {
            stream = null;
        }
    }

    private String id(Event event) {
        return number + "-" + event.number();
    }

    /// From now on events go to this connection, beginning with those after `lastSeen`. The connection before it,
    /// if it is still there, is ended: a message goes to one of them only.
    synchronized void attach(EventStream to, long lastSeen) {
        if (stream != null) {
            stream.close();
        }
        stream = to;
        for (Event event : kept) {
            if (event.number() > lastSeen) {
                deliver(event);
            }
        }
        if (ended) {
            to.close();
            stream = null;
        }
    }

    /// The same for a client that has seen nothing: it gets what went to nobody so far.
    synchronized void attach(EventStream to) {
        attach(to, lastDelivered);
    }

    /// Gives the client an id to come back with before anything has happened.
    synchronized void prime() {
        if (stream != null) {
            stream.event(number + "-" + lastEvent, new byte[0]);
        }
    }

    /// Nothing more will come; what was kept stays for a client that comes back.
    synchronized void end() {
        ended = true;
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }

    synchronized long keptBytes() {
        return keptBytes;
    }

    synchronized boolean isAttached() {
        return stream != null;
    }

    /// Whether anything comes, or may come, after that event.
    synchronized boolean continuesAfter(long event) {
        return !ended || lastEvent > event;
    }

    /// Finds out whether the client is still there, and forgets its connection if it is not; says whether there is
    /// one.
    synchronized boolean probe() {
        if (stream != null && !stream.comment()) {
            stream = null;
        }
        return stream != null;
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    int number() {
        return number;
    }
}
