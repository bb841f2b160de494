package dev.fusebox.gateway.front;

import dev.fusebox.http.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The replay log of one event stream, with the connection that it currently feeds. A client that reconnects with
/// the id of the last event it saw gets the later ones. Thread-safe; nothing blocks.
final class StreamLog {
    /// The events kept for a client that may reconnect.
    private static final int MAX_EVENTS = 256;

    private static final int MAX_BYTES = 1 << 20;

    private final int number;
    private final Deque<Event> kept = new ArrayDeque<>();
    private int keptBytes;
    private long lastEvent;
    private long lastDelivered;
    private boolean ended;
    private @Nullable EventStream stream;

    private record Event(long number, Frame frame) {}

    /// Bytes with identity semantics, because records compare by value.
    private static final class Frame {
        private final byte[] bytes;

        Frame(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /// @param number identifies the stream within the session
    StreamLog(int number) {
        this.number = number;
    }

    /// Appends and sends an event.
    synchronized void add(byte[] frame) {
        if (ended) {
            return;
        }
        Event event = new Event(++lastEvent, new Frame(frame));
        kept.addLast(event);
        keptBytes += frame.length;
        while (kept.size() > MAX_EVENTS || (keptBytes > MAX_BYTES && kept.size() > 1)) {
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

    /// Attaches a connection, which gets all events after `lastSeen`. A previous connection is ended: each message
    /// goes to one connection only.
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

    /// The same for a client that has seen nothing: it gets the undelivered events.
    synchronized void attach(EventStream to) {
        attach(to, lastDelivered);
    }

    /// Sends an empty event, whose id lets the client resume before any message.
    synchronized void prime() {
        if (stream != null) {
            stream.event(number + "-" + lastEvent, new byte[0]);
        }
    }

    /// Ends the stream; kept events stay available for a client that reconnects.
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

    /// Whether events follow that one, or may follow.
    synchronized boolean continuesAfter(long event) {
        return !ended || lastEvent > event;
    }

    /// Checks whether the client is still connected, and detaches its connection if it is not; returns whether one
    /// is attached.
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
