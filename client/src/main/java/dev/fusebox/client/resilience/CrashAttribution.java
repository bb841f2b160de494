package dev.fusebox.client.resilience;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The attribution of one server's crashes to tools: to a tool that was the only one in flight, and to each
/// that was in flight at each of the last `threshold` crashes.
///
/// Where some of these were answered in between and others were not, those that were answered are excused: the
/// crash does not count against them. If exactly one was not answered, the earlier crashes count against it as
/// well, unless one of them has been counted already.
///
/// Pure state, no clock. Thread-safe; nothing blocks.
final class CrashAttribution {
    private final int threshold;
    /// The tools in flight at each of the last `threshold - 1` crashes, the newest first.
    private final Deque<Set<String>> before = new ArrayDeque<>();
    /// The tools that were in flight at the last crash and have not been answered since.
    private final Map<String, Row> rows = new HashMap<>();
    /// Read on the path of every answered call.
    private volatile boolean hasRows;

    /// Consecutive crashes, without an answer of the tool in between.
    ///
    /// @param length at how many the tool was in flight
    /// @param counted how many have been counted against it
    private record Row(int length, int counted) {
        private static final Row EMPTY = new Row(0, 0);

        Row longer() {
            return new Row(length + 1, counted);
        }

        Row counting(int more) {
            return new Row(length, counted + more);
        }
    }

    /// @param threshold number of consecutive crashes; 0 if all crashes count for the server
    CrashAttribution(int threshold) {
        this.threshold = threshold;
    }

    /// Records a crash of the server.
    ///
    /// @param tools that were in flight
    /// @param others whether other requests of clients were in flight
    /// @return for each tool that the crash is attributed to, how many crashes count against it now, possibly
    ///     none; empty if the crash is attributed to the server
    synchronized Map<String, Integer> crashed(Set<String> tools, boolean others) {
        Map<String, Integer> blamed = new HashMap<>();
        if (threshold == 0) {
            return blamed;
        }
        rows.keySet().retainAll(tools);
        tools.forEach(tool -> rows.put(tool, rows.getOrDefault(tool, Row.EMPTY).longer()));
        boolean isAlone = tools.size() == 1 && !others;
        Set<String> suspects =
                isAlone ? tools : tools.stream().filter(this::isInAllBefore).collect(Collectors.toSet());
        Set<String> unanswered = suspects.stream().filter(this::isUnanswered).collect(Collectors.toSet());
        for (String tool : suspects) {
            boolean isExcused = !unanswered.isEmpty() && !unanswered.contains(tool);
            blamed.put(tool, isExcused ? 0 : counting(tool, unanswered.size() == 1));
        }
        blamed.forEach((tool, crashes) -> rows.computeIfPresent(tool, (name, row) -> row.counting(crashes)));
        addToHistory(tools);
        hasRows = !rows.isEmpty();
        return blamed;
    }

    private boolean isUnanswered(String tool) {
        return rows.getOrDefault(tool, Row.EMPTY).length() >= threshold;
    }

    private int counting(String tool, boolean isOnlyUnanswered) {
        Row row = rows.getOrDefault(tool, Row.EMPTY);
        return isOnlyUnanswered && row.counted() == 0 ? row.length() : 1;
    }

    private boolean isInAllBefore(String tool) {
        return before.size() == threshold - 1 && before.stream().allMatch(inFlight -> inFlight.contains(tool));
    }

    private void addToHistory(Set<String> tools) {
        before.addFirst(Set.copyOf(tools));
        while (before.size() >= threshold) {
            before.removeLast();
        }
    }

    /// Records an answered call of this tool: earlier crashes do not count against it any more.
    void answered(String tool) {
        if (hasRows) {
            synchronized (this) {
                rows.remove(tool);
                hasRows = !rows.isEmpty();
            }
        }
    }
}
