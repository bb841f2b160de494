package dev.fusebox.gateway.admin;

import dev.fusebox.gateway.observe.Event;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.SequencedEvent;
import dev.fusebox.gateway.session.Heartbeat;
import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.platform.Timers;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The event streams of the API. Thread-safe; nothing blocks.
///
/// A reader that is too slow for its queue is disconnected, and reconnects with the number of the last event it
/// saw.
final class EventFeed implements AutoCloseable {
    /// Each stream costs a connection and a queue.
    private static final int MAX = 64;

    /// A few thousand events: a client that is so far behind does not read.
    private static final int MAX_WAITING_BYTES = 1 << 20;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final EventLog eventLog;
    private final Timers timers;
    private final Set<Feed> feeds = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    EventFeed(EventLog eventLog, Timers timers) {
        this.eventLog = eventLog;
        this.timers = timers;
    }

    void handle(HttpRequest request, HttpReply reply) {
        String last = request.headers().value("Last-Event-ID");
        if (last != null && !NUMBER.matcher(last).matches()) {
            JsonReplies.problem(reply, 400, "invalid_header", "Last-Event-ID must be the id of an event");
            return;
        }
        if (feeds.size() >= MAX || closed) {
            JsonReplies.problem(
                    reply,
                    503,
                    "overloaded",
                    "too many event streams (limit " + MAX + "), or the gateway is shutting down");
            return;
        }
        Predicate<Event> wanted;
        try {
            wanted = wanted(QueryString.value(request.query(), "server"), QueryString.value(request.query(), "type"));
        } catch (IllegalArgumentException malformed) {
            JsonReplies.problem(reply, 400, "invalid_query", "invalid percent-encoding in the query");
            return;
        }
        EventStream stream = reply.stream(200, HttpHeaders.of("X-Content-Type-Options", "nosniff"), MAX_WAITING_BYTES);
        // A response to HEAD has ended already.
        if (request.method() != HttpMethod.HEAD) {
            open(new Feed(stream), reply, wanted, last == null ? null : Long.valueOf(last));
        }
    }

    private static Predicate<Event> wanted(@Nullable String server, @Nullable String type) {
        return event ->
                (server == null || server.equals(event.server())) && (type == null || type.equals(event.type()));
    }

    private void open(Feed feed, HttpReply reply, Predicate<Event> wanted, @Nullable Long after) {
        feeds.add(feed);
        feed.listen(wanted, after);
        reply.onClientGone(feed::end);
        if (closed) {
            feed.end();
        }
    }

    int count() {
        return feeds.size();
    }

    /// One reader.
    private final class Feed implements EventLog.Listener {
        private final EventStream stream;
        private final Heartbeat heartbeat;
        private volatile EventLog.@Nullable Registration listening;
        private volatile boolean ended;

        Feed(EventStream stream) {
            this.stream = stream;
            this.heartbeat = new Heartbeat(timers, this::beat);
        }

        void listen(Predicate<Event> wanted, @Nullable Long after) {
            listening = after == null ? eventLog.listen(wanted, this) : eventLog.listenAfter(after, wanted, this);
            // The comment shows the client that the stream is open, and that no event is missed from here on.
            stream.comment();
            heartbeat.start();
            if (ended) {
                end();
            }
        }

        @Override
        public void accept(SequencedEvent told) {
            if (!stream.event(Long.toString(told.number()), told.json().getBytes(StandardCharsets.UTF_8))) {
                end();
            }
        }

        /// The missed events are no longer in the ring: the reader sees it by the gap in the numbers, and is
        /// disconnected, because it is as slow as one that does not read.
        @Override
        public void missed(long count) {
            end();
        }

        private void beat() {
            if (!stream.comment()) {
                end();
            }
        }

        void end() {
            ended = true;
            heartbeat.stop();
            EventLog.Registration heard = listening;
            if (heard != null) {
                heard.close();
            }
            stream.close();
            feeds.remove(this);
        }
    }

    @Override
    public void close() {
        closed = true;
        feeds.forEach(Feed::end);
    }
}
