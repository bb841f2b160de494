package dev.fusebox.gateway.mcp;

import dev.fusebox.gateway.http.EventStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The streams of one session: the one that belongs to no request, and those of requests, as long as they run and a
/// little longer. Thread-safe; nothing blocks.
final class EventLogs {
    /// From so many streams on, each new one makes an ended one be forgotten, the oldest first. One whose request still
    /// runs is not: its answer would have nowhere to go.
    private static final int MOST_STREAMS = 32;

    private final EventLog general = new EventLog(0);
    private final Map<Integer, EventLog> requests = new LinkedHashMap<>();
    private int lastNumber;

    EventLog general() {
        return general;
    }

    /// A new stream for a request.
    synchronized EventLog open() {
        EventLog log = new EventLog(++lastNumber);
        requests.put(log.number(), log);
        if (requests.size() > MOST_STREAMS) {
            requests.values().stream()
                    .filter(EventLog::hasEnded)
                    .findFirst()
                    .ifPresent(oldest -> requests.remove(oldest.number()));
        }
        return log;
    }

    /// What comes after that event; null if that is nothing: the stream is none of ours, or forgotten, or over.
    @Nullable
    Rest after(String lastEventId) {
        int dash = lastEventId.indexOf('-');
        try {
            int number = Integer.parseInt(lastEventId, 0, Math.max(0, dash), 10);
            long lastSeen = Long.parseLong(lastEventId, dash + 1, lastEventId.length(), 10);
            EventLog log = number == 0 ? general : find(number);
            return log != null && log.continuesAfter(lastSeen) ? new Rest(log, lastSeen) : null;
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    /// A stream from the event on that the client saw last.
    record Rest(EventLog log, long lastSeen) {
        void goTo(EventStream stream) {
            log.attach(stream, lastSeen);
        }
    }

    private synchronized @Nullable EventLog find(int number) {
        return requests.get(number);
    }

    synchronized void endAll() {
        general.end();
        requests.values().forEach(EventLog::end);
    }
}
