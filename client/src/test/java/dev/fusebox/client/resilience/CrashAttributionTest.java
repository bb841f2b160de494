package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Which tools are blamed for which crashes of their server.
class CrashAttributionTest {
    private final CrashAttribution attribution = new CrashAttribution(3);

    @Test
    void crash_is_attributed_to_the_only_tool_in_flight() {
        assertThat(attribution.crashed(Set.of("poison"), false)).isEqualTo(Map.of("poison", 1));
        assertThat(attribution.crashed(Set.of("poison"), false)).isEqualTo(Map.of("poison", 1));
    }

    @Test
    void a_tool_beside_another_request_is_not_alone() {
        assertThat(attribution.crashed(Set.of("poison"), true)).isEmpty();
        assertThat(attribution.crashed(Set.of(), true)).isEmpty();
        assertThat(attribution.crashed(Set.of(), false)).isEmpty();
    }

    @Test
    void three_crashes_are_attributed_to_a_tool_in_flight_at_each_of_them() {
        assertThat(attribution.crashed(Set.of("poison", "a"), false)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison", "b"), false)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison", "c"), false)).isEqualTo(Map.of("poison", 3));
        assertThat(attribution.crashed(Set.of("poison", "d"), false)).isEqualTo(Map.of("poison", 1));
    }

    @Test
    void earlier_crashes_are_attributed_to_a_tool_that_was_alone_at_the_last_one() {
        assertThat(attribution.crashed(Set.of("poison", "a"), false)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison"), true)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison"), false)).isEqualTo(Map.of("poison", 3));
    }

    /// Calls that come close together are in flight at the same crashes by chance.
    @Test
    void crashes_before_count_no_more_once_one_has_been_counted() {
        assertThat(attribution.crashed(Set.of("poison"), true)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison"), false)).isEqualTo(Map.of("poison", 1));
        assertThat(attribution.crashed(Set.of("poison", "a"), false)).isEqualTo(Map.of("poison", 1));
        assertThat(attribution.crashed(Set.of("poison"), false)).isEqualTo(Map.of("poison", 1));
    }

    @Test
    void only_the_last_crash_is_attributed_to_several_tools_in_flight_at_each() {
        attribution.crashed(Set.of("a", "b"), false);
        attribution.crashed(Set.of("a", "b", "c"), false);
        assertThat(attribution.crashed(Set.of("a", "b"), false)).isEqualTo(Map.of("a", 1, "b", 1));
    }

    @Test
    void a_tool_that_was_answered_in_between_is_excused_beside_one_that_was_not() {
        attribution.crashed(Set.of("poison", "often"), false);
        attribution.answered("often");
        attribution.crashed(Set.of("poison", "often"), false);
        attribution.answered("often");
        assertThat(attribution.crashed(Set.of("poison", "often"), false)).isEqualTo(Map.of("poison", 3, "often", 0));
    }

    @Test
    void last_crash_is_attributed_to_all_tools_if_all_were_answered_in_between() {
        for (int i = 0; i < 2; i++) {
            attribution.crashed(Set.of("a", "b"), false);
            attribution.answered("a");
            attribution.answered("b");
        }
        assertThat(attribution.crashed(Set.of("a", "b"), false)).isEqualTo(Map.of("a", 1, "b", 1));
    }

    @Test
    void crashes_are_attributed_to_the_only_tool_although_it_was_answered_in_between() {
        attribution.crashed(Set.of("sometimes", "a"), false);
        attribution.answered("sometimes");
        attribution.crashed(Set.of("sometimes", "b"), false);
        attribution.answered("sometimes");
        assertThat(attribution.crashed(Set.of("sometimes", "c"), false)).isEqualTo(Map.of("sometimes", 1));
    }

    @Test
    void a_crash_without_the_tool_ends_its_row() {
        attribution.crashed(Set.of("poison", "a"), false);
        attribution.crashed(Set.of("poison", "b"), false);
        assertThat(attribution.crashed(Set.of(), false)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison", "c"), false)).isEmpty();
    }

    @Test
    void crash_is_attributed_to_no_tool_where_crashes_count_for_the_server() {
        CrashAttribution none = new CrashAttribution(0);
        for (int i = 0; i < 5; i++) {
            assertThat(none.crashed(Set.of("poison"), false)).isEmpty();
        }
    }

    @Test
    void random_histories_agree_with_a_look_through_all_of_history() {
        SplittableRandom seeds = new SplittableRandom(44);
        for (int i = 0; i < 2_000; i++) {
            long seed = seeds.nextLong();
            playRandomHistory(seed, new SplittableRandom(seed));
        }
    }

    /// The rule as plainly as possible: everything is remembered, and every question looks through it.
    private static void playRandomHistory(long seed, SplittableRandom random) {
        int threshold = 1 + random.nextInt(4);
        CrashAttribution attribution = new CrashAttribution(threshold);
        List<Happened> history = new ArrayList<>();
        for (int step = 0; step < 40; step++) {
            if (random.nextInt(3) == 0) {
                String tool = "tool" + random.nextInt(4);
                attribution.answered(tool);
                history.add(new Happened(Set.of(), tool, Map.of()));
            } else {
                Set<String> tools = anyOfFour(random);
                boolean others = random.nextBoolean();
                Map<String, Integer> expected = expected(threshold, history, tools, others);
                assertThat(attribution.crashed(tools, others))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(expected);
                history.add(new Happened(tools, "", expected));
            }
        }
    }

    /// A crash or an answer.
    ///
    /// @param tools that were in flight at the crash
    /// @param answered empty if it was a crash
    /// @param counted what was counted at the crash
    private record Happened(Set<String> tools, String answered, Map<String, Integer> counted) {
        boolean isCrash() {
            return answered.isEmpty();
        }
    }

    private static Set<String> anyOfFour(SplittableRandom random) {
        Set<String> tools = new HashSet<>(Set.of("tool0", "tool1", "tool2", "tool3"));
        tools.removeIf(tool -> random.nextBoolean());
        return tools;
    }

    private static Map<String, Integer> expected(
            int threshold, List<Happened> history, Set<String> tools, boolean others) {
        List<Set<String>> last = history.reversed().stream()
                .filter(Happened::isCrash)
                .limit(threshold - 1)
                .map(Happened::tools)
                .toList();
        Set<String> always = new HashSet<>(tools);
        last.forEach(always::retainAll);
        boolean isAlone = tools.size() == 1 && !others;
        boolean isEarly = last.size() < threshold - 1;
        Set<String> suspects = isAlone ? tools : isEarly ? Set.of() : always;
        List<String> unanswered = suspects.stream()
                .filter(tool -> row(tool, history).size() + 1 >= threshold)
                .toList();
        Map<String, Integer> expected = new HashMap<>();
        for (String tool : suspects) {
            List<Happened> row = row(tool, history);
            boolean isExcused = !unanswered.isEmpty() && !unanswered.contains(tool);
            boolean isUncounted = row.stream().allMatch(crash -> crash.counted().getOrDefault(tool, 0) == 0);
            boolean isFound = unanswered.equals(List.of(tool)) && isUncounted;
            expected.put(tool, isExcused ? 0 : isFound ? row.size() + 1 : 1);
        }
        return expected;
    }

    /// The last crashes, back to the tool's last answer, or to one at which it was not in flight.
    private static List<Happened> row(String tool, List<Happened> history) {
        return history.reversed().stream()
                .takeWhile(each -> each.isCrash()
                        ? each.tools().contains(tool)
                        : !each.answered().equals(tool))
                .filter(Happened::isCrash)
                .toList();
    }
}
