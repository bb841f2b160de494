package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What a failed call says about its server, by type and never by text.
class FailureAttributionTest {
    @ParameterizedTest
    @CsvSource({
        "AUTH,          HTTP_401,      REJECTED, NEITHER",
        "OFFLINE,       CONNECT_FAILED,     NOT_SENT, SERVER",
        "OFFLINE,       CONNECT_FAILED,     UNKNOWN,  SERVER",
        "OFFLINE,       CALL_TIMEOUT,            NOT_SENT, SERVER",
        "OFFLINE,       CALL_TIMEOUT,            UNKNOWN,  SILENCE",
        "HTTP,          HTTP_ERROR,         REJECTED, SERVER",
        "HTTP,          HTTP_ERROR,         UNKNOWN,  SERVER",
        "STDIO_EXIT,    SERVER_EXITED,     UNKNOWN,  SERVER",
        "OTHER,         PROTOCOL_VIOLATION, UNKNOWN,  SERVER",
        "PROTOCOL,      PROTOCOL_VIOLATION, REJECTED, SUCCESS",
        "PROTOCOL,      PROTOCOL_VIOLATION, UNKNOWN,  SUCCESS",
        "LOCAL,         OVERLOADED,         REJECTED, NEITHER",
        "LOCAL,         CALL_TIMEOUT,            NOT_SENT, NEITHER",
        "CANCELLED,     CANCELLED,          NOT_SENT, NEITHER",
        "CANCELLED,     CANCELLED,          UNKNOWN,  SILENCE",
        "POLICY,        INVALID_ARGUMENTS,  NOT_SENT, NEITHER"
    })
    void each_kind_of_failure_has_its_meaning(
            FailureCategory category, ErrorId id, Delivery delivery, FailureAttribution failureAttribution) {
        CallFailure failure = new CallFailure(id, category, delivery, "401 ECONNREFUSED timed out", Evidence.NONE);

        assertThat(FailureAttribution.of(failure)).isEqualTo(failureAttribution);
    }

    @ParameterizedTest
    @EnumSource
    void what_counts_for_a_connection_is_what_counts_for_a_call(FailureCategory category) {
        CallFailure failure = new CallFailure(ErrorId.INTERNAL, category, Delivery.NOT_SENT, "x", Evidence.NONE);

        assertThat(FailureAttribution.isServers(category))
                .isEqualTo(FailureAttribution.of(failure) == FailureAttribution.SERVER);
    }
}
