package dev.fusebox.gateway.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ProcessOutputListener;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The buffer of recent log lines.
class LogBufferTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final LogBuffer logBuffer = new LogBuffer(InstantSource.fixed(NOW));

    private List<String> texts(long after, String writer) {
        return logBuffer.after(after, writer).stream()
                .map(LogBuffer.Entry::text)
                .toList();
    }

    @Test
    void lines_are_ordered_over_all_writers_and_filtered_by_writer() {
        logBuffer.write(LogBuffer.OWN, "begins");
        logBuffer.listener("jira").error("no token", 0);
        logBuffer.write(LogBuffer.OWN, "goes on");
        assertThat(logBuffer.after(0, null))
                .extracting(LogBuffer.Entry::toString)
                .containsExactly(NOW + " begins", NOW + " [jira] no token", NOW + " goes on");
        assertThat(texts(0, "jira")).containsExactly("no token");
        assertThat(texts(1, LogBuffer.OWN)).containsExactly("goes on");
    }

    @Test
    void name_of_a_server_means_all_servers_of_this_name() {
        logBuffer.write("jira", "one");
        logBuffer.write("jira@2", "two");
        logBuffer.write("jira2", "other");
        assertThat(texts(0, "jira")).containsExactly("one", "two");
        assertThat(texts(0, "jira@2")).containsExactly("two");
    }

    @Test
    void verbose_server_evicts_only_its_own_lines() {
        logBuffer.write("quiet", "one");
        ProcessOutputListener listener = logBuffer.listener("loud");
        for (int i = 0; i < 10_000; i++) {
            listener.error("line " + i, 0);
        }
        assertThat(texts(0, "quiet")).containsExactly("one");
        assertThat(texts(0, "loud")).hasSize(500).last().isEqualTo("line 9999");
    }

    @Test
    void omitted_lines_are_noted_and_control_characters_removed() {
        ProcessOutputListener listener = logBuffer.listener("jira");
        listener.error("late\u001b[2J", 7);
        listener.noise("Welcome\nall");
        assertThat(texts(0, "jira"))
                .containsExactly("(7 lines omitted)", "late [2J", "(not a message, on standard output) Welcome all");
    }

    @Test
    void copy_receives_each_line_once() {
        List<String> copied = new ArrayList<>();
        logBuffer.copyTo(entry -> copied.add(entry.text()));
        logBuffer.write(LogBuffer.OWN, "a");
        logBuffer.write("jira", "b".repeat(2_000));
        assertThat(copied).hasSize(2).last().asString().hasSize(1_027).endsWith("...");
    }

    @Test
    void timestamps_equal_those_of_the_jdk() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            int unit = List.of(1, 1_000, 1_000_000, 1_000_000_000).get(random.nextInt(4));
            int nanos = random.nextInt(1_000_000_000) / unit * unit;
            Instant at = Instant.ofEpochSecond(random.nextLong(-60_000_000_000L, 250_000_000_000L), nanos);
            assertThat(UtcTimestamp.of(at)).as("seed %s", seed).isEqualTo(at.toString());
        }
    }
}
