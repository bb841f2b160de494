package dev.fusebox.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PatternAutomatonTest {
    private static boolean finds(String pattern, String text) {
        return new PatternAutomaton(pattern).findsIn(text, CheckBudget.ofACall());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^[a-z0-9]{1,63}(\\.[a-z0-9]{1,63})*$ a.b.c1 true",
                "^[a-z0-9]{1,63}(\\.[a-z0-9]{1,63})*$ a..c1 false",
                "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$ 123e4567-e89b-12d3-a456-426614174000 true",
                "^[^@]+@[^@]+\\.[a-z]{2,}$ a@b.org true",
                "^[^@]+@[^@]+\\.[a-z]{2,}$ a@@b.org false",
                "b+ abbc true",
                "^b+$ abbc false",
                "^(?:a|b|)$ '' true",
                "^(?<year>\\d{4})-\\d\\d$ 2026-11 true",
                "^a{2}$ aa true",
                "^a{2}$ aaa false",
                "^a{2,}$ aaaa true",
                "^a{0,2}?$ aaa false",
                "a{,2} a{,2} true",
                "^{$ { true",
                "^[]$ a false",
                "^[^]$ a true",
                "^[[&&x]$ & true",
                "^[[&&x]$ [ true",
                "^[a^]$ ^ true",
                "^[\\w.-]+$ a-b.c_d true",
                "^[\\]\\-]$ ] true",
                "^\\p{L}+$ größe true",
                "^\\u0061\\x62\\u{63}\\cJ?$ abc true",
                "^.$ 😀 true",
                "^[😀-😂]$ 😁 true",
                "\\bcat\\b 'a cat.' true",
                "\\bcat\\b concat false",
                "\\Bcat concat true",
                "^\\S+$ a\u00a0b false",
                "^\\/api\\/.*$ /api/x true",
                "(^|,)a($|,) b,a,c true",
                "^(a*)*$ aaaa true",
            })
    void patterns_match_like_ecmascript(String pattern, String text, boolean found) {
        assertThat(finds(pattern, text)).isEqualTo(found);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?=a)",
                "(?!a)",
                "(?<=a)",
                "(?<!a)",
                "(?i)a",
                "(a)\\1",
                "(?<n>a)\\k<n>",
                "(",
                ")",
                "a)",
                "[a",
                "\\",
                "*a",
                "a**",
                "a{2}{3}",
                "a{3,2}",
                "\\u12",
                "\\p{Nonsense}",
                "\\ud83d",
                "[z-a]",
                "\\q",
                "a{9999999}"
            })
    void lookaround_and_invalid_patterns_are_unsupported(String pattern) {
        assertThatThrownBy(() -> finds(pattern, "aaa")).isInstanceOf(CheckAbandoned.class);
    }

    /// A backtracking matcher needs longer for each of these than the test may take.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "^(a+)+$",
                "^(a|a)*$",
                "^(a|aa)+$",
                "^(.*a){20}$",
                "^(([a-z])+.)+[A-Z]([a-z])+$",
                "(a*)*(a*)*(a*)*b",
                "^(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)b",
                "(x+x+)+y"
            })
    void matching_time_is_never_exponential(String pattern) {
        assertThat(finds(pattern, "a".repeat(5_000) + "!" + "x".repeat(5_000))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"((a{1000}){1000}){1000}", "(((){100000}){100000}){100000}", "(a{100000}){2}"})
    void oversized_pattern_is_unsupported(String pattern) {
        assertThatThrownBy(() -> finds(pattern, "aaa"))
                .isInstanceOf(CheckAbandoned.class)
                .hasMessageContaining("more than 20000 parts");
    }

    @Test
    void too_deep_pattern_is_unsupported() {
        String deep = "(".repeat(100_000) + ")".repeat(100_000);
        assertThatThrownBy(() -> finds(deep, "aaa"))
                .isInstanceOf(CheckAbandoned.class)
                .hasMessageContaining("deeper");
    }

    @Test
    void large_pattern_on_a_long_text_exhausts_its_budget() {
        assertThatThrownBy(() -> finds("(a?){5000}b", "a".repeat(100_000)))
                .isInstanceOf(CheckAbandoned.class)
                .hasMessageContaining("steps");
    }

    /// Random patterns over two letters, compared with Java's. The seed is printed; `-Dfusebox.seed=N` replays it.
    @Test
    void automaton_agrees_with_java_regex() {
        long seed = Long.getLong("fusebox.seed", 20_261_121);
        System.out.printf("seed %d%n", seed);
        var random = new SplittableRandom(seed);
        int found = 0;
        for (int i = 0; i < 20_000; i++) {
            String pattern = pattern(random, 3);
            String text = word(random);
            boolean expected =
                    Pattern.compile(pattern.replace("$", "\\z")).matcher(text).find();
            assertThat(finds(pattern, text)).as("%s in %s", pattern, text).isEqualTo(expected);
            found += expected ? 1 : 0;
        }
        assertThat(found).isBetween(2_000, 18_000);
    }

    private static String pattern(SplittableRandom random, int depth) {
        var text = new StringBuilder();
        for (int parts = random.nextInt(1, 4); parts > 0; parts--) {
            text.append(part(random, depth));
        }
        return text.toString();
    }

    private static String part(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 9)) {
            case 0 -> "^";
            case 1 -> "$";
            case 2 -> "[^a]";
            case 3 -> "\\b";
            case 4 -> "a";
            case 5 -> "b";
            case 6 -> "(" + pattern(random, depth - 1) + "|" + pattern(random, depth - 1) + ")";
            case 7 -> "(" + pattern(random, depth - 1) + ")" + counts(random);
            default -> "[ab]" + counts(random);
        };
    }

    private static String counts(SplittableRandom random) {
        String[] all = {"*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"};
        return all[random.nextInt(all.length)];
    }

    private static String word(SplittableRandom random) {
        var text = new StringBuilder();
        for (int length = random.nextInt(8); length > 0; length--) {
            text.append("aab ".charAt(random.nextInt(4)));
        }
        return text.toString();
    }
}
