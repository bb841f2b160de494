package dev.fusebox.gateway.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.pool.PoolSnapshot;
import dev.fusebox.gateway.session.SessionType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.hawkular.agent.prometheus.text.TextPrometheusMetricsProcessor;
import org.hawkular.agent.prometheus.types.Counter;
import org.hawkular.agent.prometheus.types.Gauge;
import org.hawkular.agent.prometheus.types.Histogram;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.hawkular.agent.prometheus.types.Summary;
import org.hawkular.agent.prometheus.walkers.PrometheusMetricsWalker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The metrics, read by an independent parser.
@Timeout(60)
class MetricsTest {
    private static final CallFailure TIMEOUT = CallFailure.timeout("too late");
    private static final CallFailure FULL = CallFailure.overloaded("too many", Duration.ofSeconds(1));

    private final Breakers breakers = Breakers.defaults();
    private final CallCounts counts = new CallCounts();
    private final SessionCounts sessions = new SessionCounts(counts);
    private final Metrics metrics = new Metrics(
            new Metrics.Totals(counts, sessions, "1.2.3"),
            breakers,
            new Metrics.Gauges(
                    () -> List.of(
                            new Metrics.ServerState("jira", ServerStatus.ONLINE),
                            new Metrics.ServerState("git\"hub", ServerStatus.REQUIRES_REAUTH)),
                    () -> List.of(new Metrics.Queue("jira", 3, 4)),
                    () -> Map.of("processes", new PoolSnapshot(20, 5, 6, 7, new PoolSnapshot.Totals(8, 9, 10, 11))),
                    () -> 2));

    /// All samples by name and labels.
    private static final class Samples implements PrometheusMetricsWalker {
        private final Map<String, Double> values = new TreeMap<>();
        private final Map<String, Histogram> histograms = new TreeMap<>();

        static Samples parse(String text) {
            Samples samples = new Samples();
            new TextPrometheusMetricsProcessor(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), samples)
                    .walk();
            return samples;
        }

        double of(String name, String... labels) {
            Map<String, String> wanted = new TreeMap<>();
            for (int i = 0; i < labels.length; i += 2) {
                wanted.put(labels[i], labels[i + 1]);
            }
            return values.getOrDefault(name + wanted, 0.0);
        }

        private void put(String name, Map<String, String> labels, double value) {
            values.put(name + new TreeMap<>(labels), value);
        }

        @Override
        public void walkStart() {}

        @Override
        public void walkFinish(int familiesProcessed, int metricsProcessed) {}

        @Override
        public void walkMetricFamily(MetricFamily family, int index) {}

        @Override
        public void walkCounterMetric(MetricFamily family, Counter metric, int index) {
            put(metric.getName(), metric.getLabels(), metric.getValue());
        }

        @Override
        public void walkGaugeMetric(MetricFamily family, Gauge metric, int index) {
            put(metric.getName(), metric.getLabels(), metric.getValue());
        }

        @Override
        public void walkSummaryMetric(MetricFamily family, Summary metric, int index) {}

