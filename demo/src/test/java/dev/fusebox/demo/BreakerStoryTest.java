package dev.fusebox.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The breaker's part of the demo, under simulated time and a seeded scheduler.
class BreakerStoryTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void story_goes_as_expected_in_any_order_of_callers(long seed) {
        play(seed, false);

        assertThat(text(err)).isEmpty();
        assertThat(text(out).lines().filter(line -> line.startsWith("  * ")))
                .containsExactly(
                        "  * closed -> open",
                        "  * open -> half-open",
                        "  * half-open -> open",
                        "  * open -> half-open",
                        "  * half-open -> closed");
        assertThat(text(out).split("open -> half-open\n", -1))
                .extracting(BreakerStoryTest::refusalsBecauseOfAProbe)
                .containsExactly(0L, 4L, 4L);
        assertThat(text(out))
                .contains("Circuit breaker 'weather' is open after")
                .endsWith("All steps succeeded.\n");
    }

    @Test
    void health_summary_is_shown_while_breaker_is_open_and_at_the_end() {
        play(1, false);

        assertThat(text(out).lines().filter(line -> line.startsWith("  health")).map(String::strip))
                .containsExactly(
                        "health     2 breakers, 1 closed, 1 open, 0 half-open; unhealthy: weather",
                        "health     2 breakers, 2 closed, 0 open, 0 half-open; unhealthy: none");
    }

    @Test
    void lines_have_at_most_eighty_columns() {
        play(1, false);

        assertThat(text(out).lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void states_are_colored_on_a_terminal_only() {
        play(1, false);
        assertThat(text(out)).doesNotContain("\u001b");

        play(1, true);
        assertThat(text(out))
                .contains("\u001b[31m* closed -> open\u001b[0m")
                .contains("\u001b[33m* open -> half-open\u001b[0m")
                .contains("\u001b[32m* half-open -> closed\u001b[0m");
    }

    @Test
    void json_output_has_an_object_a_line() {
        Simulation.run(1, sim -> new BreakerStory(sim.platform(), narrator(true, true)).play());

        List<JsonView> told = text(out).lines().map(JsonView::of).toList();
        assertThat(told).extracting(object -> object.string("kind")).contains("chapter", "step", "change", "words");
        assertThat(told.stream().filter(object -> "change".equals(object.string("kind"))))
                .extracting(object -> object.string("from") + " -> " + object.string("to"))
                .startsWith("closed -> open", "open -> half-open")
                .endsWith("half-open -> closed");
    }

    @Test
    void failed_expectation_is_named_and_fails_the_demo() {
        var narrator = narrator(false, false);
        narrator.expect(true, "a probe");
        narrator.expect(false, "an end");

        assertThat(narrator.verdict()).isFalse();
        assertThat(text(err)).isEqualTo("fusebox: the demo failed; expected: an end.\n");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void interrupted_demo_stops_at_once_and_has_failed() {
        Simulation.run(1, sim -> {
            Thread.currentThread().interrupt();
            var narrator = narrator(false, false);
            new BreakerStory(sim.platform(), narrator).play();
            assertThat(narrator.verdict()).isFalse();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(sim.elapsed()).isZero();
        });
    }

    private static long refusalsBecauseOfAProbe(String part) {
        return part.lines()
                .filter(line -> line.contains("is rejected during the probe"))
                .count();
    }

    private void play(long seed, boolean color) {
        Simulation.run(seed, sim -> {
            var narrator = narrator(color, false);
            new BreakerStory(sim.platform(), narrator).play();
            assertThat(narrator.verdict()).as(() -> text(err)).isTrue();
            assertThat(sim.elapsed()).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(8));
        });
    }

    private DemoNarrator narrator(boolean color, boolean asJson) {
        return new DemoNarrator(printer(out), printer(err), color, asJson);
    }

    private static PrintStream printer(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream written) {
        return written.toString(StandardCharsets.UTF_8);
    }
}
