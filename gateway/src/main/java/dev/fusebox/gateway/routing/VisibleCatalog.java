package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.result.ResultLimiter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The part of a catalog that clients see, in the order of their lists. Immutable.
final class VisibleCatalog {
    private final Map<CatalogKind, List<Row>> lists = new EnumMap<>(CatalogKind.class);

    /// One item of a list.
    ///
    /// @param shown exposed name
    /// @param json the definition as clients see it
    record Row(String shown, String json) {}

    /// The template of the addresses of cut results, which is listed while results are limited.
    static final Row OF_CUT_RESULTS = new Row("cut-results", ResultLimiter.TEMPLATE);

    VisibleCatalog(Catalog catalog, ExposurePolicy exposurePolicy) {
        for (CatalogKind kind : CatalogKind.values()) {
            List<Row> rows = new ArrayList<>();
            if (kind == CatalogKind.TOOLS) {
                exposurePolicy.own().forEach(tool -> rows.add(new Row(tool.name(), tool.definition())));
            }
            catalog.all(kind).stream()
                    .filter(entry -> exposurePolicy.has(kind, entry))
                    .forEach(entry -> rows.add(new Row(entry.shown(), entry.json(kind))));
            lists.put(kind, List.copyOf(rows));
        }
    }

    List<Row> all(CatalogKind kind) {
        return lists.getOrDefault(kind, List.of());
    }

    /// The kinds in which clients see a difference.
    Set<CatalogKind> differences(VisibleCatalog other) {
        Set<CatalogKind> differing = EnumSet.noneOf(CatalogKind.class);
        for (CatalogKind kind : CatalogKind.values()) {
            if (!all(kind).equals(other.all(kind))) {
                differing.add(kind);
            }
        }
        return differing;
    }
}
