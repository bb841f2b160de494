package dev.fusebox.gateway.observe;

import dev.fusebox.client.CallFailure;
import dev.fusebox.gateway.session.SessionListener;
import dev.fusebox.gateway.session.SessionType;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/// The number of client sessions, open and ever opened, by transport and era. Thread-safe; nothing blocks.
public final class SessionCounts implements SessionListener {
    /// Requests that would have been sent to a server.
    private static final Set<String> CALLS =
            Set.of("tools/call", "prompts/get", "resources/read", "completion/complete");

    private final CallCounts calls;
    private final Map<SessionType, LongAdder> opened = adders();
    private final Map<SessionType, LongAdder> ended = adders();

    /// @param calls counts rejected calls
    public SessionCounts(CallCounts calls) {
        this.calls = calls;
    }

    private static Map<SessionType, LongAdder> adders() {
        Map<SessionType, LongAdder> adders = new EnumMap<>(SessionType.class);
        for (SessionType type : SessionType.values()) {
            adders.put(type, new LongAdder());
        }
        return adders;
    }

    private static LongAdder of(Map<SessionType, LongAdder> adders, SessionType type) {
        return Objects.requireNonNull(adders.get(type), "one for each type");
    }

    @Override
    public void opened(SessionType type) {
        of(opened, type).increment();
    }

    @Override
    public void ended(SessionType type) {
        of(ended, type).increment();
    }

    @Override
    public void refused(String method, CallFailure why) {
        if (CALLS.contains(method)) {
            calls.refused(why);
        }
    }

    void write(PrometheusText text) {
        text.family("fusebox_sessions", "gauge", "Open client sessions.");
        for (SessionType type : SessionType.values()) {
            // Read in this order, the difference is never negative when a session ends meanwhile.
            long over = of(ended, type).sum();
            text.sample("fusebox_sessions", Math.max(0, of(opened, type).sum() - over), labels(type));
        }
        write(text, "fusebox_sessions_opened_total", "Client sessions opened.", opened);
        write(text, "fusebox_sessions_ended_total", "Client sessions ended.", ended);
    }

    private static void write(PrometheusText text, String name, String help, Map<SessionType, LongAdder> counts) {
        text.family(name, "counter", help);
        counts.forEach((type, count) -> text.sample(name, count.sum(), labels(type)));
    }

    private static String[] labels(SessionType type) {
        return new String[] {"transport", type.transport(), "era", type.era()};
    }
}
