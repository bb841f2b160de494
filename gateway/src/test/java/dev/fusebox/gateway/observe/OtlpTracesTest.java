package dev.fusebox.gateway.observe;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.CallStep;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.ManualTime;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Spans as received by a collector, decoded with the protocol's own classes.
@Timeout(120)
class OtlpTracesTest {
    private static final Platform PLATFORM = SingleServerHarness.PLATFORM;
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";
    private static final Outcome ANSWERED =
            new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(RequestId.of(1), "{}")));
    private static final JsonView INFO = JsonView.of("{\"name\":\"inspector\",\"version\":\"1.2.3\"}");
    private static final Outcome LATE = new Outcome.Failed(CallFailure.timeout("too late"));

    private final List<ExportTraceServiceRequest> received = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);
    private final Breakers breakers = Breakers.defaults();
    private volatile int status = 200;
    private volatile boolean holds;
    private HttpServer collector;

    @BeforeEach
    void open() throws IOException {
        collector = HttpServer.open(HttpSettings.loopback(0), this::collect, PLATFORM);
    }

    @AfterEach
    void close() {
        go.countDown();
        collector.close();
    }

    private void collect(HttpRequest request, HttpReply reply) throws InterruptedException {
        asked.incrementAndGet();
        if (holds) {
            go.await();
        }
        try {
            if (status == 200) {
                received.add(ExportTraceServiceRequest.parseFrom(request.body()));
                paths.add(request.path());
            }
            reply.respond(status, HttpHeaders.of("Content-Type", "application/x-protobuf"), new byte[0]);
        } catch (InvalidProtocolBufferException e) {
            reply.respond(400, HttpHeaders.none(), new byte[0]);
        }
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + collector.port());
    }

    private List<Span> spans() {
        return received.stream()
                .flatMap(request -> request.getResourceSpansList().stream())
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    private Span only() {
        assertThat(spans()).hasSize(1);
        return spans().getFirst();
    }

    private static PipelineCall call(@Nullable String traceparent, PipelineCall.Kind kind) {
        String meta = traceparent == null ? "" : ",\"_meta\":{\"traceparent\":\"" + traceparent + "\"}";
        String params = "{\"name\":\"search\"" + meta + "}";
        Message.Request request = Message.Request.of(JsonRpcFrames.request(RequestId.of(1), "tools/call", params));
        Deadline deadline = new Deadline(Duration.ofSeconds(9), Duration.ZERO, PLATFORM.ticker());
        return new PipelineCall(
                new Call(request, client(INFO), deadline, Caller.SILENT), kind, "client", sent -> ANSWERED);
    }

    private static ClientMetadata client(JsonView info) {
        return new ClientMetadata("2026-07-28", JsonView.of("{}"), info, null, false, null, false, Principal.OWNER);
    }

    private static PipelineCall call(@Nullable String traceparent) {
        return call(traceparent, new PipelineCall.Kind("search", true, RetrySafety.SAFE));
    }

    /// Waits at the end until all spans are exported, however slow the machine is.
    private Traces patient(Platform platform) {
        return OtlpTraces.to(platform, uri(), server -> "pipe", SingleServerHarness.SOON);
    }

    private void trace(PipelineCall call, Supplier<Outcome> work) {
        Traces traces = patient(PLATFORM);
        traces.watch(breakers);
        ObservedCall.make(traces, "jira", call, work);
        traces.close();
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static Map<String, String> attributes(List<KeyValue> list) {
        Map<String, String> attributes = new TreeMap<>();
        list.forEach(each -> attributes.put(
                each.getKey(),
                each.getValue().hasIntValue()
                        ? Long.toString(each.getValue().getIntValue())
                        : each.getValue().getStringValue()));
        return attributes;
    }

    @Test
    void call_is_a_child_span_of_its_clients_span() {
        trace(call("00-" + TRACE + "-" + PARENT + "-01"), () -> ANSWERED);
        Span span = only();
        assertThat(paths).containsExactly("/v1/traces");
        assertThat(hex(span.getTraceId())).isEqualTo(TRACE);
        assertThat(hex(span.getParentSpanId())).isEqualTo(PARENT);
        assertThat(span.getName()).isEqualTo("tools/call search");
        assertThat(span.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
        assertThat(span.getEndTimeUnixNano()).isGreaterThanOrEqualTo(span.getStartTimeUnixNano());
        assertThat(span.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_UNSET);
        assertThat(attributes(span.getAttributesList()))
                .isEqualTo(Map.of(
                        "mcp.method.name", "tools/call",
                        "jsonrpc.request.id", "1",
                        "gen_ai.operation.name", "execute_tool",
                        "gen_ai.tool.name", "search",
                        "network.transport", "pipe",
                        "fusebox.server", "jira",
                        "fusebox.client.name", "inspector",
                        "fusebox.client.version", "1.2.3",
                        "fusebox.outcome", "success"));
        assertThat(attributes(
                        received.getFirst().getResourceSpans(0).getResource().getAttributesList()))
                .containsEntry("service.name", "fusebox");
    }

    @Test
    void call_without_a_valid_parent_begins_a_trace() {
        List<String> none = List.of(
                "",
                "x",
                "ff-" + TRACE + "-" + PARENT + "-01",
                "00-" + "0".repeat(32) + "-" + PARENT + "-01",
                "00-" + TRACE + "-" + PARENT + "-01-more",
                "00-" + TRACE.replace('a', 'A') + "-" + PARENT + "-01",
                "0".repeat(5_000));
        try (Traces traces = patient(PLATFORM)) {
            ObservedCall.make(traces, "jira", call(null), () -> ANSWERED);
            none.forEach(text -> ObservedCall.make(traces, "jira", call(text), () -> ANSWERED));
            ObservedCall.make(traces, "jira", call("01-" + TRACE + "-" + PARENT + "-01-more"), () -> ANSWERED);
        }
        assertThat(spans()).hasSize(9);
        assertThat(spans()).filteredOn(span -> span.getParentSpanId().isEmpty()).hasSize(8);
    }

    @Test
    void call_with_an_unsampled_parent_is_not_recorded() {
        trace(call("00-" + TRACE + "-" + PARENT + "-00"), () -> ANSWERED);
        assertThat(spans()).isEmpty();
    }

    @Test
    void failure_is_recorded_on_the_span() {
        trace(call(null), () -> LATE);
        assertThat(only().getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
        assertThat(only().getStatus().getMessage()).isEqualTo("too late");
        assertThat(attributes(only().getAttributesList()))
                .containsEntry("error.type", "timeout")
                .containsEntry("fusebox.outcome", "timeout")
                .containsEntry("fusebox.delivery", "unknown");
    }

    @Test
    void tool_error_is_recorded_on_the_span() {
        trace(
                call(null),
                () -> new Outcome.Answered(
                        Message.Answer.of(JsonRpcFrames.result(RequestId.of(1), "{\"isError\":true,\"content\":[]}"))));
        assertThat(only().getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
        assertThat(attributes(only().getAttributesList()))
                .containsEntry("error.type", "tool_error")
                .containsEntry("fusebox.outcome", "tool_error");
    }

    private Span named(String name) {
        List<Span> found =
                spans().stream().filter(span -> span.getName().equals(name)).toList();
        assertThat(found).as(name).hasSize(1);
        return found.getFirst();
    }

    /// Through a pipeline, over a connection that cannot be opened at first.
    @Test
    void queue_attempts_and_connects_are_children_of_their_call() {
        AtomicInteger made = new AtomicInteger();
        Traces traces = patient(PLATFORM);
        CallTelemetry watch =
                new CallTelemetry(PLATFORM.ticker(), new CallCounts(), new EventLog(PLATFORM.wallClock()), traces);
        Connector connector = serverMessageHandler -> {
            made.incrementAndGet();
            return new Connector.Opened.Refused(
                    CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, "refused"));
        };
        ReconnectingConnection connection =
                new ReconnectingConnection(PLATFORM, connector, ServerMessageHandler.NONE, Duration.ofSeconds(5));
        CallPipeline pipeline = new CallPipeline(PLATFORM, PipelineRules.of("jira", true), breakers, watch);
        PipelineCall call = new PipelineCall(call(null).call(), call(null).kind(), "client", connection::call);
        assertThat(pipeline.call(call, pipeline.arbiter(new UnresponsiveServer())))
                .isInstanceOf(Outcome.Failed.class);
        traces.close();
        Span whole = named("tools/call search");
        Span queue = named("queue");
        assertThat(queue.getParentSpanId()).isEqualTo(whole.getSpanId());
        assertThat(queue.getTraceId()).isEqualTo(whole.getTraceId());
        List<Span> attempts = spans().stream()
                .filter(span -> span.getName().equals("attempt"))
                .toList();
        assertThat(attempts).hasSize(made.get()).allSatisfy(attempt -> {
            assertThat(attempt.getParentSpanId()).isEqualTo(whole.getSpanId());
            assertThat(attributes(attempt.getAttributesList())).containsEntry("error.type", "connect_failed");
        });
        assertThat(spans())
                .allSatisfy(span -> assertThat(attributes(span.getAttributesList()))
                        .containsEntry("fusebox.server", "jira")
                        .containsEntry("network.transport", "pipe")
                        .containsEntry("fusebox.client.name", "inspector")
                        .containsEntry("fusebox.outcome", span.equals(queue) ? "success" : "connect_failed"));
        assertThat(attributes(attempts.getFirst().getAttributesList())).containsEntry("fusebox.attempt", "1");
        List<Span> connects = spans().stream()
                .filter(span -> span.getName().equals("connect"))
                .toList();
        assertThat(connects).hasSize(made.get());
        assertThat(connects.getFirst().getParentSpanId())
                .isEqualTo(attempts.getFirst().getSpanId());
        assertThat(connects.getFirst().getStartTimeUnixNano())
                .isGreaterThanOrEqualTo(attempts.getFirst().getStartTimeUnixNano());
    }

    /// The first call by `mcp_call` waits for the connection before it enters the pipeline.
    @Test
    void connection_wait_of_a_cold_server_is_a_child_span() {
        PipelineCall cold = call(null);
        cold.call().deadline().waited(Duration.ofMillis(700));
        CallFailure refused = CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, "refused");
        trace(cold, () -> new Outcome.Failed(refused));
        Span connect = named("connect");
        Span whole = named("tools/call search");
        assertThat(connect.getParentSpanId()).isEqualTo(whole.getSpanId());
        assertThat(connect.getStartTimeUnixNano()).isEqualTo(whole.getStartTimeUnixNano());
        assertThat(connect.getEndTimeUnixNano() - connect.getStartTimeUnixNano())
                .isEqualTo(Duration.ofMillis(700).toNanos());
        assertThat(attributes(connect.getAttributesList()))
                .containsEntry("fusebox.outcome", "connect_failed")
                .containsEntry("fusebox.server", "jira");
    }

    @Test
    void successful_connection_wait_ends_without_error_for_any_outcome() {
        PipelineCall cold = call(null);
        cold.call().deadline().waited(Duration.ofMillis(700));
        trace(cold, () -> {
            CallStep.begin(CallStep.Type.QUEUE).end(null);
            return LATE;
        });
        assertThat(attributes(named("connect").getAttributesList()))
                .containsEntry("fusebox.outcome", "success")
                .doesNotContainKey("error.type");
    }

    @Test
    void timed_out_call_is_recorded_as_timeout_and_not_as_cancelled() {
        PipelineCall call = call(null);
        trace(call, () -> {
            CallStep attempt = CallStep.begin(CallStep.Type.ATTEMPT);
            call.call().deadline().expire();
            return attempt.ended(new Outcome.Failed(CallFailure.cancelled()));
        });
        assertThat(spans()).hasSize(2).allSatisfy(span -> {
            assertThat(attributes(span.getAttributesList()))
                    .containsEntry("fusebox.outcome", "timeout")
                    .containsEntry("error.type", "timeout");
            assertThat(span.getStatus().getMessage()).doesNotContain("cancelled");
        });
    }

    @Test
    void values_from_clients_are_cut() {
        String id = "9".repeat(5_000);
        Message.Request request =
                Message.Request.of(JsonRpcFrames.request(RequestId.of(id), "tools/call", "{\"name\":\"search\"}"));
        PipelineCall plain = call(null);
        JsonView info = JsonView.of("{\"name\":\"" + "n".repeat(5_000) + "\",\"version\":\"1\"}");
        trace(
                new PipelineCall(plain.call().with(request).of(client(info)), plain.kind(), "client", sent -> ANSWERED),
                () -> ANSWERED);
        assertThat(attributes(only().getAttributesList()))
                .allSatisfy((key, value) -> assertThat(value).hasSizeLessThanOrEqualTo(256));
    }

    @Test
    void calls_of_a_script_are_children_of_its_span_on_any_thread() throws InterruptedException {
        Traces traces = patient(PLATFORM);
        PipelineCall outer = call("00-" + TRACE + "-" + PARENT + "-01");
        ScriptTrace script = traces.script(outer.call().request());
        Call inner = outer.call().with(script.within(call(null).call().request()));
        Thread other = Thread.ofVirtual()
                .start(() -> ObservedCall.make(
                        traces,
                        "jira",
                        new PipelineCall(inner, outer.kind(), "client", sent -> ANSWERED),
                        () -> ANSWERED));
        other.join();
        script.end("timeout");
        traces.close();
        Span whole = named("tools/call mcp_execute");
        assertThat(hex(whole.getParentSpanId())).isEqualTo(PARENT);
        assertThat(attributes(whole.getAttributesList()))
                .containsEntry("fusebox.outcome", "timeout")
                .containsEntry("error.type", "timeout");
        Span call = named("tools/call search");
        assertThat(call.getParentSpanId()).isEqualTo(whole.getSpanId());
        assertThat(hex(call.getTraceId())).isEqualTo(TRACE);
    }

    @Test
    void disabled_tracing_allocates_nothing() {
        CallTelemetry watch =
                new CallTelemetry(PLATFORM.ticker(), new CallCounts(), new EventLog(PLATFORM.wallClock()), Traces.NONE);
        watch.begun("jira", call(null));
        for (CallStep.Type type : CallStep.Type.values()) {
            assertThat(CallStep.begin(type)).isSameAs(CallStep.UNOBSERVED);
        }
        Message.Request request = call(null).call().request();
        assertThat(Traces.NONE.script(request).within(request)).isSameAs(request);
    }

    @Test
    void internal_requests_have_no_span() {
        trace(call(null, PipelineCall.Kind.LOOKING), () -> ANSWERED);
        assertThat(spans()).isEmpty();
    }

    @Test
    void state_changes_of_only_the_calls_own_breaker_are_span_events() throws InterruptedException {
        trace(call(null), () -> {
            breakers.breaker("mail").forceOpen("others");
            Thread other =
                    Thread.ofVirtual().start(() -> breakers.breaker("jira").forceOpen("maintenance"));
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return ANSWERED;
        });
        breakers.breaker("jira").reset();
        assertThat(only().getEventsList()).hasSize(1);
        Span.Event event = only().getEvents(0);
        assertThat(event.getName()).isEqualTo("circuit.state_change");
        assertThat(attributes(event.getAttributesList()))
                .isEqualTo(Map.of(
                        "circuit.name", "jira",
                        "circuit.from_state", "closed",
                        "circuit.to_state", "forced-open",
                        "circuit.reason", "forced open: maintenance",
                        "circuit.failure_count", "0"));
    }

    @Test
    void probe_call_has_a_span_event() {
        ManualTime time = new ManualTime();
        Breakers tested = Breakers.settings()
                .surroundings(PlatformSurroundings.of(time.platform()))
                .build();
        CircuitBreaker breaker = tested.breaker("jira");
        while (breaker.tryAcquire() instanceof Permit permit) {
            permit.failed("offline");
        }
        time.advance(Duration.ofHours(1));
        try (Traces traces = patient(PLATFORM)) {
            traces.watch(tested);
            ObservedCall.make(traces, "jira", call(null), () -> {
                if (breaker.tryAcquire() instanceof Permit probe) {
                    probe.succeeded();
                }
                return ANSWERED;
            });
        }
        assertThat(only().getEventsList().stream().map(Span.Event::getName))
                .containsExactly("circuit.state_change", "circuit.half_open_test", "circuit.state_change");
        Map<String, String> probe =
                Map.of("circuit.name", "jira", "circuit.half_open_call", "1", "circuit.half_open_max_calls", "1");
        assertThat(attributes(only().getEvents(1).getAttributesList())).isEqualTo(probe);
    }

    @Test
    void hanging_collector_blocks_no_call_and_shutdown_only_briefly() {
        holds = true;
        Traces traces = Traces.to(PLATFORM, uri(), server -> null);
        eventually("the collector is asked", () -> {
            ObservedCall.make(traces, "jira", call(null), () -> ANSWERED);
            return asked.get() > 0;
        });
        for (int i = 0; i < 20_000; i++) {
            assertThat(ObservedCall.make(traces, "jira", call(null), () -> ANSWERED))
                    .isEqualTo(ANSWERED);
        }
        traces.close();
        assertThat(received).as("closed although nothing was taken").isEmpty();
    }

    /// Four batches, one a second. The collector of an earlier test may be given up meanwhile.
    @Test
    void unavailable_collector_is_logged_once_a_minute() {
        status = 500;
        ManualTime time = new ManualTime();
        try (CapturedLog log = CapturedLog.of(LoggedExporter.class);
                Traces traces = patient(time.platform())) {
            String mine = uri() + "/v1/traces";
            failAgain(traces, 3);
            eventually("a line is logged", () -> assertThat(log.lines(mine)).isNotEmpty());
            assertThat(log.lines(mine)).singleElement().asString().startsWith("1 spans could not be exported to ");
            time.advance(Duration.ofSeconds(61));
            failAgain(traces, 1);
            eventually("two lines are logged", () -> assertThat(log.lines(mine)).hasSize(2));
            assertThat(log.lines(mine).get(1)).matches("[23] spans could not be exported .*");
        }
    }

    /// The next span is created after the previous batch was rejected, so that each is a separate batch.
    private void failAgain(Traces traces, int times) {
        for (int i = 0; i < times; i++) {
            int before = asked.get();
            ObservedCall.make(traces, "jira", call(null), () -> ANSWERED);
            eventually(
                    "the collector is asked again",
                    () -> assertThat(asked.get()).isGreaterThan(before));
        }
    }
}
