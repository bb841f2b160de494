package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F96: the gateway is stopped for longer than its calls may take, as in a laptop that is closed.
///
/// Over five seconds: nothing shorter is longer than a call may take.
@Tag("process")
@Timeout(120)
class StandstillProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /// Breakers that open at the first failure that counts.
    private static final String AT_ONCE = ",\"http\":{\"port\":0},\"breaker\":{\"failureThreshold\":1},"
            + "\"toolBreaker\":{\"timeoutThreshold\":1,\"minimumCalls\":1}";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void resumed_gateway_accepts_late_responses_and_blames_no_server() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "idle")) {
            gateway.within(LIMIT)
                    .server("late", "1")
                    .server("never", "1")
                    .with(AT_ONCE)
                    .save();
            gateway.eventuallySays("added late, never");
            String late = gateway.call("late", "who");
            String never = gateway.call("never", "who");
            FutureTask<String> answered = gateway.calling("late", "held");
            FutureTask<JsonView> unanswered = begun(() -> gateway.answer("never", "hang"));
            eventually(
                    "server late has begun held",
                    () -> assertThat(gateway.sign("late", "held")).exists());
            // A call that reaches the gateway only when it runs again has all its time, and times out by the
            // server.
            eventually(
                    "server never has begun hang",
                    () -> assertThat(gateway.sign("never", "hang")).exists());
            gateway.signal("STOP");
            Files.writeString(gateway.sign("late", "go"), "0");
            throughout("the stopped gateway answers nothing", LIMIT.plusSeconds(4), () -> !answered.isDone());
            gateway.signal("CONT");
            assertThat(answered.get()).isEqualTo(late);
            assertIsOurs(unanswered.get());
            assertThat(gateway.call("late", "who")).isEqualTo(late);
            assertThat(gateway.call("never", "who")).isEqualTo(never);
            assertThat(gateway.errorText()).doesNotContain("-> open");
        }
    }

    /// Stops it nine tenths of the time, until the other ends or is ended.
    private static Process throttle(Process gateway) throws IOException {
        String often = "while kill -STOP $0; do sleep 0.09; kill -CONT $0 || exit; sleep 0.01; done";
        return new ProcessBuilder("sh", "-c", often, "" + gateway.pid()).start();
    }

    @Test
    void slow_processor_blames_no_server() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "idle")) {
            gateway.within(LIMIT.multipliedBy(6))
                    .server("a", "1")
                    .server("b", "1")
                    .with(AT_ONCE)
                    .save();
            gateway.eventuallySays("added a, b");
            String a = gateway.call("a", "who");
            Process throttle = throttle(gateway.process());
            try {
                // The first starts a server.
                assertThat(gateway.call("b", "who")).startsWith("1 ");
                for (int i = 0; i < 10; i++) {
                    assertThat(gateway.call("a", "who")).isEqualTo(a);
                }
                assertThat(throttle.isAlive()).isTrue();
            } finally {
                throttle.destroyForcibly().onExit().join();
                gateway.signal("CONT");
            }
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.errorText()).doesNotContain("-> open", "crashed");
        }
    }

    private static FutureTask<JsonView> begun(Callable<JsonView> what) {
        FutureTask<JsonView> task = new FutureTask<>(what);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static FixtureServer far(Era era) throws IOException {
        return FixtureServer.start(ServerScript.faultless().withEra(era));
    }

    private static String asked(RunningGateway gateway, String server) {
        return RunningGateway.said(gateway.answer(server, "count", "{\"tool\":\"slow\"}"));
    }

    @Test
    void resumed_gateway_accepts_remote_responses_without_retries() throws Exception {
        List<String> servers = List.of("old", "new");
        List<FutureTask<JsonView>> answered = new ArrayList<>();
        List<FutureTask<JsonView>> unanswered = new ArrayList<>();
        try (FixtureServer legacy = far(Era.LEGACY);
                FixtureServer modern = far(Era.MODERN);
                RunningGateway gateway = RunningGateway.before(folder, "idle")) {
            gateway.within(LIMIT)
                    .remote("old", legacy.uri())
                    .remote("new", modern.uri())
                    .with(AT_ONCE)
                    .save();
            gateway.eventuallySays("added old, new");
            for (String server : servers) {
                assertThat(asked(gateway, server)).isEqualTo("0");
                answered.add(begun(() -> gateway.answer(server, "slow", "{\"ms\":4500}")));
                unanswered.add(begun(() -> gateway.answer(server, "slow", "{\"ms\":60000}")));
                eventually(
                        "the server is asked a second time",
                        () -> assertThat(asked(gateway, server)).isEqualTo("2"));
            }
            gateway.signal("STOP");
            throughout(
                    "the stopped gateway answers nothing",
                    LIMIT.plusSeconds(4),
                    () -> answered.stream().noneMatch(FutureTask::isDone));
            gateway.signal("CONT");
            for (int i = 0; i < servers.size(); i++) {
                assertThat(RunningGateway.said(answered.get(i).get())).isEqualTo("waited 4500 ms");
                assertIsOurs(unanswered.get(i).get());
                // It only reads, and might be asked again; but the time of its call is over.
                assertThat(asked(gateway, servers.get(i))).isEqualTo("2");
            }
            assertThat(gateway.errorText()).doesNotContain("-> open");
        }
    }

    private static void assertIsOurs(JsonView answer) {
        JsonView error = Objects.requireNonNull(answer.path("result", "_meta", "fusebox/error"), answer::json);
        assertThat(error.json())
                .contains("\"code\":\"timeout\"", "\"category\":\"local\"", "\"outcome\":\"unknown\"")
                .contains("was suspended");
    }
}
