package dev.fusebox.gateway.crowd;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Everything that one server lists. Immutable.
///
/// @param items by kind, in the server's order; each is called differently from the others of its kind
record Offer(Map<Kind, List<Item>> items) {
    static final Offer NOTHING = new Offer(Map.of());

    Offer {
        Map<Kind, List<Item>> copy = new EnumMap<>(Kind.class);
        items.forEach((kind, list) -> copy.put(kind, List.copyOf(list)));
        items = copy;
    }

    List<Item> of(Kind kind) {
        return items.getOrDefault(kind, List.of());
    }

    /// The kinds whose items are not the same in the other.
    Set<Kind> differences(Offer other) {
        Set<Kind> differing = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) {
            if (!of(kind).equals(other.of(kind))) {
                differing.add(kind);
            }
        }
        return differing;
    }
}
