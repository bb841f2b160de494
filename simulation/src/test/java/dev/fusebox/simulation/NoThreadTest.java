package dev.fusebox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.client.resilience.TimeoutArbiter;
import dev.fusebox.gateway.era.DetectedEndpoint;
import dev.fusebox.gateway.observe.Event;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of operations that were started when no thread could be created: they fail at once and do not affect
/// later operations.
@Timeout(60)
class NoThreadTest {
    private static final Platform PLATFORM = Platform.system();
    private static final Duration LONG = Duration.ofHours(1);
    private static final CallFailure NOBODY = CallFailure.notSent(ErrorId.CONNECT_FAILED, "connection refused");
    private static final Connector EMPTY = serverMessageHandler -> new Connector.Opened.Refused(NOBODY);
    private static final Outcome SILENT = new Outcome.Failed(new CallFailure(
            ErrorId.CALL_TIMEOUT, FailureCategory.OFFLINE, Delivery.UNKNOWN, "no answer", Evidence.NONE));
    private static final Outcome DONE =
            new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(RequestId.of("one"), "{}")));

    private final ThreadStarts starts = new ThreadStarts();

    /// A call that waits for its hour is ended by the time limit of the test.
    private static Call call(Message.Request request) {
        return new Call(request, new Deadline(LONG, Duration.ZERO, PLATFORM.ticker()), Caller.SILENT);
    }

    private static Call call() {
        return call(Message.Request.of(JsonRpcFrames.request(RequestId.of("one"), "tools/list", null)));
    }

    private static ErrorCode code(Outcome outcome) {
        return ((Outcome.Failed) outcome).failure().code();
    }

    @Test
    void connect_without_a_thread_is_retried_by_the_next_call() throws Exception {
        ReconnectingConnection connection =
                new ReconnectingConnection(PLATFORM, EMPTY, ServerMessageHandler.NONE, LONG);
        starts.run(() -> {
            starts.refuse(true);
            assertThat(code(connection.call(call()))).isEqualTo(ErrorCode.INTERNAL);
            starts.refuse(false);
            assertThat(code(connection.call(call()))).isEqualTo(ErrorCode.CONNECT_FAILED);
        });
    }

    @Test
    void era_detection_without_a_thread_is_retried_by_the_next_call() throws Exception {
        FrontTarget frontTarget = FrontTarget.of(SessionSettings.of("one"), EMPTY);
        DetectedEndpoint target = new DetectedEndpoint(PLATFORM, frontTarget, SecretIds.system());
        ClientMetadata client = Objects.requireNonNull(ClientMetadata.of(DetectedEndpoint.question()));
        starts.run(() -> {
            starts.refuse(true);
            assertThat(code(target.call(call(DetectedEndpoint.question()).of(client))))
                    .isEqualTo(ErrorCode.INTERNAL);
            starts.refuse(false);
            assertThat(code(target.call(call(DetectedEndpoint.question()).of(client))))
                    .isEqualTo(ErrorCode.CONNECT_FAILED);
        });
    }

    @Test
    void timeout_without_a_thread_for_the_ping_counts_as_no_failure() throws Exception {
        Breakers breakers = Breakers.settings().build();
        CallPipeline pipeline = new CallPipeline(PLATFORM, PipelineRules.of("one", false), breakers);
        TimeoutArbiter arbiter = pipeline.arbiter(new Mute());
        starts.run(() -> {
            starts.refuse(true);
            assertThat(code(pipeline.call(made(SILENT), arbiter))).isEqualTo(ErrorCode.TIMEOUT);
            starts.refuse(false);
            assertThat(pipeline.call(made(DONE), arbiter)).isEqualTo(DONE);
        });
        assertThat(breakers.breaker(BreakerName.of("one")).snapshot().failureCount())
                .isZero();
    }

    @Test
    void event_without_a_thread_is_delivered_with_the_next_one() throws Exception {
        EventLog eventLog = new EventLog(PLATFORM.wallClock());
        BlockingQueue<Event> heard = new LinkedBlockingQueue<>();
        Event first = new Rang("one");
        Event second = new Rang("two");
        eventLog.listen(any -> true, told -> heard.add(told.event()));
        starts.run(() -> {
            starts.refuse(true);
            eventLog.publish(first);
            starts.refuse(false);
            eventLog.publish(second);
        });
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(first);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(second);
    }

    private record Rang(String type) implements Event {
        @Override
        public @Nullable String server() {
            return null;
        }

        @Override
        public void describe(JsonWriter into) {
            // There are no details.
        }
    }

    private static PipelineCall made(Outcome outcome) {
        return new PipelineCall(
                call(), new PipelineCall.Kind("tool", false, RetrySafety.SAFE), "client", attempt -> outcome);
    }

    /// A server that sends nothing by itself.
    private record Mute() implements Liveness {
        @Override
        public HealthCheckResult checkHealth(long since, Duration limit) {
            return HealthCheckResult.ALIVE;
        }

        @Override
        public boolean hasReceivedSince(long then) {
            return false;
        }

        @Override
        public void disconnect() {
            // There is no connection.
        }
    }
}
