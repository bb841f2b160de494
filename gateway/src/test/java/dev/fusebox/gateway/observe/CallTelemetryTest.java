package dev.fusebox.gateway.observe;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallTelemetryTest {
    private static final Outcome LATE = new Outcome.Failed(CallFailure.timeout("too late"));

    private final CallCounts counts = new CallCounts();
    private final EventLog eventLog = new EventLog(SingleServerHarness.PLATFORM.wallClock());
    private final CallTelemetry watch =
            new CallTelemetry(SingleServerHarness.PLATFORM.ticker(), counts, eventLog, Traces.NONE);
    private final List<String> told = new CopyOnWriteArrayList<>();

    private static PipelineCall call() {
        Message.Request request = Message.Request.of(JsonRpcFrames.request(RequestId.of("1"), "tools/call", "{}"));
        Call plain = new Call(request, Deadline.endless(SingleServerHarness.PLATFORM.ticker()), Caller.SILENT);
        return new PipelineCall(
                plain, new PipelineCall.Kind("search", false, RetrySafety.SAFE), "client", attempt -> LATE);
    }

    @Test
    void timed_out_call_counts_as_timeout_and_abandoned_call_as_cancelled() {
        Outcome cancelled = new Outcome.Failed(CallFailure.cancelled());
        PipelineCall expired = call();
        expired.call().deadline().expire();
        expired.call().deadline().expire();
        ObservedCall.make(watch, "jira", expired, () -> cancelled);
        PipelineCall givenUp = call();
        givenUp.call().deadline().giveUp();
        givenUp.call().deadline().expire();
        ObservedCall.make(watch, "jira", givenUp, () -> cancelled);
        assertThat(numbers())
                .contains("{server=\"jira\",tool=\"search\",outcome=\"timeout\"} 1\n")
                .contains("{server=\"jira\",tool=\"search\",outcome=\"cancelled\"} 1\n");
    }

    @Test
    void connection_wait_counts_for_the_first_server_and_not_for_its_backup() {
        PipelineCall cold = call();
        cold.call().deadline().waited(Duration.ofSeconds(40));
        ObservedCall.make(watch, "jira", cold, () -> LATE);
        ObservedCall.make(watch, "backup", cold, () -> LATE);
        assertThat(numbers())
                .contains("fusebox_call_seconds_bucket{server=\"jira\",le=\"30.0\"} 0\n")
                .contains("fusebox_call_seconds_bucket{server=\"jira\",le=\"60.0\"} 1\n")
                .contains("fusebox_call_seconds_bucket{server=\"backup\",le=\"30.0\"} 1\n");
    }

    private void see(Supplier<Outcome> work) {
        eventLog.listen(event -> true, each -> told.add(each.json()));
        ObservedCall.make(watch, "jira", call(), work);
    }

    private String numbers() {
        Metrics.Gauges none = new Metrics.Gauges(List::of, List::of, Map::of, () -> 0);
        Metrics.Totals totals = new Metrics.Totals(counts, new SessionCounts(counts), "1.2.3");
        return new Metrics(totals, Breakers.defaults(), none).text();
    }

    @Test
    void failed_call_is_counted_and_published() {
        see(() -> LATE);
        assertThat(numbers()).contains("{server=\"jira\",tool=\"search\",outcome=\"timeout\"} 1\n");
        eventually("an event has arrived", () -> assertThat(told).isNotEmpty());
        assertThat(told.getFirst()).contains("mcp.tool.executed", "\"success\":false,\"category\":\"offline\"");
    }

    @Test
    void internal_error_is_counted_and_published_as_the_client_sees_it() {
        assertThatThrownBy(() -> see(() -> {
                    throw new IllegalStateException("a bug");
                }))
                .hasMessage("a bug");
        assertThat(numbers()).contains("{server=\"jira\",tool=\"search\",outcome=\"internal\"} 1\n");
        eventually("an event has arrived", () -> assertThat(told).isNotEmpty());
        assertThat(told.getFirst()).contains("mcp.tool.executed", "\"success\":false,\"category\":\"local\"");
    }

    @Test
    void call_to_an_unknown_server_is_counted_without_server_and_publishes_no_event() {
        eventLog.listen(event -> true, each -> told.add(each.json()));
        CallFailure unknown = CallFailure.policy(ErrorId.UNKNOWN_SERVER, "there is no such server");
        ObservedCall.make(watch, CallObserver.NO_SERVER, call(), () -> new Outcome.Failed(unknown));
        ObservedCall.make(watch, "jira", call(), () -> LATE);
        assertThat(numbers())
                .contains("fusebox_calls_total{server=\"\",tool=\"\",outcome=\"unknown_server\"} 1\n")
                .contains("fusebox_refused_total{server=\"\",reason=\"unknown_server\"} 1\n");
        eventually("an event has arrived", () -> assertThat(told).isNotEmpty());
        assertThat(told).hasSize(1).first().asString().contains("\"server\":\"jira\"");
    }
}
