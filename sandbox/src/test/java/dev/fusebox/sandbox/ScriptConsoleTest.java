package dev.fusebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is told of a script's console.
class ScriptConsoleTest {
    private static ScriptConsole of(List<String> lines) {
        ScriptConsole scriptConsole = new ScriptConsole(Long.MAX_VALUE);
        lines.forEach(scriptConsole::add);
        return scriptConsole;
    }

    private static List<String> numbered(int count) {
        return IntStream.range(0, count).mapToObj(i -> "line " + i).toList();
    }

    @Test
    void what_a_worker_says_beyond_the_limit_does_not_count_whatever_it_thinks() {
        ScriptConsole scriptConsole = new ScriptConsole(10);
        assertThat(scriptConsole.add("four")).isTrue();
        assertThat(scriptConsole.add("four")).isTrue();
        assertThat(scriptConsole.add("")).isFalse();
        assertThat(scriptConsole.all()).containsExactly("four", "four");
    }

    @Test
    void a_few_lines_are_told_whole() {
        assertThat(of(numbered(100)).excerpt()).isEqualTo(numbered(100));
    }

    @Test
    void of_many_lines_the_first_and_the_last_are_told_and_how_many_there_were_between() {
        List<String> excerpt = of(numbered(1_000_000)).excerpt();
        assertThat(excerpt).startsWith("line 0", "line 1").endsWith("line 999998", "line 999999");
        String between = excerpt.stream()
                .filter(line -> line.startsWith("..."))
                .findFirst()
                .orElseThrow();
        assertThat(between).isEqualTo("... (" + (1_000_000 - excerpt.size() + 1) + " lines are left out)");
        assertThat(String.join("\n", excerpt)).hasSizeBetween(ScriptConsole.TOLD, 2 * ScriptConsole.TOLD + 100);
    }

    @Test
    void a_line_without_end_is_cut() {
        List<String> excerpt = of(List.of("a", "x".repeat(1_000_000), "b")).excerpt();
        assertThat(excerpt).hasSize(3).startsWith("a").endsWith("b");
        assertThat(excerpt.get(1)).endsWith("... (997952 characters more)");
    }
}
