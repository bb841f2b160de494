package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void a_line_fits_on_the_narrowest_terminal_and_keeps_how_long_it_takes() {
        assertThat(Progress.line("calling jira/search", 2)).isEqualTo("calling jira/search ... 2 s");
        assertThat(Progress.line("calling " + "x".repeat(100), 12_345))
                .hasSize(38)
                .startsWith("calling xxx")
                .endsWith("x ... 12345 s");
    }

    @Test
    void letters_that_may_take_two_columns_or_none_take_one() {
        assertThat(Progress.narrow("calling 票务/naïve 👍\u0301 ok")).isEqualTo("calling ??/na?ve ?? ok");
    }
}
