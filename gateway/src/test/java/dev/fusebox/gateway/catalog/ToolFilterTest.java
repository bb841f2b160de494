package dev.fusebox.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolFilterTest {
    @Test
    void exclude_wins_over_include() {
        var filter = new ToolFilter(List.of("*"), List.of("admin_*"));
        assertThat(filter.lets("search")).isTrue();
        assertThat(filter.lets("admin_drop")).isFalse();
        assertThat(filter.lets("admin")).isTrue();
    }

    @Test
    void what_is_not_included_is_not_seen() {
        assertThat(new ToolFilter(List.of(), List.of()).lets("search")).isFalse();
        assertThat(new ToolFilter(List.of("read_*", "list"), List.of()).lets("search"))
                .isFalse();
        assertThat(new ToolFilter(List.of("read_*", "list"), List.of()).lets("list"))
                .isTrue();
        assertThat(ToolFilter.all().lets("")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "a*c, ac, true",
        "a*c, abbc, true",
        "a*c, acb, false",
        "aa*aa, aaa, false",
        "*b*b*, abab, true",
        "*b*b*, aba, false",
        "*ab*b, ab, false",
        "*ab*b, aabb, true",
        "a**b, ab, true",
        "., a, false",
        "[a-z]*, abc, false",
        "a.c, abc, false",
        "**, anything, true",
    })
    void only_the_star_has_a_meaning(String pattern, String name, boolean matches) {
        assertThat(GlobPattern.of(pattern).matches(name)).isEqualTo(matches);
    }

    /// Short words of two letters, against the same pattern as a regular expression.
    @Test
    void patterns_match_as_documented() {
        long seed = Long.getLong("fusebox.seed", 20_261_121);
        System.out.printf("seed %d%n", seed);
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 50_000; i++) {
            String pattern = word(random, "ab*");
            String name = word(random, "ab");
            boolean expected = Pattern.matches(pattern.replace("*", ".*"), name);
            assertThat(GlobPattern.of(pattern).matches(name))
                    .as("%s of %s", name, pattern)
                    .isEqualTo(expected);
        }
    }

    private static String word(SplittableRandom random, String letters) {
        var text = new StringBuilder();
        for (int length = random.nextInt(9); length > 0; length--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }

    /// Whoever tries all ways to share the name out among the stars is not done in this life.
    @Test
    @Timeout(20)
    void many_stars_and_a_long_name_take_no_time() {
        var filter = new ToolFilter(List.of("*a".repeat(200) + "b"), List.of());
        assertThat(filter.lets("a".repeat(100_000))).isFalse();
    }

    @Test
    void a_renamed_tool_is_found_by_its_new_name_only() {
        var toolRenaming = new ToolRenaming(Map.of("srch_v2", "search"));
        assertThat(toolRenaming.shown("srch_v2")).isEqualTo("search");
        assertThat(toolRenaming.own("search")).isEqualTo("srch_v2");
        assertThat(toolRenaming.own("srch_v2")).isNull();
        assertThat(toolRenaming.own("list")).isEqualTo("list");
    }

    @Test
    void tool_whose_name_is_taken_is_not_exposed() {
        var toolRenaming = new ToolRenaming(Map.of("srch_v2", "search"));
        assertThat(toolRenaming.shown("search")).isNull();
        assertThat(ToolRenaming.none().shown("search")).isEqualTo("search");
    }

    @Test
    void two_tools_may_exchange_their_names() {
        var toolRenaming = new ToolRenaming(Map.of("a", "b", "b", "a"));
        assertThat(toolRenaming.shown("a")).isEqualTo("b");
        assertThat(toolRenaming.own("b")).isEqualTo("a");
        assertThat(toolRenaming.shown("b")).isEqualTo("a");
        assertThat(toolRenaming.own("a")).isEqualTo("b");
    }

    @Test
    void two_tools_cannot_have_one_name() {
        assertThatThrownBy(() -> new ToolRenaming(Map.of("a", "c", "b", "c")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shown as c");
    }
}
