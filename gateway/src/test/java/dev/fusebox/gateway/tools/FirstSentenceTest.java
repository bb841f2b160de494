package dev.fusebox.gateway.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The first sentence of a description.
class FirstSentenceTest {
    @Test
    void sentence_ends_at_full_stop_but_not_at_abbreviation() {
        assertThat(FirstSentence.of("  Finds\n  issues. Needs a token.", 80)).isEqualTo("Finds issues.");
        assertThat(FirstSentence.of("Gets a price (e.g. of AAPL) in U.S. dollars. Slow.", 80))
                .isEqualTo("Gets a price (e.g. of AAPL) in U.S. dollars.");
        assertThat(FirstSentence.of("Version 1.2 of it", 80)).isEqualTo("Version 1.2 of it");
        assertThat(FirstSentence.of("获取网页。其他", 80)).isEqualTo("获取网页。");
        assertThat(FirstSentence.of(" \n ", 80)).isEmpty();
    }

    @Test
    void long_sentence_is_cut_between_words_and_a_long_word_between_characters() {
        assertThat(FirstSentence.of("one two three four", 9)).isEqualTo("one two...");
        assertThat(FirstSentence.of("x".repeat(20), 9)).isEqualTo("xxxxxxxxx...");
        assertThat(FirstSentence.of("xxxxxxxx\uD83D\uDE00xx", 9)).isEqualTo("xxxxxxxx...");
        assertThat(FirstSentence.of("nine chars", 10)).isEqualTo("nine chars");
    }
}
