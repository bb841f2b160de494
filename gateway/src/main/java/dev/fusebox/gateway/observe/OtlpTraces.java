package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.BreakerEvent.HalfOpenTest;
import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.CallStep;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.http.NegativeDnsCache;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The OpenTelemetry tracer: one span for each client call, exported to a collector in batches. Thread-safe; only
/// [#close] blocks, for at most a second.
///
/// State changes of the breaker in front of a running call are events of the call's span. If the collector is
/// unavailable, spans are dropped, and calls are not affected.
final class OtlpTraces implements Traces {
    /// Strongly referenced, because an unreferenced logger loses its level: failures are logged by
    /// [LoggedExporter].
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private static final String PATH = "v1/traces";
    private static final Duration EXPORT = Duration.ofSeconds(5);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration BATCH = Duration.ofSeconds(1);

    /// The rest is one batch, for which shutdown does not wait long.
    private static final Duration FINAL_EXPORT = Duration.ofSeconds(1);

    /// Characters of a value that a client supplies.
    private static final int MAX_LENGTH = 256;

    private final SdkTracerProvider provider;
    private final Duration finalExport;
    private final InstantSource wallClock;
    private final Tracer tracer;
    private final Map<String, Set<TracedCall>> running = new ConcurrentHashMap<>();
    private final Function<String, @Nullable String> transports;

    private OtlpTraces(
            SdkTracerProvider provider,
            Function<String, @Nullable String> transports,
            Duration finalExport,
            InstantSource wallClock) {
        this.provider = provider;
        this.transports = transports;
        this.finalExport = finalExport;
        this.wallClock = wallClock;
        this.tracer = provider.get("dev.fusebox.gateway");
    }

    /// @param collector for example `http://localhost:4318`; the path for traces is appended
    static Traces to(Platform platform, URI collector, Function<String, @Nullable String> transports) {
        return to(platform, collector, transports, FINAL_EXPORT);
    }

