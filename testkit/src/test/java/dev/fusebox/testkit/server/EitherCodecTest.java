package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which era a pipe speaks.
@Timeout(60)
class EitherCodecTest {
    @Test
    void the_first_request_chooses_the_stateless_era() throws Exception {
        try (Talk talk = new Talk(ServerScript.faultless())) {
            assertThat(talk.result(1, "tools/list", Stateless.params("")).string("resultType"))
                    .isEqualTo("complete");
            assertThat(Found.errorCode(talk.ask(2, "tools/list", "{}"))).isEqualTo(-32602);
        }
    }

    @Test
    void the_first_request_chooses_a_session() throws Exception {
        try (Talk talk = Talk.in("2025-11-25")) {
            assertThat(talk.result(1, "tools/list", "{}").member("resultType")).isNull();
            assertThat(talk.result(2, "tools/list", Stateless.params("")).member("resultType"))
                    .isNull();
            assertThat(Found.errorCode(talk.ask(3, "server/discover", Stateless.params(""))))
                    .isEqualTo(-32601);
        }
    }

    @Test
    void a_client_may_look_around_and_then_begin_a_session() throws Exception {
        try (Talk talk = new Talk(ServerScript.faultless())) {
            talk.result(1, "server/discover", Stateless.params(""));
            talk.say(ServerProcess.initializeWith("2025-06-18"));
            assertThat(Found.textAt(talk.hear(), "result", "protocolVersion")).isEqualTo("2025-06-18");
            assertThat(talk.result(2, "ping", "{}")).hasToString("{}");
        }
    }

    @Test
    void a_server_of_one_era_does_not_speak_the_other() throws Exception {
        try (Talk talk = Talk.stateless()) {
            talk.say(ServerProcess.initializeWith("2025-11-25"));
            assertThat(Found.textAt(talk.hear(), "error", "message")).contains("2026-07-28");
        }
        try (Talk talk = new Talk(ServerScript.faultless().withEra(Era.LEGACY))) {
            assertThat(Found.errorCode(talk.ask(1, "server/discover", Stateless.params(""))))
                    .isEqualTo(-32600);
        }
    }
}
