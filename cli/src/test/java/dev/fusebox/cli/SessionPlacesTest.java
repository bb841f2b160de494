package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Sessions over HTTP before a server that is passed through unchanged, or that each of them has for itself.
@Tag("process")
@Timeout(120)
class SessionPlacesTest {
    private static final String OLD =
            Configured.process(ServerScript.faultless().withEra(Era.LEGACY));

    private static String call(String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}";
    }

    private static String said(Configured gateway, String session, String tool, String arguments) {
        JsonView answer =
                gateway.post(call(tool, arguments), "Mcp-Session-Id", session).json();
        JsonView content = Objects.requireNonNull(answer.path("result", "content"));
        return Objects.requireNonNull(content.elements().getFirst().string("text"));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void transparent_sessions_keep_processes(Era era) {
        String server = Configured.process(ServerScript.faultless().withEra(era));
        try (Configured gateway = Configured.asItIs(server, ",\"pool\":{\"poolSize\":3}")) {
            List<String> sessions = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sessions.add(gateway.hello());
            }
            for (int round = 1; round <= 5; round++) {
                for (String session : sessions) {
                    said(gateway, session, "echo", "{}");
                }
            }
            for (String session : sessions) {
                assertThat(said(gateway, session, "count", "{\"tool\":\"echo\"}"))
                        .isEqualTo("5");
            }
            assertThat(gateway.processes()).isEqualTo(3);
        }
    }

    @Test
    void transparent_session_beyond_limit_is_rejected_with_setting() {
        try (Configured gateway = Configured.asItIs(OLD, ",\"pool\":{\"poolSize\":1}")) {
            String first = gateway.hello();
            said(gateway, first, "echo", "{}");
            JsonView refused = gateway.initialize().json();
            assertThat(Objects.requireNonNull(refused.path("error", "message")).string())
                    .contains("all 1 connections (pool.poolSize)");
            JsonView error = Objects.requireNonNull(refused.path("error", "data", "fusebox/error"));
            assertThat(error.string("code")).isEqualTo("overloaded");
            assertThat(error.string("outcome")).isEqualTo("not_sent");
            assertThat(said(gateway, first, "count", "{\"tool\":\"echo\"}")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void transparent_session_is_notified_once_of_crash(Era era) {
        String server = Configured.process(ServerScript.faultless().withEra(era));
        try (Configured gateway = Configured.asItIs(server, "")) {
            String session = gateway.hello();
            said(gateway, session, "echo", "{}");
            gateway.post(call("crash", "{}"), "Mcp-Session-Id", session);
            JsonView told = answer(gateway, session).path("result", "_meta", "fusebox/restarted", "reason");
            assertThat(Objects.requireNonNull(told).string()).isEqualTo("crashed");
            assertThat(answer(gateway, session).path("result", "_meta", "fusebox/restarted"))
                    .isNull();
        }
    }

    private static JsonView answer(Configured gateway, String session) {
        return gateway.post(call("echo", "{}"), "Mcp-Session-Id", session).json();
    }

    @ParameterizedTest
    @CsvSource({"60,0", "600000,1"})
    @Shows("lifecycle.idleTimeoutMs")
    void idle_session_process_is_stopped(long millis, int left) {
        String lifecycle = ",\"isolation\":\"session\",\"lifecycle\":{\"idleTimeoutMs\":" + millis + "}";
        try (Configured gateway = Configured.of(OLD + lifecycle, ",\"pool\":{\"idleTimeoutMs\":50}")) {
            assertThat(said(gateway, gateway.hello(), "one__echo", "{\"text\":\"here\"}"))
                    .isEqualTo("here");
            if (left == 0) {
                eventually("the process has ended", () -> gateway.processes() == 0);
            } else {
                eventually("the one that found out the era has ended", () -> gateway.processes() == 1);
                throughout("the process is there", Duration.ofSeconds(2), () -> gateway.processes() == 1);
            }
        }
    }
}
