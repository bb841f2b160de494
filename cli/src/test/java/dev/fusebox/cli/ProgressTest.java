package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void progress_line_fits_narrow_terminal_and_keeps_time() {
        assertThat(Progress.line("calling jira/search", 2)).isEqualTo("calling jira/search ... 2 s");
        assertThat(Progress.line("calling " + "x".repeat(100), 12_345))
                .hasSize(38)
                .startsWith("calling xxx")
                .endsWith("x ... 12345 s");
    }

    @Test
    void wide_and_zero_width_characters_are_replaced() {
        assertThat(Progress.narrow("calling 票务/naïve 👍\u0301 ok")).isEqualTo("calling ??/na?ve ?? ok");
    }
}
