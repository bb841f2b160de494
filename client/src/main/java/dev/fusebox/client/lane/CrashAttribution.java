package dev.fusebox.client.lane;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Attributes the crashes of one server to tools. A crash is attributed to a tool that was the only one in flight, or
/// that was in flight at each of the last `threshold` crashes. In the second case the earlier crashes since the tool's
/// last answer that were not attributed to it count as well. Pure state, no clock. Thread-safe; nothing blocks.
final class CrashAttribution {
    private final int threshold;
    /// What was in flight at the last `threshold - 1` crashes, the newest first.
    private final Deque<Set<String>> before = new ArrayDeque<>();
    /// The tools that were in flight at the last crash and not blamed for it, with the number of such crashes since
    /// their last answer.
    private final Map<String, Integer> suspected = new HashMap<>();
    /// Read on the path of every answered call.
    private volatile boolean hasSuspects;

    /// @param threshold how many crashes in a row; 0 if all crashes count for the server
    CrashAttribution(int threshold) {
        this.threshold = threshold;
    }

    /// The server crashed.
    ///
    /// @param tools that were in flight
    /// @param others whether other requests of clients were in flight
    /// @return for each tool that is to blame how many crashes count against it; empty if the server is to blame
    synchronized Map<String, Integer> crashed(Set<String> tools, boolean others) {
        Map<String, Integer> blamed = new HashMap<>();
        if (threshold == 0) {
            return blamed;
        }
        suspected.keySet().retainAll(tools);
        boolean isAlone = tools.size() == 1 && !others;
        for (String tool : tools) {
            if (isInAllBefore(tool)) {
                Integer missed = suspected.remove(tool);
                blamed.put(tool, missed == null ? 1 : 1 + missed);
            } else if (isAlone) {
                blamed.put(tool, 1);
            } else {
                suspected.merge(tool, 1, Integer::sum);
            }
        }
        remember(tools);
        hasSuspects = !suspected.isEmpty();
        return blamed;
    }

    private boolean isInAllBefore(String tool) {
        return before.size() == threshold - 1 && before.stream().allMatch(inFlight -> inFlight.contains(tool));
    }

    private void remember(Set<String> tools) {
        before.addFirst(Set.copyOf(tools));
        while (before.size() >= threshold) {
            before.removeLast();
        }
    }

    /// A call of this tool was answered: crashes before that do not count against it any more.
    void answered(String tool) {
        if (hasSuspects) {
            synchronized (this) {
                suspected.remove(tool);
                hasSuspects = !suspected.isEmpty();
            }
        }
    }
}
