package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.client.process.Machine.isAlive;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.FailingProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// F101: a thread for a child that ends because of an internal error, with a real child.
@Tag("process")
@Timeout(60)
class ReaderFaultTest {
    /// Out of memory in this method for children, but not for the reaper.
    private static Platform without(String method) {
        return FailingProcesses.in(
                PLATFORM, program -> !program.arguments().contains("fusebox-reaper"), method, () -> true);
    }

    @ParameterizedTest
    @CsvSource({
        "readOut, echo up; read -r line",
        // Its pipe stays open, so that only its exit is visible.
        "await, sleep 60 & exit 3"
    })
    void child_whose_reader_or_watcher_fails_is_terminated_and_reported(String method, String script)
            throws InterruptedException {
        try (ChildProcesses children = ChildProcesses.open(without(method))) {
            var received = new Recorder();
            ChildProcess child = started(children, sh(script), received);
            eventually("one exit is reported", () -> assertThat(received.exits).hasSize(1));
            assertThat(received.exits.getFirst().cause()).isEqualTo(ChildExit.Cause.READER_FAILED);
            eventually("the child has ended", () -> !isAlive(child.pid()));
            eventually(
                    "no child process is running",
                    () -> assertThat(children.live()).isEmpty());
        }
    }

    @Test
    void failed_reader_is_reported_and_not_the_resulting_exit() throws InterruptedException {
        try (ChildProcesses children = ChildProcesses.open(without("readOut"))) {
            var received = new Recorder();
            // A write to a pipe without a reader ends the process.
            started(children, sh("while :; do echo again; done"), received);
            eventually("one exit is reported", () -> assertThat(received.exits).hasSize(1));
            assertThat(received.exits.getFirst().cause()).isEqualTo(ChildExit.Cause.READER_FAILED);
        }
    }
}
