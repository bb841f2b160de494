package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PoliciesTest {
    @Test
    void policies_are_built_or_named_and_invalid_ones_are_rejected() throws Exception {
        List<String> lines = Printed.linesOf(Policies::run);

        assertThat(lines.get(0)).contains("minimumCalls=10, failureThreshold=5, failureRate=0.5", "base=PT1M");
        assertThat(lines.get(1)).contains("failureThreshold=3", "base=PT1M", "callTimeout=PT30S");
        assertThat(lines.get(2)).isEqualTo("halfOpenMaxCalls is 0: it must be from 1 to 1000");
    }
}
