package dev.fusebox.gateway.telemetry;

import dev.fusebox.breaker.BreakerEvent.HalfOpenTest;
import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.World;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// One span for each call of a client's, sent to a collector in batches. Thread-safe; only [#close] blocks, for
/// a second at most.
///
/// What happens to a breaker while a call is under way that it stands in front of is an event of the call's span. When
/// the collector takes nothing, spans are dropped, and calls do not notice.
final class OtlpTraces implements Traces {
    /// Held, because a logger that nobody holds forgets its level: what failed is told by [ToldExporter].
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private static final String PATH = "v1/traces";
    private static final Duration EXPORT = Duration.ofSeconds(5);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration BATCH = Duration.ofSeconds(1);

    /// What is left to send is one batch, for which nobody waits long.
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private static final ScopedValue<Running> CURRENT = ScopedValue.newInstance();

    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("mcp.method.name");
    private static final AttributeKey<String> SERVER = AttributeKey.stringKey("fusebox.server");
    private static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> CIRCUIT = AttributeKey.stringKey("circuit.name");
    private static final AttributeKey<String> FROM = AttributeKey.stringKey("circuit.from_state");
    private static final AttributeKey<String> TO = AttributeKey.stringKey("circuit.to_state");
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("circuit.reason");
    private static final AttributeKey<Long> FAILURES = AttributeKey.longKey("circuit.failure_count");
    private static final AttributeKey<Long> PROBE = AttributeKey.longKey("circuit.half_open_call");
    private static final AttributeKey<Long> PROBES = AttributeKey.longKey("circuit.half_open_max_calls");

    private final SdkTracerProvider provider;
    private final Duration lastWords;
    private final Tracer tracer;
    private final Map<String, Set<Running>> running = new ConcurrentHashMap<>();

    private OtlpTraces(SdkTracerProvider provider, Duration lastWords) {
        this.provider = provider;
        this.lastWords = lastWords;
        this.tracer = provider.get("dev.fusebox.gateway");
    }

    /// A call that is under way.
    private record Running(Span span, @Nullable String tool) {}

    /// @param collector as in `http://localhost:4318`; the path for traces is put behind it
    static Traces to(World world, URI collector) {
        return to(world, collector, LAST_WORDS);
    }

    /// @param lastWords so long at most the end waits until what is left has been sent
    static Traces to(World world, URI collector, Duration lastWords) {
        LIBRARY.setLevel(Level.OFF);
        URI endpoint = endpoint(collector);
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint.toString())
                .setTimeout(EXPORT)
                .setConnectTimeout(CONNECT)
                .setRetryPolicy(null)
                .build();
        BatchSpanProcessor batches = BatchSpanProcessor.builder(new ToldExporter(exporter, endpoint, world.ticker()))
                .setScheduleDelay(BATCH)
                .setExporterTimeout(EXPORT)
                .build();
        Resource fusebox = Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "fusebox"));
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(batches)
                .setResource(fusebox)
                .build();
        return new OtlpTraces(provider, lastWords);
    }

    private static URI endpoint(URI collector) {
        String text = collector.toString();
        if (text.endsWith("/" + PATH)) {
            return collector;
        }
        return URI.create(text.endsWith("/") ? text + PATH : text + "/" + PATH);
    }

    // ---- Calls

    @Override
    public Outcome see(String server, LaneCall call, Supplier<Outcome> work) {
        // What only we ask is no call of anybody's.
        if (!call.kind().proves()) {
            return work.get();
        }
        Running one = new Running(begun(server, call), call.kind().tool());
        Set<Running> beside = running.computeIfAbsent(server, first -> ConcurrentHashMap.newKeySet());
        beside.add(one);
        Outcome outcome = null;
        try {
            outcome = ScopedValue.where(CURRENT, one).call(work::get);
            return outcome;
        } finally {
            beside.remove(one);
            ended(one.span(), outcome);
        }
    }

    private Span begun(String server, LaneCall call) {
        String method = call.call().request().method();
        String tool = call.kind().tool();
        JsonView parent = call.call().request().frame().path("params", "_meta", "traceparent");
        Span span = tracer.spanBuilder(tool == null ? method : method + " " + tool)
                .setSpanKind(SpanKind.CLIENT)
                .setParent(TraceParent.context(parent == null ? null : parent.string()))
                .setAttribute(METHOD, method)
                .setAttribute(SERVER, server)
                .startSpan();
        return tool == null ? span : span.setAttribute(TOOL, tool);
    }

    private static void ended(Span span, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Failed(Fault fault)) {
            span.setAttribute(ERROR, fault.code().toString());
            span.setStatus(StatusCode.ERROR, fault.message());
        } else if (outcome == null) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    // ---- Breakers

    @Override
    public void watch(Breakers breakers) {
        breakers.on(StateChange.class, this::changed);
        breakers.on(HalfOpenTest.class, OtlpTraces::tested);
    }

    /// A breaker may change on another thread than that of the calls: when a connection is lost, say.
    private void changed(StateChange change) {
        Attributes attributes = Attributes.builder()
                .put(CIRCUIT, change.name().toString())
                .put(FROM, change.from().toString())
                .put(TO, change.to().toString())
                .put(REASON, change.reason().toString())
                .put(FAILURES, change.failureCount())
                .build();
        String tool = change.name().tool();
        running.getOrDefault(change.name().server(), Set.of()).stream()
                .filter(one -> tool == null || tool.equals(one.tool()))
                .forEach(one -> one.span().addEvent("circuit.state_change", attributes));
    }

    /// Only the call that is let through is the probe.
    private static void tested(HalfOpenTest test) {
        if (CURRENT.isBound()) {
            Attributes attributes = Attributes.builder()
                    .put(CIRCUIT, test.name().toString())
                    .put(PROBE, (long) test.call())
                    .put(PROBES, (long) test.maxCalls())
                    .build();
            CURRENT.get().span().addEvent("circuit.half_open_test", attributes);
        }
    }

    @Override
    public void close() {
        provider.shutdown().join(lastWords.toMillis(), TimeUnit.MILLISECONDS);
    }
}
