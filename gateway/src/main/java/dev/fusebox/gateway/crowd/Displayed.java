package dev.fusebox.gateway.crowd;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What of a catalog clients see, in the order of their lists. Immutable.
final class Displayed {
    private final Map<Kind, List<Row>> lists = new EnumMap<>(Kind.class);

    /// One line of a list.
    ///
    /// @param shown what clients call it by
    /// @param json as clients see it
    record Row(String shown, String json) {}

    Displayed(Catalog catalog, Menu menu) {
        for (Kind kind : Kind.values()) {
            List<Row> rows = new ArrayList<>();
            if (kind == Kind.TOOLS) {
                menu.own().forEach(tool -> rows.add(new Row(tool.name(), tool.definition())));
            }
            catalog.all(kind).stream()
                    .filter(entry -> menu.has(kind, entry))
                    .forEach(entry -> rows.add(new Row(entry.shown(), entry.json(kind))));
            lists.put(kind, List.copyOf(rows));
        }
    }

    List<Row> all(Kind kind) {
        return lists.getOrDefault(kind, List.of());
    }

    /// The kinds of which clients see something else in the other.
    Set<Kind> differences(Displayed other) {
        Set<Kind> differing = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) {
            if (!all(kind).equals(other.all(kind))) {
                differing.add(kind);
            }
        }
        return differing;
    }
}
