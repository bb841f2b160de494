package dev.fusebox.gateway.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.life.LifeEvent;
import dev.fusebox.gateway.life.LifeEvent.Crashed;
import dev.fusebox.gateway.life.LifeEvent.GivenUp;
import dev.fusebox.gateway.life.LifeEvent.StatusChanged;
import dev.fusebox.gateway.life.Status;
import dev.fusebox.gateway.stateless.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the log tells of the life of servers.
class LifeLogTest {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(LifeLog.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {
            // Nothing waits here.
        }

        @Override
        public void close() {
            // Nothing is held here.
        }
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(handler);
    }

    @Test
    void each_change_of_status_is_a_line_and_none_is_missing() {
        Chronicle chronicle = new Chronicle(Gate.WORLD.wallClock());
        LifeLog.of(chronicle);
        Status before = Status.IDLE;
        for (Status status : Status.values()) {
            tell(chronicle, new StatusChanged(before, status, "because of " + status));
            before = status;
        }
        assertThat(Gate.isSoon(() -> lines.size() >= Status.values().length)).isTrue();
        assertThat(lines)
                .hasSize(Status.values().length)
                .allMatch(line -> line.startsWith("INFO jira: "))
                .contains("INFO jira: connecting -> discovering_tools, because of discovering_tools");
    }

    @Test
    void a_crash_is_told_with_how_it_ended_and_giving_up_with_its_id() {
        Chronicle chronicle = new Chronicle(Gate.WORLD.wallClock());
        LifeLog.of(chronicle);
        tell(chronicle, new Crashed(17L, null, "SIGKILL", Duration.ofSeconds(5), 2, true));
        tell(chronicle, new Crashed(null, 127, null, Duration.ZERO, 3, false));
        tell(chronicle, new GivenUp(18L, 3, "crashed too often"));
        assertThat(Gate.isSoon(() -> lines.size() == 3)).isTrue();
        assertThat(lines)
                .containsExactly(
                        "INFO jira crashed: process 17 ended with SIGKILL after 5 s, crash 2 of late",
                        "INFO jira crashed: its process ended with exit code 127 after 0 s, crash 3 of late",
                        "SEVERE jira is given up [permanently-failed]: crashed too often");
    }

    private static void tell(Chronicle chronicle, LifeEvent event) {
        chronicle.tell(new ServerLived("jira", event));
    }
}
