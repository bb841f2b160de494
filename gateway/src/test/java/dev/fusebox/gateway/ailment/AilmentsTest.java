package dev.fusebox.gateway.ailment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Obstacle;
import dev.fusebox.client.Reached;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Of what kind a failure is.
class AilmentsTest {
    private static Fault fault(FaultCode code, Evidence evidence) {
        return new Fault(code, Category.OTHER, Reached.UNKNOWN, "words that say 401 and ENOENT", evidence);
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
    void a_status_tells(int status, Ailment expected) {
        assertThat(Ailments.of(fault(FaultCode.HTTP_ERROR, Evidence.ofHttp(status, null))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(Obstacle.class)
    void every_obstacle_has_an_id_of_its_own(Obstacle obstacle) {
        Ailment ailment =
                Ailments.of(fault(FaultCode.CONNECT_FAILED, Evidence.NONE).by(obstacle));
        for (Obstacle other : Obstacle.values()) {
            assertThat(other == obstacle
                            || Ailments.of(fault(FaultCode.CONNECT_FAILED, Evidence.NONE)
                                            .by(other))
                                    != ailment)
                    .as(obstacle + " and " + other)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void every_code_has_an_id_without_evidence_and_no_text_is_read(FaultCode code) {
        assertThat(Ailments.of(fault(code, Evidence.NONE))).isNotNull();
    }

    @Test
    void a_signal_says_more_than_a_code() {
        assertThat(Ailments.of(fault(FaultCode.SERVER_CRASHED, Evidence.ofExit(137, "SIGKILL", List.of()))))
                .isEqualTo(Ailment.SERVER_KILLED);
        assertThat(Ailments.of(fault(FaultCode.SERVER_CRASHED, Evidence.ofExit(1, null, List.of()))))
                .isEqualTo(Ailment.SERVER_EXITED);
    }

    @Test
    void a_breaker_that_is_open_is_one_whatever_it_was_opened_for() {
        assertThat(Ailments.of(fault(FaultCode.BREAKER_OPEN, Evidence.ofHttp(500, null))))
                .isEqualTo(Ailment.BREAKER_OPEN);
    }
}
