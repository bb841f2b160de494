package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.ManualTime;
import org.junit.jupiter.api.Test;

class ListeningTest {
    @Test
    void listener_logs_trip_and_counts_calls_of_both_breakers() throws Exception {
        var time = new ManualTime();

        assertThat(Printed.linesOf(out -> Listening.run(out, Clocks.surroundings(time))))
                .containsExactly(
                        "jira: closed -> open, failure threshold reached: 5 failures",
                        "files.succeeded = 8",
                        "jira.failed.other = 5",
                        "jira.refused = 3",
                        "1 of 2 breakers closed, unhealthy: [jira]");
    }
}
