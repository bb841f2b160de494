package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F94, F101: the gateway has no more threads, processes or memory, and then has some again.
///
/// Over five seconds: a gateway runs out of something and has to recover from it.
@Tag("process")
@Timeout(120)
class ShortageProcessTest {
    /// Nobody's number, so that nobody else's processes count. It may open what the user of this test may open.
    private static final List<String> NOBODY = List.of(
            "setpriv",
            "--reuid=54321",
            "--regid=54321",
            "--clear-groups",
            "--inh-caps=+dac_override",
            "--ambient-caps=+dac_override");

    @TempDir
    private Path folder;

    private static boolean succeeds(List<String> wrapper, String... command) {
        List<String> all = new ArrayList<>(wrapper);
        all.addAll(List.of(command));
        return Tried.succeeds(all);
    }

    /// The bound on the processes of a user binds any user but root.
    private static List<String> bounded() {
        List<String> found = binds(List.of("env")) ? List.of("env") : NOBODY;
        assumeTrue(
                binds(found), "skipped: there is no user here whose processes can be bounded (by setpriv and prlimit)");
        return found;
    }

    /// A shell that may not fork ends at once; one that may goes on.
    private static boolean binds(List<String> user) {
        return succeeds(user, "prlimit", "--nproc=1:", "true")
                && !succeeds(user, "prlimit", "--nproc=1:", "sh", "-c", "(true); exit 0");
    }

    @Test
    void thread_exhaustion_keeps_calls_running_and_blames_no_server() throws Exception {
        List<String> user = bounded();
        List<String> wrapper = new ArrayList<>(user);
        // All carriers of virtual threads that there will be are there when the bound comes.
        wrapper.addAll(List.of(
                "env",
                "FUSEBOX_HOME=" + folder.resolve("home"),
                "_JAVA_OPTIONS=-Djdk.virtualThreadScheduler.parallelism=2"));
        try (RunningGateway gateway = RunningGateway.by(wrapper, folder, "a", "b")) {
            String a = gateway.call("a", "who");
            String pid = "" + gateway.process().pid();
            assertThat(succeeds(user, "prlimit", "--pid", pid, "--nproc=1:")).isTrue();
            // More often than a breaker would bear.
            for (int i = 0; i < 7; i++) {
                assertThat(gateway.failure("b", "who")).isEqualTo("connect_failed local not_sent");
                assertThat(gateway.call("a", "who")).isEqualTo(a);
            }
            assertThat(gateway.starts("b")).isEmpty();
            assertThat(succeeds(user, "prlimit", "--pid", pid, "--nproc=4096:")).isTrue();
            eventually(
                    "version 1 of server b answers",
                    () -> assertThat(gateway.call("b", "who")).startsWith("1 "));
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.errorText()).doesNotContain("-> open", "offline", "given up");
        }
    }

    @Test
    void server_added_without_threads_is_listed_later() throws Exception {
        List<String> user = bounded();
        List<String> wrapper = new ArrayList<>(user);
        wrapper.addAll(List.of(
                "env",
                "FUSEBOX_HOME=" + folder.resolve("home"),
                "_JAVA_OPTIONS=-Djdk.virtualThreadScheduler.parallelism=2"));
        try (RunningGateway gateway = RunningGateway.by(wrapper, folder, "a")) {
            gateway.call("a", "who");
            String pid = "" + gateway.process().pid();
            assertThat(succeeds(user, "prlimit", "--pid", pid, "--nproc=1:")).isTrue();
            gateway.server("b", "1").save();
            gateway.eventuallySays("configuration applied: added b");
            assertThat(succeeds(user, "prlimit", "--pid", pid, "--nproc=4096:")).isTrue();
            eventually(
                    "tool b__who is listed", () -> assertThat(gateway.tools()).contains("b__who"));
        }
    }

    @Test
    void out_of_memory_response_fails_only_its_call() throws Exception {
        List<String> wrapper = List.of("env", "_JAVA_OPTIONS=-Xmx32m -XX:+UseSerialGC");
        try (RunningGateway gateway = RunningGateway.by(wrapper, folder, "a")) {
            gateway.server("big", "1", "BIG=16000000").save();
            gateway.eventuallySays("added big");
            String a = gateway.call("a", "who");
            String big = gateway.call("big", "who");
            for (int i = 0; i < 3; i++) {
                assertThat(gateway.failure("big", "hang")).isEqualTo("internal local unknown");
                assertThat(gateway.call("a", "who")).isEqualTo(a);
            }
            assertThat(gateway.call("big", "who")).isEqualTo(big);
            assertThat(gateway.errorText()).doesNotContain("-> open");
        }
    }
}
