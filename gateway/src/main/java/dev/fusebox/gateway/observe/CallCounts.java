package dev.fusebox.gateway.observe;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Call metrics: counts, outcomes and durations. Thread-safe; nothing blocks.
///
/// Labels are created for servers and listed tools, with a bound for both: beyond it, calls are counted under the
/// name `other`. Calls to servers that are not configured are counted without a server: names that only clients
/// use never become labels.
public final class CallCounts {
    /// A large configuration: 100 servers with 40 tools each.
    private static final int MAX_TOOLS = 4_000;

    private static final int MAX_SERVERS = 1_000;
    private static final Key OTHER = new Key("other", "other");

    /// A call to a server that is not configured.
    private static final Key NO_SERVER = new Key("", "");

    private static final double NANOS = 1e9;

    /// Upper bounds in seconds: from a call that stays on this machine to the longest timeout.
    private static final double[] BOUNDS = {
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
    };

    private static final long[] BOUNDS_NANOS = nanos();

    private final Map<Key, Ends> outcomes = new ConcurrentHashMap<>();
    private final Map<String, Times> times = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> restarts = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> questions = new ConcurrentHashMap<>();

    public CallCounts() {
        // Starts at zero.
    }

    private static long[] nanos() {
        long[] nanos = new long[BOUNDS.length];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = Math.round(BOUNDS[i] * NANOS);
        }
        return nanos;
    }

    /// A tool of a server; an empty name stands for all unlisted tools.
    private record Key(String server, String tool) {}

    /// Outcomes of the calls of one tool.
    private static final class Ends {
        private final LongAdder successes = new LongAdder();
        private final Map<ErrorCode, LongAdder> faults = new EnumMap<>(ErrorCode.class);

        Ends() {
            for (ErrorCode code : ErrorCode.values()) {
                faults.put(code, new LongAdder());
            }
        }

        LongAdder of(@Nullable CallFailure failure) {
            return failure == null ? successes : of(failure.code());
        }

        LongAdder of(ErrorCode code) {
            return Objects.requireNonNull(faults.get(code), "one for each code");
        }
    }

    /// A histogram; the last bucket is for durations above all bounds.
    private static final class Times {
        private final LongAdder[] counts = adders(BOUNDS.length + 1);
        private final LongAdder nanos = new LongAdder();
    }

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        for (int i = 0; i < count; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    /// @param tool null if the server does not list it
    /// @param failure null if the server answered
    void ended(String server, @Nullable String tool, @Nullable CallFailure failure, long nanos) {
        String label = tool == null ? "" : tool;
        Ends ends = outcomes.get(new Key(server, label));
        (ends == null ? ends(server, label) : ends).of(failure).increment();
        Times known = times.get(server);
        Times each = known == null ? times(server) : known;
        each.counts[bucket(nanos)].increment();
        each.nanos.add(nanos);
    }

    /// Counts a call to a server that is not configured, with no duration.
    void refused(CallFailure why) {
        outcomes.computeIfAbsent(NO_SERVER, first -> new Ends()).of(why).increment();
    }

    /// Counts a process that replaced a crashed one.
    public void restarted(String server) {
        count(server, restarts);
    }

    /// Counts a server request that was rejected because of the limit for one call.
    public void questionRefused(String server) {
        count(server, questions);
    }

    private static void count(String server, Map<String, LongAdder> counts) {
        boolean isCounted = counts.containsKey(server) || counts.size() < MAX_SERVERS;
        String label = isCounted ? server : OTHER.server();
        counts.computeIfAbsent(label, first -> new LongAdder()).increment();
    }

    /// The restarts of a server; zero for one beyond the bound.
    public long restarts(String server) {
        LongAdder known = restarts.get(server);
        return known == null ? 0 : known.sum();
    }

    private Ends ends(String server, String tool) {
        Key key = outcomes.size() < MAX_TOOLS ? new Key(server, tool) : OTHER;
        return outcomes.computeIfAbsent(key, first -> new Ends());
    }

    private Times times(String server) {
        return times.computeIfAbsent(times.size() < MAX_SERVERS ? server : OTHER.server(), first -> new Times());
    }

    private static int bucket(long nanos) {
        int bucket = 0;
        while (bucket < BOUNDS_NANOS.length && nanos > BOUNDS_NANOS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    // ---- Prometheus text

    void write(PrometheusText text) {
        calls(text);
        refused(text);
        seconds(text);
        ofServers(text, "fusebox_restarts_total", "Server processes started in place of a crashed one.", restarts);
        ofServers(
                text,
                "fusebox_questions_refused_total",
                "Server requests rejected because a call had more than five.",
                questions);
    }

    private static void ofServers(PrometheusText text, String name, String help, Map<String, LongAdder> counts) {
        text.family(name, "counter", help);
        counts.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            text.sample(name, entry.getValue().sum(), "server", entry.getKey());
        });
    }

    private List<Map.Entry<Key, Ends>> sorted() {
        List<Map.Entry<Key, Ends>> all = new ArrayList<>(outcomes.entrySet());
        all.sort(Comparator.comparing(
                        (Map.Entry<Key, Ends> entry) -> entry.getKey().server())
                .thenComparing(entry -> entry.getKey().tool()));
        return all;
    }

    private void calls(PrometheusText text) {
        String name = "fusebox_calls_total";
        text.family(name, "counter", "Completed calls by outcome, including those that reached no server.");
        sorted().forEach(entry -> {
            Ends ends = entry.getValue();
            sample(text, name, ends.successes, labels(entry.getKey(), "outcome", "success"));
            for (ErrorCode code : ErrorCode.values()) {
                sample(text, name, ends.of(code), labels(entry.getKey(), "outcome", code.toString()));
            }
        });
    }

    /// Rejections by the gateway: by a breaker, a limit, the state of the server, or because of the call itself.
    private static final List<ErrorCode> REFUSALS = List.of(
            ErrorCode.BREAKER_OPEN,
            ErrorCode.TOOL_BREAKER_OPEN,
            ErrorCode.OVERLOADED,
            ErrorCode.PERMANENTLY_FAILED,
            ErrorCode.SERVER_DISABLED,
            ErrorCode.INVALID_ARGUMENTS,
            ErrorCode.UNKNOWN_SERVER,
            ErrorCode.UNKNOWN_TOOL,
            ErrorCode.TOOL_BLOCKED);

    private void refused(PrometheusText text) {
        String name = "fusebox_refused_total";
        text.family(name, "counter", "Calls rejected before they were sent, by reason.");
        Map<String, Map<ErrorCode, Long>> sums = new TreeMap<>();
        outcomes.forEach((key, ends) -> {
            Map<ErrorCode, Long> each = sums.computeIfAbsent(key.server(), first -> new EnumMap<>(ErrorCode.class));
            REFUSALS.forEach(code -> each.merge(code, ends.of(code).sum(), Long::sum));
        });
        sums.forEach((server, each) -> each.forEach((code, sum) -> {
            if (sum > 0) {
                text.sample(name, sum, "server", server, "reason", code.toString());
            }
        }));
    }

    private static String[] labels(Key key, String name, String value) {
        return new String[] {"server", key.server(), "tool", key.tool(), name, value};
    }

    /// Zero counts have no line.
    private static void sample(PrometheusText text, String name, LongAdder count, String... labels) {
        long sum = count.sum();
        if (sum > 0) {
            text.sample(name, sum, labels);
        }
    }

    private void seconds(PrometheusText text) {
        String name = "fusebox_call_seconds";
        text.family(name, "histogram", "Duration of calls, from arrival to response.");
        times.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            String server = entry.getKey();
            Times each = entry.getValue();
            long sum = 0;
            for (int i = 0; i < BOUNDS.length; i++) {
                sum += each.counts[i].sum();
                text.sample(name + "_bucket", sum, "server", server, "le", Double.toString(BOUNDS[i]));
            }
            sum += each.counts[BOUNDS.length].sum();
            text.sample(name + "_bucket", sum, "server", server, "le", "+Inf");
            text.sample(name + "_sum", each.nanos.sum() / NANOS, "server", server);
            text.sample(name + "_count", sum, "server", server);
        });
    }
}
