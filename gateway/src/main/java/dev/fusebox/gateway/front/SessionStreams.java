package dev.fusebox.gateway.front;

import dev.fusebox.http.EventStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The event streams of one session: the general one, and those of requests, while they are in flight and a little
/// longer. Thread-safe; nothing blocks.
final class SessionStreams {
    /// The number of ended streams that are kept, the newest. A stream of a request in flight is always kept,
    /// because its response needs it.
    private static final int MAX_ENDED = 32;

    /// The limit for all ended streams together. A larger response cannot be fetched a second time.
    private static final long MAX_BYTES = 4 << 20;

    private final StreamLog general = new StreamLog(0);
    private final Map<Integer, StreamLog> requests = new LinkedHashMap<>();
    private int lastNumber;

    StreamLog general() {
        return general;
    }

    /// Opens a stream for a request.
    synchronized StreamLog open() {
        StreamLog log = new StreamLog(++lastNumber);
        requests.put(log.number(), log);
        return log;
    }

    /// Ends the stream of a request.
    synchronized void end(StreamLog log) {
        log.end();
        List<StreamLog> ended =
                requests.values().stream().filter(StreamLog::hasEnded).toList();
        int count = ended.size();
        long bytes = ended.stream().mapToLong(StreamLog::keptBytes).sum();
        for (StreamLog oldest : ended) {
            if (count <= MAX_ENDED && bytes <= MAX_BYTES) {
                return;
            }
            requests.remove(oldest.number());
            count--;
            bytes -= oldest.keptBytes();
        }
    }

    /// What follows that event; null if nothing does, because the stream is unknown, dropped or complete.
    @Nullable
    Resumption after(String lastEventId) {
        int dash = lastEventId.indexOf('-');
        try {
            int number = Integer.parseInt(lastEventId, 0, Math.max(0, dash), 10);
            long lastSeen = Long.parseLong(lastEventId, dash + 1, lastEventId.length(), 10);
            StreamLog log = number == 0 ? general : find(number);
            return log != null && log.continuesAfter(lastSeen) ? new Resumption(log, lastSeen) : null;
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    /// A stream from the event on that the client saw last.
    record Resumption(StreamLog log, long lastSeen) {
        void goTo(EventStream stream) {
            log.attach(stream, lastSeen);
        }
    }

    private synchronized @Nullable StreamLog find(int number) {
        return requests.get(number);
    }

    synchronized void endAll() {
        general.end();
        requests.values().forEach(StreamLog::end);
    }
}
