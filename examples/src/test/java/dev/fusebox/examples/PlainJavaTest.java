package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlainJavaTest {
    @Test
    void five_failures_reach_the_caller_and_the_sixth_call_is_refused_with_words_and_a_time() throws Exception {
        List<String> lines = Printed.linesOf(PlainJava::run);

        assertThat(lines).hasSize(7);
        assertThat(lines.subList(0, 5)).allMatch(line -> line.endsWith("failed: no connection for BZ-1234"));
        assertThat(lines.get(5))
                .startsWith("Circuit breaker 'jira' is open: jira is down after 5 failures")
                .contains("do not retry before 20");
        assertThat(lines.get(6)).matches("Retry after PT\\d+(\\.\\d+)?S; from the cache: fix the fuse");
    }
}
