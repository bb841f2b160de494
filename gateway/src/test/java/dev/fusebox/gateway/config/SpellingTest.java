package dev.fusebox.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Guesses at mistyped words.
class SpellingTest {
    private static final List<String> KNOWN = List.of("command", "url", "timeoutMs", "connectTimeoutMs", "maxAttempts");

    @Test
    void the_distance_of_two_words_is_the_number_of_corrections() {
        assertThat(Spelling.distance("version", "version")).isZero();
        assertThat(Spelling.distance("", "help")).isEqualTo(4);
        assertThat(Spelling.distance("hlep", "help")).isEqualTo(1);
        assertThat(Spelling.distance("hel", "help")).isEqualTo(1);
        assertThat(Spelling.distance("ca", "abc")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"comand,command", "COMMAND,command", "ulr,url", "timeout_ms,timeoutMs", "max-attempts,maxAttempts"})
    void the_nearest_word_is_guessed(String typed, String meant) {
        assertThat(Spelling.nearest(typed, KNOWN)).contains(meant);
    }

    @Test
    void what_is_near_nothing_or_far_too_long_gives_no_guess() {
        assertThat(Spelling.nearest("xyzzy", KNOWN)).isEqualTo(Optional.empty());
        assertThat(Spelling.nearest("", KNOWN)).isEqualTo(Optional.empty());
        assertThat(Spelling.nearest("command".repeat(100_000), KNOWN)).isEqualTo(Optional.empty());
    }
}
