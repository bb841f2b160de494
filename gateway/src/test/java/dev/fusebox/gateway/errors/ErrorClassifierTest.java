package dev.fusebox.gateway.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The mapping from failures to error ids.
class ErrorClassifierTest {
    private static CallFailure failure(ErrorCode code, Evidence evidence) {
        return new CallFailure(
                code, FailureCategory.OTHER, Delivery.UNKNOWN, "words that say 401 and ENOENT", evidence);
    }

    @ParameterizedTest
    @CsvSource({
        "401, HTTP_401",
        "403, HTTP_403",
        "404, HTTP_404",
        "405, HTTP_405",
        "406, HTTP_406",
        "429, HTTP_429",
        "302, HTTP_REDIRECT",
        "500, HTTP_5XX",
        "503, HTTP_5XX",
        "418, HTTP_ERROR"
    })
    void http_status_determines_the_id(int status, ErrorId expected) {
        assertThat(ErrorClassifier.of(failure(ErrorCode.HTTP_ERROR, Evidence.ofHttp(status, null))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(FailureCause.class)
    void every_cause_has_its_own_id(FailureCause cause) {
        ErrorId errorId = ErrorClassifier.of(
                failure(ErrorCode.CONNECT_FAILED, Evidence.NONE).by(cause));
        for (FailureCause other : FailureCause.values()) {
            assertThat(other == cause
                            || ErrorClassifier.of(failure(ErrorCode.CONNECT_FAILED, Evidence.NONE)
                                            .by(other))
                                    != errorId)
                    .as(cause + " and " + other)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void every_code_has_an_id_without_evidence_and_the_message_is_ignored(ErrorCode code) {
        assertThat(ErrorClassifier.of(failure(code, Evidence.NONE))).isNotNull();
    }

    @Test
    void signal_takes_precedence_over_exit_code() {
        assertThat(ErrorClassifier.of(failure(ErrorCode.SERVER_CRASHED, Evidence.ofExit(137, "SIGKILL", List.of()))))
                .isEqualTo(ErrorId.SERVER_KILLED);
        assertThat(ErrorClassifier.of(failure(ErrorCode.SERVER_CRASHED, Evidence.ofExit(1, null, List.of()))))
                .isEqualTo(ErrorId.SERVER_EXITED);
    }

    @Test
    void open_breaker_has_its_own_id_whatever_tripped_it() {
        assertThat(ErrorClassifier.of(failure(ErrorCode.BREAKER_OPEN, Evidence.ofHttp(500, null))))
                .isEqualTo(ErrorId.BREAKER_OPEN);
    }
}
