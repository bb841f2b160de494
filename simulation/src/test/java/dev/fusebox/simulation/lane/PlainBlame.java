package dev.fusebox.simulation.lane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which tools are to blame for which crashes, as plainly as it can be written: every crash is remembered, and every
/// question looks through all of them. A tool is known by its breaker. For the threads of one simulation.
final class PlainBlame {
    private final int threshold;
    private final List<Set<PlainBreaker>> crashes = new ArrayList<>();
    /// Crashes by number that count against the tool no more: they have counted, or came before its last answer.
    private final Map<PlainBreaker, Set<Integer>> settled = new HashMap<>();

    PlainBlame(int threshold) {
        this.threshold = threshold;
    }

    void answered(PlainBreaker tool) {
        for (int crash = 0; crash < crashes.size(); crash++) {
            settledOf(tool).add(crash);
        }
    }

    /// How many crashes count against each tool now; empty if the server is to blame.
    Map<PlainBreaker, Integer> crashed(Set<PlainBreaker> tools, boolean others) {
        crashes.add(Set.copyOf(tools));
        Map<PlainBreaker, Integer> blamed = new HashMap<>();
        for (PlainBreaker tool : tools) {
            int last = crashes.size() - 1;
            if (threshold > 0 && isInRow(tool)) {
                int count = 0;
                for (int crash = last; crash >= 0 && crashes.get(crash).contains(tool); crash--) {
                    count += settledOf(tool).add(crash) ? 1 : 0;
                }
                blamed.put(tool, count);
            } else if (tools.size() == 1 && !others && threshold > 0) {
                settledOf(tool).add(last);
                blamed.put(tool, 1);
            }
        }
        return blamed;
    }

    private boolean isInRow(PlainBreaker tool) {
        int first = crashes.size() - threshold;
        return first >= 0
                && crashes.subList(first, crashes.size()).stream().allMatch(inFlight -> inFlight.contains(tool));
    }

    private Set<Integer> settledOf(PlainBreaker tool) {
        return settled.computeIfAbsent(tool, name -> new HashSet<>());
    }
}
