package dev.fusebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of the reported part of a script's console.
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
    void output_beyond_the_limit_is_rejected_even_if_the_worker_sends_it() {
        ScriptConsole scriptConsole = new ScriptConsole(10);
        assertThat(scriptConsole.add("four")).isTrue();
        assertThat(scriptConsole.add("four")).isTrue();
        assertThat(scriptConsole.add("")).isFalse();
        assertThat(scriptConsole.all()).containsExactly("four", "four");
    }

    @Test
    void few_lines_are_reported_completely() {
        assertThat(of(numbered(100)).excerpt()).isEqualTo(numbered(100));
    }

    @Test
    void first_and_last_lines_and_the_number_of_omitted_lines_are_reported() {
        List<String> excerpt = of(numbered(1_000_000)).excerpt();
        assertThat(excerpt).startsWith("line 0", "line 1").endsWith("line 999998", "line 999999");
        String between = excerpt.stream()
                .filter(line -> line.startsWith("..."))
                .findFirst()
                .orElseThrow();
        assertThat(between).isEqualTo("... (" + (1_000_000 - excerpt.size() + 1) + " lines omitted)");
        assertThat(String.join("\n", excerpt)).hasSizeBetween(ScriptConsole.TOLD, 2 * ScriptConsole.TOLD + 100);
    }

    @Test
    void long_line_is_truncated() {
        List<String> excerpt = of(List.of("a", "x".repeat(1_000_000), "b")).excerpt();
        assertThat(excerpt).hasSize(3).startsWith("a").endsWith("b");
        assertThat(excerpt.get(1)).endsWith("... (997952 more characters)");
    }
}
