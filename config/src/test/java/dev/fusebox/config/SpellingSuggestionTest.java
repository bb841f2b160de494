package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Guesses at mistyped words.
class SpellingSuggestionTest {
    private static final List<String> KNOWN = List.of("command", "url", "timeoutMs", "connectTimeoutMs", "maxAttempts");

    @Test
    void the_distance_of_two_words_is_the_number_of_corrections() {
        assertThat(SpellingSuggestion.distance("version", "version")).isZero();
        assertThat(SpellingSuggestion.distance("", "help")).isEqualTo(4);
        assertThat(SpellingSuggestion.distance("hlep", "help")).isEqualTo(1);
        assertThat(SpellingSuggestion.distance("hel", "help")).isEqualTo(1);
        assertThat(SpellingSuggestion.distance("ca", "abc")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"comand,command", "COMMAND,command", "ulr,url", "timeout_ms,timeoutMs", "max-attempts,maxAttempts"})
    void the_nearest_word_is_guessed(String typed, String meant) {
        assertThat(SpellingSuggestion.nearest(typed, KNOWN)).contains(meant);
    }

    @Test
    void what_is_near_nothing_or_far_too_long_gives_no_guess() {
        assertThat(SpellingSuggestion.nearest("xyzzy", KNOWN)).isEqualTo(Optional.empty());
        assertThat(SpellingSuggestion.nearest("", KNOWN)).isEqualTo(Optional.empty());
        assertThat(SpellingSuggestion.nearest("command".repeat(100_000), KNOWN)).isEqualTo(Optional.empty());
    }
}
