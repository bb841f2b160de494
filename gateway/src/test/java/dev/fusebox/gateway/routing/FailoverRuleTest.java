package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailoverRuleTest {
    @ParameterizedTest
    @CsvSource({
        "BREAKER_OPEN, OFFLINE, NOT_SENT, yes, yes",
        "CONNECT_FAILED, OFFLINE, NOT_SENT, yes, yes",
        "SERVER_EXITED, STDIO_EXIT, UNKNOWN, no, yes",
        "CALL_TIMEOUT, OFFLINE, UNKNOWN, no, yes",
        "HTTP_ERROR, HTTP, REJECTED, no, yes",
        "HTTP_401, AUTH, NOT_SENT, yes, yes",
        "OVERLOADED, LOCAL, NOT_SENT, yes, yes",
        "PERMANENTLY_FAILED, POLICY, NOT_SENT, yes, yes",
        "INVALID_ARGUMENTS, POLICY, NOT_SENT, no, no",
        "TOOL_BLOCKED, POLICY, NOT_SENT, no, no",
        "PROTOCOL_VIOLATION, PROTOCOL, UNKNOWN, no, no",
        "CANCELLED, CANCELLED, NOT_SENT, no, no",
        "CANCELLED, LOCAL, NOT_SENT, no, no",
        "INTERNAL, LOCAL, NOT_SENT, no, no"
    })
    void what_never_ran_goes_to_another_server_and_what_may_have_run_only_if_that_is_safe(
            ErrorId id, FailureCategory category, Delivery delivery, String unsafe, String safe) {
        CallFailure failure = new CallFailure(id, category, delivery, "it failed", Evidence.NONE);
        assertThat(FailoverRule.isAllowed(failure, false)).isEqualTo(unsafe.equals("yes"));
        assertThat(FailoverRule.isAllowed(failure, true)).isEqualTo(safe.equals("yes"));
    }
}
