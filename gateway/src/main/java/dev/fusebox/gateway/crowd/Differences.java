package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is told of a server's tools. Pure functions; thread-safe.
final class Differences {
    private Differences() {}

    static LifecycleEvent.ToolsDiscovered discovered(Offer offer) {
        List<Item> tools = offer.of(Kind.TOOLS);
        return new LifecycleEvent.ToolsDiscovered(
                tools.size(), tools.stream().mapToLong(Item::tokens).sum());
    }

    /// Empty if a model would see no difference.
    static Optional<LifecycleEvent> between(Offer before, Offer after) {
        Map<String, Item> gone = byName(before);
        List<String> added = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        for (Item tool : after.of(Kind.TOOLS)) {
            Item earlier = gone.remove(tool.own());
            if (earlier == null) {
                added.add(tool.own());
            } else if (!earlier.equals(tool)) {
                changed.add(tool.own());
            }
        }
        boolean isSame = added.isEmpty() && changed.isEmpty() && gone.isEmpty();
        return isSame
                ? Optional.empty()
                : Optional.of(new LifecycleEvent.ToolsUpdated(added, List.copyOf(gone.keySet()), changed));
    }

    /// The tools that are there no more.
    static List<String> gone(Offer before, Offer after) {
        Map<String, Item> still = byName(after);
        return before.of(Kind.TOOLS).stream()
                .map(Item::own)
                .filter(tool -> !still.containsKey(tool))
                .toList();
    }

    private static Map<String, Item> byName(Offer offer) {
        Map<String, Item> byName = new LinkedHashMap<>();
        offer.of(Kind.TOOLS).forEach(tool -> byName.put(tool.own(), tool));
        return byName;
    }
}
