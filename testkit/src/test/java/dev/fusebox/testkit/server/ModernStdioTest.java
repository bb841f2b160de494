package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The stateless era over standard input and output, with real processes.
@Tag("process")
@Timeout(60)
class ModernStdioTest {
    private static final String LISTEN = Stateless.params(",\"notifications\":{\"toolsListChanged\":true}");

    @Test
    void requests_stand_for_themselves() throws Exception {
        try (ServerProcess process = ServerProcess.start(ServerScript.faultless())) {
            process.request(1, "server/discover", Stateless.params(""));
            assertThat(Found.at(process.out().answerTo(1), "result", "supportedVersions")
                            .json())
                    .contains("2026-07-28", "2025-11-25");
            process.request(2, "tools/call", Stateless.params(Stateless.tool("echo", "{\"text\":\"hello\"}")));
            assertThat(process.textOf(2)).isEqualTo("hello");
            process.request(3, "ping", Stateless.params(""));
            assertThat(Found.errorCode(process.out().answerTo(3))).isEqualTo(-32601);
        }
    }

    @Test
    void a_question_is_answered_by_calling_again_even_another_process() throws Exception {
        String tool = Stateless.tool("test_input_required_result_request_state", "{}");
        String again;
        try (ServerProcess process = ServerProcess.start(ServerScript.faultless())) {
            process.request(1, "tools/call", Stateless.params(tool));
            JsonView result = Found.at(process.out().answerTo(1), "result");
            assertThat(result.string("resultType")).isEqualTo("input_required");
            again = ",\"requestState\":\"" + result.string("requestState")
                    + "\",\"inputResponses\":{\"confirm\":{\"action\":\"accept\"}}";
        }
        try (ServerProcess process = ServerProcess.start(ServerScript.faultless())) {
            process.request(2, "tools/call", Stateless.params(tool + again));
            assertThat(process.textOf(2)).isEqualTo("state-ok");
        }
    }

    @Test
    void calls_and_subscriptions_are_cancelled_by_notification() throws Exception {
        try (ServerProcess process = ServerProcess.start(ServerScript.faultless())) {
            process.request(1, "subscriptions/listen", LISTEN);
            assertThat(process.out().next()).contains("notifications/subscriptions/acknowledged");
            process.request(2, "tools/call", Stateless.params(Stateless.tool("slow", "{\"ms\":60000}")));
            process.cancel(1);
            process.cancel(2);
            process.request(3, "tools/call", Stateless.params(Stateless.tool("test_trigger_tool_change", "{}")));
            assertThat(Found.at(process.out().nextMessage(), "id")).hasToString("3");
        }
    }

    @Test
    void a_subscription_ends_with_the_input() throws Exception {
        try (ServerProcess process = ServerProcess.start(ServerScript.faultless())) {
            process.request(1, "subscriptions/listen", LISTEN);
            assertThat(process.out().next()).contains("notifications/subscriptions/acknowledged");
            process.in().close();
            assertThat(Found.at(process.out().answerTo(1), "result", "resultType")
                            .string())
                    .isEqualTo("complete");
            assertThat(process.exitCode()).isZero();
        }
    }

    @Test
    void a_look_around_does_not_keep_a_client_from_a_session() throws Exception {
        try (ServerProcess process = ServerProcess.start(ServerScript.faultless())) {
            process.request(7, "server/discover", Stateless.params(""));
            assertThat(process.out().answerTo(7).member("result")).isNotNull();
            process.initialize();
            process.assertWorks(1);
        }
    }

    @Test
    void a_server_that_knows_sessions_only_may_refuse_a_look_around_or_say_nothing_or_die() throws Exception {
        try (ServerProcess process =
                ServerProcess.start(ServerScript.faultless().withEra(Era.LEGACY))) {
            process.request(7, "server/discover", Stateless.params(""));
            assertThat(Found.errorCode(process.out().answerTo(7))).isEqualTo(-32600);
            process.initialize();
        }
        try (ServerProcess process =
                ServerProcess.start(ServerScript.faultless().withEra(Era.LEGACY).with(FaultKind.HANG_ON_DISCOVER))) {
            process.request(7, "server/discover", Stateless.params(""));
            process.assertSilentBefore(8);
            process.initialize();
        }
        try (ServerProcess process = ServerProcess.start(
                ServerScript.faultless().with(ScriptedFault.of(FaultKind.EXIT_ON_EARLY_REQUEST, 3)))) {
            process.request(7, "server/discover", Stateless.params(""));
            assertThat(process.exitCode()).isEqualTo(3);
            process.out().assertEnd();
        }
    }

    @Test
    void a_server_of_the_stateless_era_alone_refuses_sessions_and_says_what_it_speaks() throws Exception {
        try (ServerProcess process =
                ServerProcess.start(ServerScript.faultless().withEra(Era.MODERN))) {
            process.send(ServerProcess.initializeWith("2025-11-25"));
            assertThat(Found.textAt(process.out().answerTo(0), "error", "message"))
                    .contains("2026-07-28");
        }
    }
}
