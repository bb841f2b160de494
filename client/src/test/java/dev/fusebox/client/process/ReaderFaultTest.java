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

/// F101: a thread of a child that ends because of a fault of ours, with a real child behind it.
@Tag("process")
@Timeout(60)
class ReaderFaultTest {
    /// Where this method is called for a child, and not for the reaper, memory has run out.
    private static Platform without(String method) {
        return FailingProcesses.in(
                PLATFORM, program -> !program.arguments().contains("fusebox-reaper"), method, () -> true);
    }

    @ParameterizedTest
    @CsvSource({
        "readOut, echo up; read -r line",
        // Its pipe stays open, so that nothing but its end is to be seen.
        "await, sleep 60 & exit 3"
    })
    void a_child_that_nobody_can_hear_or_see_any_more_is_ended_and_that_is_told(String method, String script)
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
    void a_process_that_dies_of_our_deafness_is_not_to_blame_for_it() throws InterruptedException {
        try (ChildProcesses children = ChildProcesses.open(without("readOut"))) {
            var received = new Recorder();
            // Whoever writes into a pipe that nobody reads is ended by that.
            started(children, sh("while :; do echo again; done"), received);
            eventually("one exit is reported", () -> assertThat(received.exits).hasSize(1));
            assertThat(received.exits.getFirst().cause()).isEqualTo(ChildExit.Cause.READER_FAILED);
        }
    }
}
