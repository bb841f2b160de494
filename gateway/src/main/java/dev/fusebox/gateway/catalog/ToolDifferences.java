package dev.fusebox.gateway.catalog;

import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The differences between two tool lists of a server, for events. Pure functions; thread-safe.
public final class ToolDifferences {
    private ToolDifferences() {}

    public static LifecycleEvent.ToolsDiscovered discovered(CatalogContents contents) {
        List<CatalogEntry> tools = contents.of(CatalogKind.TOOLS);
        return new LifecycleEvent.ToolsDiscovered(
                tools.size(), tools.stream().mapToLong(CatalogEntry::tokens).sum());
    }

    /// Empty if a model would see no difference.
    public static Optional<LifecycleEvent> between(CatalogContents before, CatalogContents after) {
        Map<String, CatalogEntry> gone = byName(before);
        List<String> added = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        for (CatalogEntry tool : after.of(CatalogKind.TOOLS)) {
            CatalogEntry earlier = gone.remove(tool.own());
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

    /// The names of removed tools.
    public static List<String> removed(CatalogContents before, CatalogContents after) {
        Map<String, CatalogEntry> still = byName(after);
        return before.of(CatalogKind.TOOLS).stream()
                .map(CatalogEntry::own)
                .filter(tool -> !still.containsKey(tool))
                .toList();
    }

    private static Map<String, CatalogEntry> byName(CatalogContents contents) {
        Map<String, CatalogEntry> byName = new LinkedHashMap<>();
        contents.of(CatalogKind.TOOLS).forEach(tool -> byName.put(tool.own(), tool));
        return byName;
    }
}