    /// @param finalExport the longest time that shutdown waits for the last export
    static Traces to(
            Platform platform, URI collector, Function<String, @Nullable String> transports, Duration finalExport) {
        LIBRARY.setLevel(Level.OFF);
        URI endpoint = endpoint(collector);
        NegativeDnsCache.shorten();
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint.toString())
                .setTimeout(EXPORT)
                .setConnectTimeout(CONNECT)
                .setRetryPolicy(null)
                .build();
        BatchSpanProcessor batches = BatchSpanProcessor.builder(
                        new LoggedExporter(exporter, endpoint, platform.ticker()))
                .setScheduleDelay(BATCH)
                .setExporterTimeout(EXPORT)
                .build();
        Resource fusebox = Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "fusebox"));
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(batches)
                .setResource(fusebox)
                .build();
        return new OtlpTraces(provider, transports, finalExport, platform.wallClock());
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
    public Observation begun(String server, PipelineCall call) {
        // The gateway's own requests are not traced.
        if (!call.kind().proves()) {
            return Observation.NONE;
        }
        TracedCall traced = traced(server, call);
        Set<TracedCall> beside = running.computeIfAbsent(server, first -> ConcurrentHashMap.newKeySet());
        beside.add(traced);
        CallStep.Listener outer = CallStep.listen(traced);
        return outcome -> {
            CallStep.listen(outer);
            beside.remove(traced);
            ended(traced, outcome);
        };
    }

    private TracedCall traced(String server, PipelineCall call) {
        Message.Request request = call.call().request();
        Attributes common = common(server, call.call().client().info());
        SpanBuilder builder =
                builder(request, call.kind().tool(), SpanKind.CLIENT).setAllAttributes(common);
        long waited = call.call().deadline().waited();
        if (waited == 0) {
            return new TracedCall(tracer, builder.startSpan(), call, common);
        }
        Instant end = wallClock.instant();
        Instant begin = end.minusNanos(waited);
        TracedCall one = new TracedCall(tracer, builder.setStartTimestamp(begin).startSpan(), call, common);
        one.connected(begin, end);
        return one;
    }

    /// The attributes that are common to the span of a call and those of its steps.
    private Attributes common(String server, @Nullable JsonView info) {
        AttributesBuilder common = Attributes.builder();
        if (!server.equals(NO_SERVER)) {
            put(common, SpanKeys.SERVER, server);
            put(common, SpanKeys.TRANSPORT, transports.apply(server));
        }
        if (info != null) {
            put(common, SpanKeys.CLIENT, info.string("name"));
            put(common, SpanKeys.CLIENT_VERSION, info.string("version"));
        }
        return common.build();
    }

    private SpanBuilder builder(Message.Request request, @Nullable String tool, SpanKind kind) {
        String method = request.method();
        JsonView parent = request.frame().path("params", "_meta", "traceparent");
        AttributesBuilder attributes = Attributes.builder();
        put(attributes, SpanKeys.METHOD, method);
        put(attributes, SpanKeys.REQUEST, request.id().toString());
        put(attributes, SpanKeys.TOOL, tool);
        if (method.equals("tools/call")) {
            put(attributes, SpanKeys.OPERATION, "execute_tool");
        }
        return tracer.spanBuilder(tool == null ? method : method + " " + tool)
                .setSpanKind(kind)
                .setParent(TraceParent.context(parent == null ? null : parent.string()))
                .setAllAttributes(attributes.build());
    }

    private static void put(AttributesBuilder to, AttributeKey<String> key, @Nullable String value) {
        if (value != null) {
            to.put(key, HiddenCharacters.of(value.length() <= MAX_LENGTH ? value : value.substring(0, MAX_LENGTH)));
        }
    }

    private static void ended(TracedCall one, @Nullable Outcome outcome) {
        Span span = one.span();
        if (outcome instanceof Outcome.Failed(CallFailure failure)) {
            CallFailure callFailure = one.reported(failure);
            one.endWait(callFailure);
            failed(span, callFailure.code().toString());
            span.setAttribute(SpanKeys.DELIVERY, callFailure.delivery().toString());
            span.setStatus(StatusCode.ERROR, callFailure.message());
        } else if (outcome instanceof Outcome.Answered(Message.Answer answer)) {
            if (isError(answer)) {
                failed(span, "tool_error");
                span.setStatus(StatusCode.ERROR);
            } else {
                span.setAttribute(SpanKeys.OUTCOME, "success");
            }
        } else {
            failed(span, "internal");
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    private static void failed(Span span, String code) {
        span.setAttribute(SpanKeys.OUTCOME, code);
        span.setAttribute(SpanKeys.ERROR, code);
    }

    private static boolean isError(Message.Answer answer) {
        JsonView result = answer.result();
        JsonView isError = result == null ? null : result.member("isError");
        return result == null || (isError != null && isError.isTrue());
    }

    @Override
    public ScriptTrace script(Message.Request request) {
        return new TracedScript(
                builder(request, "mcp_execute", SpanKind.INTERNAL).startSpan());
    }

    // ---- Breakers

    @Override
    public void watch(Breakers breakers) {
        breakers.on(StateChange.class, this::changed);
        breakers.on(HalfOpenTest.class, OtlpTraces::tested);
    }

    /// A breaker may change on another thread than that of the calls, for example when a connection is lost.
    private void changed(StateChange change) {
        Attributes attributes = Attributes.builder()
                .put(SpanKeys.CIRCUIT, change.name().toString())
                .put(SpanKeys.FROM, change.from().toString())
                .put(SpanKeys.TO, change.to().toString())
                .put(SpanKeys.REASON, change.reason().toString())
                .put(SpanKeys.FAILURES, change.failureCount())
                .build();
        String tool = change.name().tool();
        running.getOrDefault(change.name().server(), Set.of()).stream()
                .filter(one -> tool == null || tool.equals(one.tool()))
                .forEach(one -> one.span().addEvent("circuit.state_change", attributes));
    }

    /// Only the admitted call is the probe.
    private static void tested(HalfOpenTest test) {
        if (CallStep.listener() instanceof TracedCall traced) {
            Attributes attributes = Attributes.builder()
                    .put(SpanKeys.CIRCUIT, test.name().toString())
                    .put(SpanKeys.PROBE, (long) test.call())
                    .put(SpanKeys.PROBES, (long) test.maxCalls())
                    .build();
            traced.span().addEvent("circuit.half_open_test", attributes);
        }
    }

    @Override
    public void close() {
        provider.shutdown().join(finalExport.toMillis(), TimeUnit.MILLISECONDS);
    }
}
