package dev.fusebox.gateway.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Rejection;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The responses that clients get for failed calls.
class FailureFramesTest {
    private static String told(String method, CallFailure failure) {
        byte[] frame = JsonRpcFrames.request(RequestId.of("1"), method, "{\"name\":\"work\"}");
        return new String(FailureFrames.of(Message.Request.of(frame), "shop", failure), UTF_8);
    }

    @Test
    void error_names_a_tool_only_for_tool_calls() {
        CallFailure failure = CallFailure.timeout("too slow");
        assertThat(told("tools/call", failure)).contains("\"tool\":\"work\"");
        assertThat(told("prompts/get", failure)).contains("\"fusebox/error\"").doesNotContain("\"tool\"");
    }

    @Test
    void only_modern_results_state_that_they_are_complete() {
        CallFailure failure = CallFailure.timeout("too slow");
        Message.Request request =
                Message.Request.of(JsonRpcFrames.request(RequestId.of("1"), "tools/call", "{\"name\":\"work\"}"));
        assertThat(new String(FailureFrames.stateless(request, "shop", failure), UTF_8))
                .contains("\"resultType\":\"complete\"");
        assertThat(told("tools/call", failure)).contains("\"isError\":true").doesNotContain("resultType");
    }

    @Test
    void schema_follows_the_sentence_in_the_text_and_is_a_member_of_the_error_object() {
        CallFailure failure = CallFailure.wrongArguments("/n is no number.", "{\"type\":\"object\"}");
        assertThat(told("tools/call", failure))
                .contains("\"text\":\"/n is no number. Its schema: {\\\"type\\\":\\\"object\\\"}\"")
                .contains("\"message\":\"/n is no number.\",\"inputSchema\":{\"type\":\"object\"}");
    }

    private static JsonView structured(CallFailure failure, ResultFormat form) throws Exception {
        byte[] request = JsonRpcFrames.request(RequestId.of("1"), "tools/call", "{\"name\":\"mcp_call\"}");
        byte[] answer = FailureFrames.structured(Message.Request.of(request), failure, form);
        return Objects.requireNonNull(JsonView.parse(answer).member("result"));
    }

    @Test
    void gateway_tool_failure_is_one_sentence_and_older_sessions_get_the_object_as_second_text() throws Exception {
        CallFailure failure = new CallFailure(
                        ErrorId.SERVER_EXITED,
                        FailureCategory.STDIO_EXIT,
                        Delivery.NOT_SENT,
                        "shop exited with code 3",
                        Evidence.NONE)
                .at("shop", "sell", List.of(new Evidence.Alternative("kiosk", "sell")));
        String sentence = "shop exited with code 3; the call was not sent. Use kiosk/sell instead.";
        for (ResultFormat form : ResultFormat.values()) {
            JsonView result = structured(failure, form);
            List<JsonView> texts =
                    Objects.requireNonNull(result.member("content")).elements();
            String object =
                    Objects.requireNonNull(result.member("structuredContent")).json();
            assertThat(texts.getFirst().string("text")).isEqualTo(sentence);
            assertThat(texts.stream().skip(1).map(text -> text.string("text")))
                    .containsExactlyElementsOf(form == ResultFormat.TEXT_ONLY ? List.of(object) : List.of());
            assertThat(result.path("structuredContent", "error")).isEqualTo(result.path("_meta", "fusebox/error"));
            assertThat(result.string("resultType")).isEqualTo(form == ResultFormat.STATELESS ? "complete" : null);
        }
        assertThat(told("tools/call", failure))
                .contains("\"text\":\"" + sentence + "\"")
                .doesNotContain("structured");
    }

    @Test
    void no_alternative_is_named_when_the_call_may_have_been_executed() {
        CallFailure failure = new CallFailure(
                        ErrorId.SERVER_EXITED,
                        FailureCategory.STDIO_EXIT,
                        Delivery.UNKNOWN,
                        "shop exited",
                        Evidence.NONE)
                .at("shop", "sell", List.of(new Evidence.Alternative("kiosk", "sell")));
        assertThat(FailureFrames.sentence(failure)).isEqualTo("shop exited; the call may have been executed");
    }

    @Test
    void sentence_states_whether_the_call_was_sent_and_when_to_retry() {
        CallFailure busy = new CallFailure(
                ErrorId.HTTP_ERROR,
                FailureCategory.HTTP,
                Delivery.REJECTED,
                "HTTP 503",
                Evidence.ofHttp(503, Duration.ofMillis(1_500)));
        assertThat(FailureFrames.sentence(busy)).isEqualTo("HTTP 503; the server rejected the call, try again in 2 s");
        assertThat(FailureFrames.sentence(CallFailure.notSent(ErrorId.CONNECT_FAILED, "no such host")))
                .isEqualTo("no such host; the call was not sent");
        assertThat(FailureFrames.sentence(CallFailure.notReady(ErrorId.CALL_TIMEOUT, "shop is still starting")))
                .isEqualTo("shop is still starting; the call was not sent, try again in 1 s");
    }

    @Test
    void sentence_about_a_lost_connection_states_whether_the_call_may_have_been_executed() {
        assertThat(FailureFrames.sentence(CallFailure.of(ErrorId.CONNECTION_LOST, "shop closed the connection")))
                .isEqualTo("shop closed the connection; the call may have been executed");
        assertThat(FailureFrames.sentence(CallFailure.notSent(ErrorId.CONNECTION_LOST, "shop closed the connection")))
                .isEqualTo("shop closed the connection; the call was not sent");
    }

    @Test
    void oversized_schema_is_cut_and_included_as_text() {
        CallFailure failure =
                CallFailure.wrongArguments("/n is no number.", "{\"title\":\"" + "x".repeat(5_000) + "\"}");
        assertThat(told("tools/call", failure)).contains("xxx...\"").contains("\"inputSchema\":\"{\\\"title");
    }

    @Test
    void lost_session_is_reported_as_http_error() {
        CallFailure failure = new CallFailure(
                ErrorId.SESSION_LOST, FailureCategory.HTTP, Delivery.REJECTED, "lost", Evidence.ofHttp(404, null));
        assertThat(told("tools/call", failure))
                .contains("\"code\":\"http_error\"")
                .doesNotContain("session_lost");
    }

    @Test
    void abandoned_tool_is_offline_and_without_retry_time_if_an_operator_opened_its_breaker() {
        CircuitBreaker breaker =
                CircuitBreaker.of(BreakerName.of("shop").tool("work").toString());
        breaker.forceOpen("closed today");
        CallFailure refused = CallFailure.refused((Rejection) breaker.tryAcquire());
        CallFailure ofTool = new CallFailure(
                ErrorId.TOOL_BREAKER_OPEN,
                FailureCategory.OTHER,
                Delivery.NOT_SENT,
                refused.message(),
                refused.evidence());
        assertThat(told("tools/call", ofTool))
                .contains("\"category\":\"offline\"", "\"retryAfterMs\":null", "\"state\":\"forced-open\"");
    }
}
