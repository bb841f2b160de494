package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The random tests print their seed; `-Dfusebox.seed=N` plays it again.
class ExposedNameTest {
    private static final int PAIRS = 150_000;
    private static final String ENDING = "_0abcdefghijklmnop";

    @Test
    void a_name_is_server_and_tool_where_that_can_be_taken_apart_again() {
        assertThat(ExposedName.of("jira", "search")).isEqualTo("jira__search");
        assertThat(ExposedName.of("_a", "_b__c_")).isEqualTo("_a___b__c_");
        assertThat(ExposedName.split("_a___b__c_")).isEqualTo(new ExposedName("_a", "_b__c_"));
    }

    @Test
    void the_longest_plain_name_has_64_characters() {
        String own = "t".repeat(64 - "jira__".length());
        assertThat(ExposedName.of("jira", own)).isEqualTo("jira__" + own);
        assertThat(ExposedName.of("jira", own + "t"))
                .startsWith("jira__ttt")
                .hasSize(64)
                .doesNotContain(own);
    }

    @Test
    void names_with_other_characters_stay_readable() {
        assertThat(ExposedName.of("my.files", "read/file now")).matches("my-files__read-file-now_0[a-z2-7]{16}");
        assertThat(ExposedName.of("grün", "lösche")).matches("gr-n__l-sche_0[a-z2-7]{16}");
        assertThat(ExposedName.of("a__b_", "c")).matches("a_b__c_0[a-z2-7]{16}");
        assertThat(ExposedName.of("", "")).matches("x__x_0[a-z2-7]{16}");
        assertThat(ExposedName.of("___", "\u0000")).matches("x__-_0[a-z2-7]{16}");
    }

    @Test
    void name_that_looks_hashed_is_hashed() {
        String pretender = "read" + ENDING;
        assertThat(ExposedName.of("files", pretender)).isNotEqualTo("files__" + pretender);
        assertThat(ExposedName.split("files__" + pretender)).isNull();
        assertThat(ExposedName.of("files", "read_0configuration")).isEqualTo("files__read_0configuration");
    }

    /// Whoever knows the hashed name of another tool gives it to one of its own.
    @Test
    void a_hashed_name_cannot_be_had_by_giving_it_to_a_tool() {
        String victim = ExposedName.of("files", "read/file");
        String stolen = victim.substring(victim.indexOf("__") + 2);
        assertThat(ExposedName.of("files", stolen)).isNotEqualTo(victim);
        assertThat(ExposedName.of("files_", stolen)).isNotEqualTo(victim);
        assertThat(ExposedName.of(victim, "")).isNotEqualTo(victim);
    }

    @Test
    void pairs_that_read_the_same_when_joined_have_names_of_their_own() {
        List<String> names = List.of(
                ExposedName.of("a", "b__c"),
                ExposedName.of("a__b", "c"),
                ExposedName.of("a_", "b"),
                ExposedName.of("a", "_b"),
                ExposedName.of("a__", "b"),
                ExposedName.of("a", "__b"),
                ExposedName.of("a.b", "c"),
                ExposedName.of("a-b", "c"),
                ExposedName.of("a b", "c"),
                ExposedName.of("a b", "c d"),
                ExposedName.of("a b c", " d"),
                ExposedName.of("a b", "\ud800"),
                ExposedName.of("a b", "\udc00"),
                ExposedName.of("a b", "?"));
        assertThat(names).doesNotHaveDuplicates();
    }

    @Test
    void a_name_does_not_change_from_one_release_to_the_next() {
        assertThat(ExposedName.of("my.files", "read/file now")).isEqualTo("my-files__read-file-now_0jy6sk4ngl4ipawyd");
    }

    @Test
    void what_is_no_name_of_ours_cannot_be_taken_apart() {
        for (String foreign : List.of("", "jira", "jira_search", "__", "__search", "jira__", "a b__c", "a__b c")) {
            assertThat(ExposedName.split(foreign)).as(foreign).isNull();
        }
        assertThat(ExposedName.split("a__" + "b".repeat(62))).isNull();
    }

    /// Few characters, so that the random pairs meet as often as they can.
    @Test
    void no_two_of_many_pairs_share_a_name() {
        var random = seeded();
        Map<String, ExposedName> seen = new HashMap<>();
        int plain = 0;
        for (int i = 0; i < PAIRS; i++) {
            var pair = new ExposedName(word(random), word(random));
            String shown = ExposedName.of(pair.server(), pair.own());
            assertThat(shown).matches("[A-Za-z0-9_-]{1,64}");
            assertThat(seen.getOrDefault(shown, pair)).as(shown).isEqualTo(pair);
            seen.put(shown, pair);
            ExposedName parts = ExposedName.split(shown);
            plain += parts == null ? 0 : 1;
            assertThat(parts == null || parts.equals(pair)).as(shown).isTrue();
        }
        assertThat(plain).isBetween(PAIRS / 20, PAIRS * 19 / 20);
        assertThat(seen.size()).isGreaterThan(PAIRS / 2);
    }

    private static String word(SplittableRandom random) {
        int kind = random.nextInt(8);
        var text = new StringBuilder();
        int length = kind == 0 ? random.nextInt(30, 90) : random.nextInt(7);
        String letters = kind < 3 ? "ab_.- \u00fc\ud800" : "ab_-";
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return kind == 7 ? text + ENDING : text.toString();
    }

    private static SplittableRandom seeded() {
        long seed = Long.getLong("fusebox.seed", 20_261_121);
        System.out.printf("seed %d%n", seed);
        return new SplittableRandom(seed);
    }

    /// All pairs of short words over the characters that matter.
    @Test
    void no_two_of_all_short_pairs_share_a_name() {
        List<String> words = new ArrayList<>(List.of(""));
        for (int i = 0; words.size() < 400; i++) {
            for (char letter : "a_-.".toCharArray()) {
                words.add(words.get(i) + letter);
            }
        }
        Map<String, ExposedName> seen = new HashMap<>();
        for (String server : words) {
            for (String own : words) {
                ExposedName before = seen.put(ExposedName.of(server, own), new ExposedName(server, own));
                assertThat(before)
                        .as("also has the name of %s and %s", server, own)
                        .isNull();
            }
        }
    }
}
