package dev.fusebox.examples;

import static dev.fusebox.examples.VirtualThreads.AT_ONCE;
import static dev.fusebox.examples.VirtualThreads.CALLERS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class VirtualThreadsTest {
    private static final int THRESHOLD = 5;
    private static final Pattern DOWN =
            Pattern.compile("down: {4}0 answered, (?<failed>\\d+) failed, (?<refused>\\d+) refused");

    @Test
    @Timeout(60)
    void thousand_threads_are_answered_and_rejected_once_server_is_down() throws Exception {
        List<String> lines = Printed.linesOf(VirtualThreads::run);

        assertThat(lines.get(0)).isEqualTo("healthy: " + CALLERS + " answered, 0 failed, 0 refused");
        Matcher down = DOWN.matcher(lines.get(1));
        assertThat(down.matches()).as(lines.get(1)).isTrue();
        int failed = Integer.parseInt(down.group("failed"));
        // Those who were inside with the fifth failure may fail as well.
        assertThat(failed).isBetween(THRESHOLD, THRESHOLD + AT_ONCE - 1);
        assertThat(Integer.parseInt(down.group("refused"))).isEqualTo(CALLERS - failed);
        assertThat(lines.get(2)).isEqualTo("at most 10 at once");
    }
}
