package dev.fusebox.gateway.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Text is divided between characters as people see them, at a line end if one is near. Random tests print their
/// seed; `-Dseed=N` repeats one.
class TextDivisionTest {
    private static final int RUNS = 300;

    private static TextBudget bytes(long bytes) {
        return new TextBudget(bytes, Long.MAX_VALUE);
    }

    private static TextBudget written(long bytes) {
        return new TextBudget(Long.MAX_VALUE, bytes);
    }

    private static int end(String text, long bytes) {
        return TextDivision.end(text, 0, bytes(bytes));
    }

    private static long seed(int run) {
        Long given = Long.getLong("seed");
        return given == null ? 1_000L + run : given;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 7, 16, 29, 64, 300, 5_000})
    void every_part_ends_between_characters_and_fits(long limit) {
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(seed(run));
            String text = RandomText.of(random, 1 + random.nextInt(120));
            TextBudget budget = run % 2 == 0 ? bytes(limit) : written(limit);
            BitSet boundaries = RandomText.boundaries(text);
            int at = 0;
            while (at < text.length()) {
                int end = TextDivision.endAfterOne(text, at, budget);
                String part = text.substring(at, end);
                assertThat(boundaries.get(end))
                        .as("seed %s, limit %s: %s ends between characters", seed(run), limit, part)
                        .isTrue();
                boolean isOneCharacter = boundaries.nextSetBit(at + 1) == end;
                assertThat(isOneCharacter || budget.covers(TextBudget.of(part)))
                        .as("seed %s, limit %s: %s fits", seed(run), limit, part)
                        .isTrue();
                at = end;
            }
        }
    }

    @Test
    void parts_one_after_the_other_are_the_text() {
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(seed(run));
            String text = RandomText.of(random, 1 + random.nextInt(200));
            DividedText divided = Objects.requireNonNull(DividedText.of(text, 0, bytes(1 + random.nextInt(40))));
            StringBuilder all = new StringBuilder();
            for (int part = 1; part <= divided.parts(); part++) {
                all.append(divided.part(part));
            }
            assertThat(all).as("seed %s", seed(run)).hasToString(text);
        }
    }

    @Test
    void emoji_of_several_code_points_stays_whole() {
        String family = "👨‍👩‍👧‍👦";
        assertThat(family.getBytes(StandardCharsets.UTF_8)).hasSize(25);
        for (int limit = 1; limit < 26; limit++) {
            assertThat(end("x" + family + "y", limit)).as("%s bytes", limit).isEqualTo(1);
        }
        assertThat(end("x" + family + "y", 26)).isEqualTo(1 + family.length());
    }

    @Test
    void nothing_fits_if_first_character_is_longer_than_limit() {
        assertThat(end("😀😀", 3)).isZero();
        assertThat(TextDivision.endAfterOne("😀😀", 0, bytes(3))).isEqualTo(2);
        assertThat(TextDivision.endAfterOne("👍🏽x", 0, bytes(1))).isEqualTo(4);
    }

    @Test
    void crlf_is_not_divided() {
        assertThat(end("abc\r\ndef", 4)).isEqualTo(3);
        assertThat(end("abc\r\ndef", 5)).isEqualTo(5);
        assertThat(TextDivision.endAfterOne("\r\n\r\n", 0, bytes(1))).isEqualTo(2);
    }

    @Test
    void line_end_in_last_quarter_is_preferred() {
        String text = "x".repeat(80) + "\n" + "y".repeat(100);
        assertThat(end(text, 100)).isEqualTo(81);
        assertThat(end(text, 120)).as("the line end is too far away").isEqualTo(120);
    }

    @Test
    void flags_are_divided_in_pairs_however_many_there_are() {
        String flags = "🇩🇪".repeat(5_000);
        int end = end(flags, 8 * 4_001 + 4);
        assertThat(end).isEqualTo(4 * 4_001);
    }

    @Test
    void endless_sequence_of_marks_is_divided_between_code_points() {
        String marks = "a" + "\u0301".repeat(10_000);
        assertThat(end(marks, 4_001)).isEqualTo(2_001);
        assertThat(TextDivision.endAfterOne(marks, 0, bytes(1))).isLessThanOrEqualTo(TextDivision.MAX_CLUSTER);
        String joined = "👨‍".repeat(10_000);
        int end = end(joined, 10_001);
        assertThat(Character.isLowSurrogate(joined.charAt(end))).isFalse();
        assertThat(end).isGreaterThan(4_000);
    }

    @Test
    void half_a_surrogate_pair_is_a_character_of_its_own() {
        String text = "a\ud83d\ud83d\ude00\ude00b";
        assertThat(end(text, 4)).isEqualTo(2);
        assertThat(end(text, 5)).isEqualTo(2);
        assertThat(end(text, 8)).isEqualTo(4);
    }

    @Test
    void text_of_too_many_parts_is_not_divided() {
        assertThat(DividedText.of("x".repeat(DividedText.MAX_PARTS), 0, bytes(1)))
                .isNotNull();
        assertThat(DividedText.of("x".repeat(DividedText.MAX_PARTS + 1), 0, bytes(1)))
                .isNull();
    }
}
