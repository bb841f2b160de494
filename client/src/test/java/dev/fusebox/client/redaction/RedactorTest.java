package dev.fusebox.client.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RedactorTest {
    private static final String SECRET = "kS\"9/ü x+\\7&q?=Zt";
    private static final Redactor REDACTOR = Redactor.of(List.of(SECRET));

    /// A token as signed ones are: with the header of its issuer, and a payload and signature of its own.
    private static String signed(int seed) {
        RandomGenerator random = new SplittableRandom(seed);
        StringBuilder token = new StringBuilder("eyJhbGciOiJSUzI1NiIsInR5cCIgOiAiSldUIiwia2lkIiA6ICJ4In0.");
        random.ints(1_200, 0, 64)
                .forEach(i ->
                        token.append("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".charAt(i)));
        return token.toString();
    }

    @Test
    void long_token_is_hidden_in_one_text_in_lines_and_cut() {
        String token = signed(1);
        Redactor redactor = Redactor.of(List.of(token, signed(2)));
        assertThat(redactor.hide("<" + token + "> and more")).isEqualTo("<***> and more");
        assertThat(redactor.hide(token + token + ", next")).isEqualTo("***, next");
        assertThat(redactor.hide("is " + token.substring(0, 500) + " here")).isEqualTo("is *** here");
        assertThat(redactor.hide("is\n" + token.substring(0, 700) + "\n" + token.substring(700) + "\nhere"))
                .isEqualTo("is\n***\n***\nhere");
        Redactor.Lines lines = redactor.lines();
        assertThat(lines.hide("it is " + token.substring(0, 300))).isEqualTo("it is ***");
        assertThat(lines.hide(token.substring(300, 900))).isEqualTo("***");
        assertThat(lines.hide(token.substring(900) + " and no more")).isEqualTo("*** and no more");
        for (String encoded : SecretEncodings.of(token)) {
            assertThat(redactor.hide("<" + encoded + ">")).isEqualTo("<***>");
        }
    }

    @Test
    void what_follows_a_long_token_is_shown() {
        String token = signed(1);
        assertThat(Redactor.of(List.of(token)).hide(token + "and-more")).isEqualTo("***and-more");
    }

    @Test
    void text_without_a_secret_is_returned_unchanged() {
        String text = "exited with code 1; its last words: no such file";

        assertThat(REDACTOR.hide(text)).isSameAs(text);
        assertThat(Redactor.NONE.hideInPart(text)).isSameAs(text);
    }

    @Test
    void secret_is_hidden_at_any_position() {
        assertThat(REDACTOR.hide(SECRET)).isEqualTo("***");
        assertThat(REDACTOR.hide("a " + SECRET + "b" + SECRET + SECRET)).isEqualTo("a ***b***");
    }

    @Test
    void secret_is_hidden_in_json_urls_html_and_hexadecimal() {
        String url = URLEncoder.encode(SECRET, StandardCharsets.UTF_8);
        byte[] bytes = SECRET.getBytes(StandardCharsets.UTF_8);
        List<String> forms = List.of(
                "kS\\\"9/ü x+\\\\7&q?=Zt",
                "kS\\\"9\\/\\u00fc x+\\\\7&q?=Zt",
                url,
                url.replace("+", "%20"),
                url.replace("%C3%BC", "%c3%bc")
                        .replace("%5C", "%5c")
                        .replace("%2F", "%2f")
                        .replace("%2B", "%2b")
                        .replace("%3F", "%3f")
                        .replace("%3D", "%3d"),
                "kS&quot;9/ü x+\\7&amp;q?=Zt",
                HexFormat.of().formatHex(bytes),
                HexFormat.of().withUpperCase().formatHex(bytes));

        assertThat(forms)
                .allSatisfy(form -> assertThat(REDACTOR.hide("<" + form + ">")).isEqualTo("<***>"));
    }

    @Test
    void secret_is_hidden_in_base64_at_any_offset() {
        for (int before = 0; before < 7; before++) {
            for (int after = 0; after < 4; after++) {
                byte[] all = ("u".repeat(before) + SECRET + "v".repeat(after)).getBytes(StandardCharsets.UTF_8);

                String hidden = REDACTOR.hide(Base64.getEncoder().encodeToString(all));
                String inUrl = REDACTOR.hide(Base64.getUrlEncoder().encodeToString(all));

                assertThat(hidden).contains("***").hasSizeLessThan(3 + 2 * (before + after) + 8);
                assertThat(inUrl).contains("***").hasSizeLessThan(3 + 2 * (before + after) + 8);
            }
        }
    }

    @Test
    void overlapping_secrets_are_hidden_completely() {
        Redactor redactor = Redactor.of(List.of("Bearer abcdef-12345", "abcdef-12345", "12345-xyzzy"));

        assertThat(redactor.hide("(Bearer abcdef-12345-xyzzy)")).isEqualTo("(***)");
        assertThat(redactor.hide("(abcdef-1234)(12345-xyzz)")).isEqualTo("(abcdef-1234)(12345-xyzz)");
    }

    @Test
    void possible_beginning_of_a_secret_at_the_end_of_a_truncated_text_is_hidden() {
        Redactor redactor = Redactor.of(List.of("sesame-open-up"));

        assertThat(redactor.hideInPart("it is sesame-op")).isEqualTo("it is ***");
        assertThat(redactor.hide("it is sesame-op")).isEqualTo("it is sesame-op");
        assertThat(redactor.hideInPart("it is sesame-op, isn't it")).isEqualTo("it is sesame-op, isn't it");
    }

    @Test
    void each_line_of_a_multi_line_secret_is_hidden() {
        Redactor redactor = Redactor.of(List.of("-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n"));

        assertThat(redactor.hide("line 2 is kqhkiG9w0BAQEF.")).isEqualTo("line 2 is ***.");
    }

    @Test
    void secret_is_hidden_across_a_line_break() {
        String encoded = Base64.getMimeEncoder(76, "\r\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(("u".repeat(48) + SECRET).getBytes(StandardCharsets.UTF_8));

        assertThat(REDACTOR.hide("is kS\"9/ü x\n+\\7&q?=Zt\nover")).isEqualTo("is ***\n***\nover");
        assertThat(encoded).contains("\r\n");
        assertThat(REDACTOR.hide(encoded)).contains("***\r\n***");
    }

    @Test
    void secret_that_spans_consecutive_lines_is_hidden() {
        Redactor.Lines lines = Redactor.of(List.of("sesame-open-up")).lines();

        assertThat(lines.hide("it is sesame-op")).isEqualTo("it is ***");
        assertThat(lines.hide("en-up; is it?")).isEqualTo("***; is it?");
        assertThat(lines.hide("sesa")).as("a word like others").isEqualTo("sesa");
        assertThat(lines.hide("me-open-")).isEqualTo("***");
        assertThat(lines.hide("up")).isEqualTo("***");
        assertThat(lines.hide("up")).isEqualTo("up");
    }

    @Test
    void short_values_are_not_secrets() {
        assertThat(Redactor.of(List.of("true", "8080", "debug", "      "))).isEqualTo(Redactor.NONE);
    }

    @Test
    void combined_redactor_hides_the_secrets_of_both_and_does_not_show_them() {
        Redactor both = Redactor.of(List.of("first-secret")).and(Redactor.of(List.of("second-secret")));

        assertThat(both.hide("first-secret, second-secret")).isEqualTo("***, ***");
        assertThat(both).isEqualTo(Redactor.of(List.of("second-secret", "first-secret")));
        assertThat(both.toString()).doesNotContain("first", "second-secret");
    }

    /// Compared with a naive search at every position.
    @Test
    void random_patterns_are_found_like_by_naive_search() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            List<String> words = IntStream.range(0, 1 + random.nextInt(4))
                    .mapToObj(i -> word(random, 1 + random.nextInt(5)))
                    .toList();
            String text = word(random, random.nextInt(40));

            assertThat(new MultiPatternMatcher(words).hide(text, false))
                    .as("seed %s: %s in %s", seed, words, text)
                    .isEqualTo(plainly(words, text));
        }
    }

    private static String word(Random random, int length) {
        return random.ints(length, 'a', 'd').mapToObj(Character::toString).reduce("", String::concat);
    }

    private static String plainly(List<String> words, String text) {
        boolean[] hidden = new boolean[text.length() + 1];
        for (String word : words) {
            for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
                for (int i = at; i < at + word.length(); i++) {
                    hidden[i] = true;
                }
            }
        }
        StringBuilder starred = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            boolean isFirst = hidden[i] && (i == 0 || !hidden[i - 1]);
            starred.append(hidden[i] ? isFirst ? "***" : "" : text.substring(i, i + 1));
        }
        return starred.toString();
    }

    /// A text that almost matches at every position is the worst case. Compared with a text without any partial
    /// match.
    @Test
    void worst_case_text_takes_about_as_long_as_any_other() {
        Redactor redactor = Redactor.of(List.of("a".repeat(500) + "b", "a".repeat(250) + "c"));
        String worst = "a".repeat(1 << 20);
        String plain = "-".repeat(1 << 20);
        redactor.hide(worst + plain);

        long easy = shortest(redactor, plain);
        long hard = shortest(redactor, worst);

        assertThat(hard).isLessThan(40 * easy + 20_000_000);
    }

    private static long shortest(Redactor redactor, String text) {
        return IntStream.range(0, 5)
                .mapToLong(i -> {
                    long begun = System.nanoTime();
                    redactor.hide(text);
                    return System.nanoTime() - begun;
                })
                .min()
                .orElseThrow();
    }
}
