package dev.fusebox.client.lane;

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
    void a_tool_that_was_alone_in_flight_is_blamed() {
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
    void a_tool_in_flight_at_each_of_the_last_three_crashes_is_blamed_for_all_of_them() {
        assertThat(attribution.crashed(Set.of("poison", "a"), false)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison", "b"), false)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison", "c"), false)).isEqualTo(Map.of("poison", 3));
        assertThat(attribution.crashed(Set.of("poison", "d"), false)).isEqualTo(Map.of("poison", 1));
    }

    @Test
    void a_tool_that_was_alone_at_the_last_of_three_crashes_is_blamed_for_those_before_as_well() {
        assertThat(attribution.crashed(Set.of("poison"), true)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison"), false)).isEqualTo(Map.of("poison", 1));
        assertThat(attribution.crashed(Set.of("poison"), false)).isEqualTo(Map.of("poison", 2));
    }

    @Test
    void a_tool_that_was_answered_in_between_is_blamed_for_the_last_crash_only() {
        attribution.crashed(Set.of("poison", "often"), false);
        attribution.answered("often");
        attribution.crashed(Set.of("poison", "often"), false);
        attribution.answered("often");
        assertThat(attribution.crashed(Set.of("poison", "often"), false)).isEqualTo(Map.of("poison", 3, "often", 1));
    }

    @Test
    void a_crash_without_the_tool_ends_its_row() {
        attribution.crashed(Set.of("poison", "a"), false);
        attribution.crashed(Set.of("poison", "b"), false);
        assertThat(attribution.crashed(Set.of(), false)).isEmpty();
        assertThat(attribution.crashed(Set.of("poison", "c"), false)).isEmpty();
    }

    @Test
    void no_tool_is_blamed_where_crashes_count_for_the_server() {
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
        List<Set<String>> crashes = new ArrayList<>();
        Map<String, Set<Integer>> held = new HashMap<>();
        for (int step = 0; step < 40; step++) {
            String answered = "tool" + random.nextInt(4);
            if (random.nextInt(3) == 0) {
                attribution.answered(answered);
                // What came before an answer counts no more.
                held.computeIfAbsent(answered, tool -> new HashSet<>()).addAll(upTo(crashes.size()));
            } else {
                Set<String> tools = anyOfFour(random);
                boolean others = random.nextBoolean();
                crashes.add(tools);
                assertThat(attribution.crashed(tools, others))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(expected(threshold, crashes, others, held));
            }
        }
    }

    private static Set<String> anyOfFour(SplittableRandom random) {
        Set<String> tools = new HashSet<>(Set.of("tool0", "tool1", "tool2", "tool3"));
        tools.removeIf(tool -> random.nextBoolean());
        return tools;
    }

    private static Map<String, Integer> expected(
            int threshold, List<Set<String>> crashes, boolean others, Map<String, Set<Integer>> held) {
        Map<String, Integer> blamed = new HashMap<>();
        int last = crashes.size() - 1;
        Set<String> tools = crashes.get(last);
        for (String tool : tools) {
            Set<Integer> settled = held.computeIfAbsent(tool, name -> new HashSet<>());
            List<Set<String>> row = crashes.subList(Math.max(0, last - threshold + 1), last + 1);
            boolean isAlways =
                    crashes.size() >= threshold && row.stream().allMatch(inFlight -> inFlight.contains(tool));
            if (isAlways) {
                int count = 0;
                for (int crash = last; crash >= 0 && crashes.get(crash).contains(tool); crash--) {
                    count += settled.add(crash) ? 1 : 0;
                }
                blamed.put(tool, count);
            } else if (tools.size() == 1 && !others) {
                blamed.put(tool, 1);
                settled.add(last);
            }
        }
        return blamed;
    }

    private static Set<Integer> upTo(int crashes) {
        Set<Integer> all = new HashSet<>();
        for (int crash = 0; crash < crashes; crash++) {
            all.add(crash);
        }
        return all;
    }
}
