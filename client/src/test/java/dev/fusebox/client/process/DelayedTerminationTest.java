package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.client.process.Machine.SOON;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Children that are stopped before their first message.
@Tag("process")
class DelayedTerminationTest {
    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final Recorder received = new Recorder();

    @BeforeEach
    void letFinish() {
        children.startupGrace(SOON);
    }

    @AfterEach
    void killChildren() {
        children.kill();
    }

    @Test
    void child_without_a_message_may_exit_by_itself() throws InterruptedException {
        ChildProcess child = started(children, sh("sleep 3; cat; exit 7"), received);
        assertThat(child.isSilent()).isTrue();
        children.close();
        assertThat(child.exit(SOON).orElseThrow().code()).isEqualTo(7);
        assertThat(child.isSilent()).isFalse();
    }

    @Test
    void child_that_has_sent_a_message_is_terminated_without_delay() throws InterruptedException {
        ChildProcess child = started(children, sh("echo '{}'; exec sleep 1000"), received);
        eventually("the message is read", () -> assertThat(received.lines).hasSize(1));
        assertThat(child.isSilent()).isFalse();
        child.stop();
        assertThat(child.exit(SOON).orElseThrow().signal()).isEqualTo("SIGTERM");
    }

    @Test
    void child_that_sends_its_first_message_after_the_stop_is_terminated() throws InterruptedException {
        ChildProcess child = started(children, sh("cat > /dev/null; echo '{}'; exec sleep 1000"), received);
        child.stop();
        assertThat(child.exit(SOON).orElseThrow().signal()).isEqualTo("SIGTERM");
    }

    @Test
    void child_that_does_not_exit_within_the_grace_is_terminated() throws InterruptedException {
        children.startupGrace(Duration.ofMillis(500));
        ChildProcess child = started(children, sh("exec sleep 1000"), received);
        child.stop();
        assertThat(child.exit(SOON).orElseThrow().signal()).isEqualTo("SIGTERM");
    }

    @Test
    void kill_ignores_the_grace() throws InterruptedException {
        ChildProcess child = started(children, sh("exec sleep 1000"), received);
        child.stop();
        children.kill();
        assertThat(child.exit(SOON).orElseThrow().signal()).isEqualTo("SIGKILL");
    }
}
