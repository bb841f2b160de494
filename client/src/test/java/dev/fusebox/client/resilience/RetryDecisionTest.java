package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether a call is made again, and when.
class RetryDecisionTest {
    private final Platform platform = Platform.system();

    private RetryDecision retryDecision(boolean remote) {
        return new RetryDecision(platform, RetryRules.usual(remote));
    }

    private PipelineCall call(boolean repeatable, RetrySafety retrySafety, Duration time) {
        String frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tool\"}}";
        Message.Request request = Message.Request.of(frame.getBytes(StandardCharsets.UTF_8));
        Deadline deadline = new Deadline(time, Duration.ZERO, platform.ticker());
        PipelineCall.Kind kind = new PipelineCall.Kind("tool", repeatable, retrySafety);
        return new PipelineCall(new Call(request, deadline, Caller.SILENT), kind, this, made -> PipelineHarness.DONE);
    }

    private static Outcome failed(ErrorId id, FailureCategory category, Delivery delivery) {
        return new Outcome.Failed(new CallFailure(id, category, delivery, "failed", Evidence.NONE));
    }

    private static Outcome crashed(Evidence.Extent extent, Delivery delivery) {
        Evidence evidence = new Evidence(1, null, List.of(), null, null, extent, Evidence.NONE.context());
        return new Outcome.Failed(
                new CallFailure(ErrorId.SERVER_EXITED, FailureCategory.STDIO_EXIT, delivery, "crashed", evidence));
    }

    private @Nullable Duration pause(boolean remote, Outcome outcome, boolean repeatable, RetrySafety retrySafety) {
        return retryDecision(remote).pause(1, call(repeatable, retrySafety, Duration.ofSeconds(60)), outcome);
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECT_FAILED,     OFFLINE,   NOT_SENT, false, SAFE,   true",
        "CONNECT_FAILED,     OFFLINE,   NOT_SENT, false, NEVER,  false",
        "CONNECT_FAILED,     OFFLINE,   UNKNOWN,  false, SAFE,   false",
        "CONNECT_FAILED,     OFFLINE,   UNKNOWN,  true,  SAFE,   true",
        "CONNECT_FAILED,     OFFLINE,   UNKNOWN,  false, ALWAYS, true",
        "HTTP_ERROR,         HTTP,      REJECTED, false, SAFE,   false",
        "HTTP_ERROR,         HTTP,      REJECTED, true,  SAFE,   true",
        "HTTP_ERROR,         HTTP,      REJECTED, true,  NEVER,  false",
        "HTTP_ERROR,         HTTP,      REJECTED, false, ALWAYS, true",
        "HTTP_401,      AUTH,      REJECTED, true,  ALWAYS, false",
        "PROTOCOL_VIOLATION, OTHER,     UNKNOWN,  true,  ALWAYS, false",
        "PROTOCOL_VIOLATION, PROTOCOL,  REJECTED, true,  ALWAYS, false",
        "PROTOCOL_VIOLATION, PROTOCOL,  UNKNOWN,  true,  ALWAYS, false",
        "CANCELLED,          CANCELLED, NOT_SENT, true,  ALWAYS, false",
        "INVALID_ARGUMENTS,  POLICY,    NOT_SENT, true,  ALWAYS, false",
        "CONNECT_FAILED,     LOCAL,     NOT_SENT, false, SAFE,   true",
        "OVERLOADED,         LOCAL,     NOT_SENT, true,  ALWAYS, false"
    })
    void a_call_over_a_network_is_tried_again_only_where_that_may_help_and_cannot_harm(
            ErrorId id,
            FailureCategory category,
            Delivery delivery,
            boolean repeatable,
            RetrySafety retrySafety,
            boolean again) {
        Duration pause = pause(true, failed(id, category, delivery), repeatable, retrySafety);

        assertThat(pause != null).isEqualTo(again);
    }

    @Test
    void waits_grow_and_are_shortened_by_chance_to_a_half_at_most() {
        PipelineCall call = call(false, RetrySafety.SAFE, Duration.ofSeconds(60));
        Outcome refused = failed(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT);
        for (int i = 0; i < 50; i++) {
            RetryDecision retryDecision = retryDecision(true);
            assertThat(Objects.requireNonNull(retryDecision.pause(1, call, refused)))
                    .isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
            assertThat(Objects.requireNonNull(retryDecision.pause(2, call, refused)))
                    .isBetween(Duration.ofMillis(500), Duration.ofMillis(1000));
            assertThat(retryDecision.pause(3, call, refused)).isNull();
        }
    }

    @Test
    void there_is_no_retry_that_would_outlast_the_call() {
        PipelineCall call = call(false, RetrySafety.SAFE, Duration.ofMillis(200));
        Outcome refused = failed(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT);

        assertThat(retryDecision(true).pause(1, call, refused)).isNull();
    }

    @Test
    void the_budget_is_for_all_calls_together() {
        RetryDecision retryDecision = retryDecision(true);
        PipelineCall call = call(false, RetrySafety.SAFE, Duration.ofSeconds(60));
        Outcome refused = failed(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT);
        int granted = 0;
        for (int i = 0; i < 200; i++) {
            retryDecision.called();
            granted += retryDecision.pause(1, call, refused) == null ? 0 : 1;
        }
        // Ten to begin with, twenty for two hundred calls, and one a second.
        assertThat(granted).isBetween(29, 45);
    }

    // ---- Processes

    @Test
    void a_process_is_tried_once_more_at_once() {
        RetryDecision retryDecision = retryDecision(false);
        PipelineCall reading = call(true, RetrySafety.SAFE, Duration.ofSeconds(60));
        Outcome crash = crashed(Evidence.Extent.CONNECTION, Delivery.UNKNOWN);

        assertThat(retryDecision.pause(1, reading, crash)).isEqualTo(Duration.ZERO);
        assertThat(retryDecision.pause(2, reading, crash)).isNull();
    }

    @Test
    void a_process_that_could_not_be_started_is_not_started_again_for_the_same_call() {
        Outcome dead = crashed(Evidence.Extent.CONNECTING, Delivery.NOT_SENT);

        assertThat(pause(false, dead, true, RetrySafety.SAFE)).isNull();
    }

    @Test
    void what_may_have_run_in_a_process_is_tried_again_only_for_vital_servers_and_those_that_have_held() {
        Outcome crash = crashed(Evidence.Extent.CONNECTION, Delivery.UNKNOWN);
        PipelineCall writing = call(false, RetrySafety.ALWAYS, Duration.ofSeconds(60));
        RetryDecision fragile = retryDecision(false);
        fragile.started();
        assertThat(fragile.pause(1, writing, crash)).isNotNull();
        fragile.started();
        assertThat(fragile.pause(1, writing, crash)).isNull();

        RetryDecision vital =
                new RetryDecision(platform, RetryRules.usual(false).forVital(true));
        vital.started();
        vital.started();
        assertThat(vital.pause(1, writing, crash)).isNotNull();
    }
}