        @Override
        public void walkHistogramMetric(MetricFamily family, Histogram metric, int index) {
            histograms.put(metric.getLabels().getOrDefault("server", ""), metric);
        }
    }

    private Samples read() {
        return Samples.parse(metrics.text());
    }

    @Test
    void calls_are_counted_by_server_tool_and_outcome() {
        counts.ended("jira", "search", null, 1);
        counts.ended("jira", "search", null, 1);
        counts.ended("jira", "search", TIMEOUT, 1);
        counts.ended("jira", null, null, 1);
        Samples samples = read();
        assertThat(samples.of("fusebox_calls_total", "server", "jira", "tool", "search", "outcome", "success"))
                .isEqualTo(2);
        assertThat(samples.of("fusebox_calls_total", "server", "jira", "tool", "search", "outcome", "timeout"))
                .isEqualTo(1);
        assertThat(samples.of("fusebox_calls_total", "server", "jira", "tool", "", "outcome", "success"))
                .isEqualTo(1);
    }

    @Test
    void rejected_calls_are_counted_separately() {
        counts.ended("jira", "search", FULL, 1);
        counts.ended("jira", "search", TIMEOUT, 1);
        Samples samples = read();
        assertThat(samples.of("fusebox_refused_total", "server", "jira", "reason", "overloaded"))
                .isEqualTo(1);
        assertThat(samples.values.keySet())
                .filteredOn(name -> name.startsWith("fusebox_refused"))
                .hasSize(1);
    }

    @Test
    void rejected_calls_of_a_server_are_counted_by_reason() {
        counts.ended("jira", "search", FULL, 1);
        counts.ended("jira", "create", FULL, 1);
        counts.ended("jira", null, CallFailure.policy(ErrorId.UNKNOWN_TOOL, "no such tool"), 1);
        counts.ended("wiki", "read", CallFailure.policy(ErrorId.SERVER_DISABLED, "is disabled"), 1);
        Samples samples = read();
        assertThat(samples.of("fusebox_refused_total", "server", "jira", "reason", "overloaded"))
                .isEqualTo(2);
        assertThat(samples.of("fusebox_refused_total", "server", "jira", "reason", "unknown_tool"))
                .isEqualTo(1);
        assertThat(samples.of("fusebox_refused_total", "server", "wiki", "reason", "server_disabled"))
                .isEqualTo(1);
    }

    @Test
    void each_server_has_exactly_one_state() {
        Samples samples = read();
        assertThat(samples.of("fusebox_server_state", "server", "jira", "state", "online"))
                .isEqualTo(1);
        assertThat(samples.of("fusebox_server_state", "server", "git\"hub", "state", "requires_reauth"))
                .isEqualTo(1);
        Map<String, Double> states = new TreeMap<>(samples.values);
        states.keySet().removeIf(name -> !name.startsWith("fusebox_server_state"));
        assertThat(states).hasSize(2 * ServerStatus.values().length);
        assertThat(states.values().stream().mapToDouble(value -> value).sum()).isEqualTo(2);
    }

    @Test
    void sessions_are_counted_by_transport_and_era() {
        sessions.opened(SessionType.HTTP_LEGACY);
        sessions.opened(SessionType.HTTP_LEGACY);
        sessions.ended(SessionType.HTTP_LEGACY);
        sessions.opened(SessionType.STDIO_MODERN);
        Samples samples = read();
        String[] http = {"transport", "http", "era", "legacy"};
        assertThat(samples.of("fusebox_sessions", http)).isEqualTo(1);
        assertThat(samples.of("fusebox_sessions_opened_total", http)).isEqualTo(2);
        assertThat(samples.of("fusebox_sessions_ended_total", http)).isEqualTo(1);
        assertThat(samples.of("fusebox_sessions", "transport", "stdio", "era", "modern"))
                .isEqualTo(1);
        assertThat(samples.of("fusebox_sessions", "transport", "sse", "era", "legacy"))
                .isZero();
    }

    @Test
    void calls_rejected_by_a_front_end_are_counted_and_other_requests_are_not() {
        sessions.refused("tools/call", FULL);
        sessions.refused("tools/list", FULL);
        assertThat(read().of("fusebox_calls_total", "server", "", "tool", "", "outcome", "overloaded"))
                .isEqualTo(1);
        assertThat(read().of("fusebox_refused_total", "server", "", "reason", "overloaded"))
                .isEqualTo(1);
    }

    @Test
    void build_and_process_are_described() {
        Samples samples = read();
        assertThat(samples.of(
                        "fusebox_build_info",
                        "version",
                        "1.2.3",
                        "java",
                        Runtime.version().toString()))
                .isEqualTo(1);
        assertThat(samples.of("process_cpu_seconds_total")).isPositive();
        assertThat(samples.of("process_start_time_seconds")).isBetween(1.7e9, 1e10);
        assertThat(samples.of("process_resident_memory_bytes")).isBetween(1e7, 1e11);
        assertThat(samples.of("process_open_fds")).isPositive();
        assertThat(samples.of("process_max_fds")).isNotZero();
        assertThat(samples.of("jvm_memory_used_bytes", "area", "heap")).isPositive();
    }

    /// Rules of the text format that lenient parsers do not check (Prometheus, "Exposition formats").
    @Test
    void text_follows_the_strict_rules_of_the_format() {
        counts.ended("jira", "a\"b\\c\nd", null, 1);
        counts.ended("jira", "search", FULL, 1);
        counts.restarted("jira");
        breakers.breaker("jira");
        sessions.opened(SessionType.SSE_LEGACY);
        assertThat(StrictExposition.problems(metrics.text())).isEmpty();
    }

    @Test
    void format_check_finds_errors() {
        assertThat(StrictExposition.problems("a 1\n")).isNotEmpty();
        assertThat(StrictExposition.problems("# HELP a b\n# TYPE a counter\na 1\n"))
                .isNotEmpty();
        assertThat(StrictExposition.problems("# HELP a b\n# TYPE a gauge\na 1\na 2\n"))
                .isNotEmpty();
        assertThat(StrictExposition.problems("# HELP a b\n# TYPE a gauge\na{l=\"x\"y\"} 1\n"))
                .isNotEmpty();
        assertThat(StrictExposition.problems("# HELP a b\n# TYPE a gauge\na{l=\"x\\\"y\"} 1"))
                .isNotEmpty();
        assertThat(StrictExposition.problems("# HELP a b\n# TYPE a gauge\na{l=\"x\\\"y\"} 1.5E9\n"))
                .isEmpty();
    }

    @Test
    void call_duration_is_a_consistent_histogram() {
        counts.ended("jira", "search", null, Duration.ofMillis(1).toNanos());
        counts.ended("jira", "search", null, Duration.ofMillis(30).toNanos());
        counts.ended("jira", "search", null, Duration.ofSeconds(90).toNanos());
        Histogram histogram = Objects.requireNonNull(read().histograms.get("jira"));
        assertThat(histogram.getSampleCount()).isEqualTo(3);
        assertThat(histogram.getSampleSum()).isEqualTo(90.031);
        assertThat(histogram.getBuckets().getFirst().getCumulativeCount()).isEqualTo(1);
        assertThat(histogram.getBuckets().getLast().getUpperBound()).isInfinite();
        assertThat(histogram.getBuckets().getLast().getCumulativeCount()).isEqualTo(3);
    }

    @Test
    void servers_within_the_bound_keep_their_own_labels() {
        counts.ended("jira", "search", null, Duration.ofSeconds(90).toNanos());
        counts.restarted("jira");
        for (int i = 0; i < 2_000; i++) {
            counts.ended("server" + i, null, null, 1);
            counts.restarted("server" + i);
        }
        counts.restarted("jira");
        Samples samples = read();
        assertThat(Objects.requireNonNull(samples.histograms.get("jira")).getSampleCount())
                .isEqualTo(1);
        assertThat(samples.of("fusebox_restarts_total", "server", "jira")).isEqualTo(2);
        assertThat(counts.restarts("jira")).isEqualTo(2);
    }

    @Test
    void breakers_queues_and_processes_are_exported() {
        breakers.breaker("jira").forceOpen("x");
        breakers.breaker(BreakerName.of("jira").tool("search"));
        Samples samples = read();
        assertThat(samples.of("fusebox_breaker_state", "server", "jira", "tool", "", "scope", "server"))
                .isEqualTo(3);
        assertThat(samples.of("fusebox_breaker_transitions_total", "server", "jira", "tool", "", "scope", "server"))
                .isEqualTo(1);
        assertThat(samples.values).containsKey("fusebox_breaker_state{scope=tool, server=jira, tool=search}");
        assertThat(samples.of("fusebox_pool_calls_in_flight", "server", "jira")).isEqualTo(3);
        assertThat(samples.of("fusebox_pool_calls_waiting", "server", "jira")).isEqualTo(4);
        assertThat(samples.of("fusebox_children")).isEqualTo(2);
    }

    @Test
    void pools_are_exported() {
        Samples samples = read();
        List<String> names = List.of("size", "connections", "idle", "waiting");
        List<String> totals = List.of("evicted", "expired", "reserve", "refused");
        assertThat(names.stream().map(name -> samples.of("fusebox_pool_" + name, "pool", "processes")))
                .containsExactly(20.0, 5.0, 6.0, 7.0);
        assertThat(totals.stream().map(name -> samples.of("fusebox_pool_" + name + "_total", "pool", "processes")))
                .containsExactly(8.0, 9.0, 10.0, 11.0);
    }

    @Test
    void names_with_quotes_and_line_ends_stay_one_label() {
        counts.ended("jira", "a\"b\\c", null, 1);
        counts.ended("jira", "line\nend", null, 1);
        assertThat(metrics.text())
                .contains("tool=\"a\\\"b\\\\c\"", "tool=\"line\\nend\"")
                .doesNotContain("line\nend");
    }

    @Test
    void labels_contain_no_hidden_characters() {
        counts.ended("jira", "a\u001b[31m\u202Eb\u200B", null, 1);
        PrometheusText text = new PrometheusText();
        counts.write(text);
        assertThat(text.toString()).contains("tool=\"a[31mb\"");
    }

    @Test
    void rejected_server_requests_are_counted_by_server() {
        counts.questionRefused("jira");
        counts.questionRefused("jira");
        PrometheusText text = new PrometheusText();
        counts.write(text);
        assertThat(text.toString()).contains("fusebox_questions_refused_total{server=\"jira\"} 2\n");
    }

    @Test
    void number_of_tool_labels_is_bounded() {
        IntStream.range(0, 10_000).forEach(i -> counts.ended("server" + i, "tool" + i, null, 1));
        long lines = metrics.text()
                .lines()
                .filter(line -> line.startsWith("fusebox_calls_total"))
                .count();
        assertThat(lines).isEqualTo(4_001);
        assertThat(read().of("fusebox_calls_total", "server", "other", "tool", "other", "outcome", "success"))
                .isEqualTo(6_000);
        assertThat(read().histograms).hasSize(1_001);
    }

    @Test
    void concurrent_counts_are_not_lost() throws InterruptedException {
        List<Thread> callers = IntStream.range(0, 8)
                .mapToObj(each -> Thread.ofVirtual()
                        .start(() -> IntStream.range(0, 10_000).forEach(i -> counts.ended("jira", "search", null, 1))))
                .toList();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(read().of("fusebox_calls_total", "server", "jira", "tool", "search", "outcome", "success"))
                .isEqualTo(80_000);
    }
}
