package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F96: the gateway is stopped for longer than its calls may take, as in a laptop that is closed.
///
/// Over five seconds: nothing shorter is longer than a call may take.
@Timeout(120)
class StandstillProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void a_gateway_that_stood_still_takes_what_came_meanwhile_and_blames_nobody_for_what_did_not() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "idle")) {
            gateway.within(LIMIT)
                    .server("late", "1")
                    .server("never", "1")
                    .with(",\"http\":{\"port\":0},\"breaker\":{\"failureThreshold\":1},"
                            + "\"toolBreaker\":{\"timeoutThreshold\":1,\"minimumCalls\":1}")
                    .save();
            assertThat(gateway.isSaid("added late, never")).isTrue();
            String late = gateway.call("late", "who");
            String never = gateway.call("never", "who");
            FutureTask<String> answered = gateway.calling("late", "slow");
            FutureTask<JsonView> unanswered = new FutureTask<>(() ->
                    gateway.ask("tools/call", ",\"name\":\"never__hang\",\"arguments\":{}", "Mcp-Name", "never__hang"));
            Thread.ofVirtual().start(unanswered);
            assertThat(Configured.isSoon(() -> Files.exists(gateway.sign("late", "slow"))))
                    .isTrue();
            gateway.signal("STOP");
            Configured.rest(LIMIT.plusSeconds(4));
            gateway.signal("CONT");
            assertThat(answered.get()).isEqualTo(late);
            JsonView error = Objects.requireNonNull(unanswered.get().path("result", "_meta", "fusebox/error"));
            assertThat(error.json())
                    .contains("\"code\":\"timeout\"", "\"category\":\"local\"", "\"outcome\":\"unknown\"")
                    .contains("stood still");
            assertThat(gateway.call("late", "who")).isEqualTo(late);
            assertThat(gateway.call("never", "who")).isEqualTo(never);
            assertThat(gateway.errorText()).doesNotContain("-> open");
        }
    }
}
