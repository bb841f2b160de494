package dev.fusebox.gateway.era;

import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The suspended calls that wait for their client to come back with answers, bounded in number and in time.
/// Each gets a resume token that cannot be guessed, is valid once, and only for the same request. Thread-safe;
/// nothing blocks.
///
/// A call that ends while its client is away is kept, so that the client gets its outcome. One that has not ended
/// may be ended earlier for others who need its server ([CallSuspension]).
final class SuspendedCalls {
    private static final int TICKET_BYTES = 16;

    private final int most;
    private final Timers timers;
    private final Duration limit;
    private final RandomGenerator secrets;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// @param request what the client has to come back with
    private record Entry(SuspendedCall call, String request, Timer alarm) {}

    /// @param most bound on suspended calls
    /// @param limit how long a client may stay away
    /// @param secrets source of the resume tokens
    SuspendedCalls(int most, Timers timers, Duration limit, RandomGenerator secrets) {
        this.most = most;
        this.timers = timers;
        this.limit = limit;
        this.secrets = secrets;
    }

    /// Suspends the call and returns its resume token; null if there is no place left.
    @Nullable
    String park(SuspendedCall call, Message.Request request) {
        if (entries.size() >= most) {
            return null;
        }
        byte[] secret = new byte[TICKET_BYTES];
        secrets.nextBytes(secret);
        String ticket = HexFormat.of().formatHex(secret);
        Timer alarm = timers.schedule(limit, () -> abandon(ticket));
        entries.put(ticket, new Entry(call, essence(request), alarm));
        call.leave(() -> abandon(ticket));
        if (closed) {
            abandon(ticket);
        }
        return ticket;
    }

    private void abandon(String ticket) {
        Entry entry = entries.remove(ticket);
        if (entry != null) {
            entry.alarm().cancel();
            entry.call().abandon();
        }
    }

    /// Removes and returns the call of this token; null if there is none, or it belongs to another request.
    @Nullable
    SuspendedCall fetch(String ticket, Message.Request request) {
        Entry entry = entries.get(ticket);
        if (entry == null || !entry.request().equals(essence(request)) || !entries.remove(ticket, entry)) {
            return null;
        }
        entry.alarm().cancel();
        return entry.call();
    }

    /// Ends the call whose client has been away longest, if it has been away long enough for others to take its
    /// place.
    ///
    /// @param now by the monotonic clock
    void endLongest(long now) {
        entries.values().stream()
                .map(entry -> entry.call().callSuspension())
                .filter(callSuspension -> callSuspension != null && callSuspension.left(now) <= 0)
                .min(Comparator.comparingLong(callSuspension -> callSuspension.left(now)))
                .ifPresent(callSuspension -> callSuspension.ending().run());
    }

    /// What must be equal when a client comes back: the method, and the parameters except for metadata and the
    /// answers.
    private static String essence(Message.Request request) {
        JsonWriter essence = new JsonWriter().beginObject().name("method").string(request.method());
        JsonView params = request.params();
        if (params != null) {
            params.forEachMember((name, value) -> {
                if (!name.equals("_meta") && !name.equals("requestState") && !name.equals("inputResponses")) {
                    essence.name(name).raw(value);
                }
            });
        }
        return essence.endObject().toString();
    }

    void close() {
        closed = true;
        entries.keySet().forEach(this::abandon);
    }
}
