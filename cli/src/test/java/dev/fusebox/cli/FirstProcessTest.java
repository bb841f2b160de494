package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F104: the gateway as the first process of its table, as in a container without an init, with nothing on
/// standard input.
///
/// Over five seconds: a gateway starts in a table of processes of its own, and ends there.
@Tag("process")
@Timeout(120)
class FirstProcessTest {
    private static final Platform PLATFORM = Platform.system();
    private static final List<String> CONTAINER = List.of(
            "unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", "exec \"$@\" </dev/null", "sh");

    @TempDir
    private Path folder;

    private static boolean mayUnshare() {
        return Tried.succeeds(List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "true"));
    }

    private static List<ProcessEntry> childrenOf(long parent) {
        return PLATFORM.processes().list().stream()
                .filter(entry -> entry.parent() == parent)
                .toList();
    }

    /// A process that is in the gateway's table, but none of its own, and leaves one behind in each session. When it
    /// has ended, both are children of the gateway.
    private static void leaveOrphans(long gateway) {
        String orphans = "sleep 0.1 & setsid sleep 0.1 & exit 0";
        assertThat(Tried.succeeds(List.of("nsenter", "--target", "" + gateway, "--pid", "sh", "-c", orphans)))
                .isTrue();
    }

    @Test
    void gateway_as_pid_1_reaps_orphans_and_exits_cleanly() throws Exception {
        assumeTrue(
                PLATFORM.processes().keepsSessions() && mayUnshare(),
                "skipped: this user may not make a table of processes (unshare --pid)");
        try (RunningGateway gateway = RunningGateway.by(CONTAINER, folder, "none")) {
            long first = childrenOf(gateway.process().pid()).getFirst().pid();
            // Before any server runs: a gateway of remote servers has none at all.
            leaveOrphans(first);
            eventually(
                    "the orphans have ended and are no zombies any more",
                    () -> assertThat(childrenOf(first)).isEmpty());
            gateway.server("a", "1").save();
            gateway.eventuallySays("added a");
            assertThat(gateway.call("a", "who")).startsWith("1 ");
            assertThat(childrenOf(first)).as("the server and the janitor").hasSize(2);
            new ProcessBuilder("/bin/kill", "-TERM", "" + first).start().waitFor();
            assertThat(gateway.process().waitFor(25, TimeUnit.SECONDS)).isTrue();
            assertThat(gateway.process().exitValue()).isZero();
            assertThat(gateway.children()).isEmpty();
        }
    }
}
