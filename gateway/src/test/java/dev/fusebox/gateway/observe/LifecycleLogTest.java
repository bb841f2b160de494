package dev.fusebox.gateway.observe;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.LifecycleEvent.Crashed;
import dev.fusebox.gateway.lifecycle.LifecycleEvent.GivenUp;
import dev.fusebox.gateway.lifecycle.LifecycleEvent.StatusChanged;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The log lines of lifecycle events.
class LifecycleLogTest {
    /// No gateway of another test has it, whose lines may be written at the same time.
    private static final String SERVER = "ticket-server";

    private final CapturedLog log = CapturedLog.of(LifecycleLog.class);

    @AfterEach
    void leave() {
        log.close();
    }

    private List<String> lines() {
        return log.levelled().stream().filter(line -> line.contains(SERVER)).toList();
    }

    @Test
    void every_status_change_is_logged() {
        EventLog eventLog = new EventLog(SingleServerHarness.PLATFORM.wallClock());
        LifecycleLog.listenTo(eventLog);
        ServerStatus before = ServerStatus.IDLE;
        for (ServerStatus status : ServerStatus.values()) {
            tell(eventLog, new StatusChanged(before, status, "because of " + status));
            before = status;
        }
        eventually(
                "every status is logged",
                () -> assertThat(lines()).hasSizeGreaterThanOrEqualTo(ServerStatus.values().length));
        assertThat(lines())
                .hasSize(ServerStatus.values().length)
                .allMatch(line -> line.startsWith("INFO ticket-server: "))
                .contains("INFO ticket-server: connecting -> discovering_tools, because of discovering_tools");
    }

    @Test
    void crash_is_logged_with_its_end_and_permanent_failure_with_its_id() {
        EventLog eventLog = new EventLog(SingleServerHarness.PLATFORM.wallClock());
        LifecycleLog.listenTo(eventLog);
        tell(eventLog, new Crashed(17L, null, "SIGKILL", Duration.ofSeconds(5), 2, true));
        tell(eventLog, new Crashed(null, 127, null, Duration.ZERO, 3, false));
        tell(eventLog, new GivenUp(18L, 3, "crashed too often"));
        eventually("three lines are logged", () -> assertThat(lines()).hasSize(3));
        assertThat(lines())
                .containsExactly(
                        "INFO ticket-server crashed: process 17 ended with SIGKILL after 5 s, recent crashes: 2",
                        "INFO ticket-server crashed: its process ended with exit code 127 after 0 s, recent crashes: 3",
                        "SEVERE ticket-server permanently failed [permanently-failed]: crashed too often");
    }

    private static void tell(EventLog eventLog, LifecycleEvent event) {
        eventLog.publish(new ServerLifecycleEvent(SERVER, event));
    }
}
