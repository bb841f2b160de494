package dev.fusebox.simulation.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A reference model of the attribution of crashes to tools: it remembers everything, and searches all of it for
/// every question. A tool is identified by its breaker. For the threads of one simulation.
final class CrashAttributionModel {
    private final int threshold;
    private final List<Happened> history = new ArrayList<>();

    /// A crash or a response.
    ///
    /// @param answered null if it was a crash
    /// @param inFlight the tools that were in flight at the crash
    /// @param blamed the number of crashes attributed to each
    private record Happened(
            @Nullable BreakerModel answered, Set<BreakerModel> inFlight, Map<BreakerModel, Integer> blamed) {
        boolean isCrash() {
            return answered == null;
        }
    }

    CrashAttributionModel(int threshold) {
        this.threshold = threshold;
    }

    void answered(BreakerModel tool) {
        history.add(new Happened(tool, Set.of(), Map.of()));
    }

    /// The number of crashes attributed to each tool now; empty if they are attributed to the server.
    Map<BreakerModel, Integer> crashed(Set<BreakerModel> tools, boolean others) {
        Map<BreakerModel, Integer> blamed = new HashMap<>();
        boolean isAlone = tools.size() == 1 && !others;
        Set<BreakerModel> suspects = isAlone ? tools : inFlightAtEach(tools);
        List<BreakerModel> unanswered = suspects.stream()
                .filter(tool -> row(tool).size() + 1 >= threshold)
                .toList();
        for (BreakerModel tool : threshold > 0 ? suspects : Set.<BreakerModel>of()) {
            boolean isExcused = !unanswered.isEmpty() && !unanswered.contains(tool);
            boolean isFound = unanswered.equals(List.of(tool)) && !isCounted(tool);
            int usual = isExcused ? 0 : 1;
            blamed.put(tool, isFound ? row(tool).size() + 1 : usual);
        }
        history.add(new Happened(null, Set.copyOf(tools), Map.copyOf(blamed)));
        return blamed;
    }

    private boolean isCounted(BreakerModel tool) {
        return row(tool).stream().anyMatch(crash -> crash.blamed().getOrDefault(tool, 0) > 0);
    }

    /// The given tools that were also in flight at each of the last crashes.
    private Set<BreakerModel> inFlightAtEach(Set<BreakerModel> tools) {
        List<Happened> last = history.reversed().stream()
                .filter(Happened::isCrash)
                .limit(Math.max(0, threshold - 1))
                .toList();
        Set<BreakerModel> always = last.size() < threshold - 1 ? new HashSet<>() : new HashSet<>(tools);
        last.forEach(crash -> always.retainAll(crash.inFlight()));
        return always;
    }

    /// The last crashes, back to the tool's last response, or to one at which it was not in flight.
    private List<Happened> row(BreakerModel tool) {
        return history.reversed().stream()
                .takeWhile(each -> each.isCrash() ? each.inFlight().contains(tool) : each.answered() != tool)
                .filter(Happened::isCrash)
                .toList();
    }
}
