package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.result.ResultLimiter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The part of a catalog that clients see, in the order of their lists. Immutable.
final class VisibleCatalog {
    private final Map<CatalogKind, List<Row>> lists = new EnumMap<>(CatalogKind.class);

    /// The tools for clients that render apps.
    private final List<Row> toolsWithApps;

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
                    .forEach(entry -> rows.add(row(catalog, kind, entry)));
            lists.put(kind, List.copyOf(rows));
        }
        this.toolsWithApps = toolsWithApps(catalog, exposurePolicy);
    }

    private static Row row(Catalog catalog, CatalogKind kind, Catalog.Entry entry) {
        return new Row(entry.shown(), entry.json(kind, catalog.addresses()));
    }

    /// Tools with apps come last, so that both lists begin alike.
    private List<Row> toolsWithApps(Catalog catalog, ExposurePolicy exposurePolicy) {
        List<Row> usual = all(CatalogKind.TOOLS);
        List<Row> rendered = catalog.all(CatalogKind.TOOLS).stream()
                .filter(entry -> entry.catalogEntry().ui().isRendered())
                .filter(entry -> !exposurePolicy.has(CatalogKind.TOOLS, entry))
                .map(entry -> row(catalog, CatalogKind.TOOLS, entry))
                .toList();
        return rendered.isEmpty()
                ? usual
                : Stream.concat(usual.stream(), rendered.stream()).toList();
    }

    List<Row> all(CatalogKind kind) {
        return lists.getOrDefault(kind, List.of());
    }

    /// The same for a client.
    ///
    /// @param hasApps whether it sees the tools with apps in any case
    List<Row> all(CatalogKind kind, boolean hasApps) {
        return hasApps && kind == CatalogKind.TOOLS ? toolsWithApps : all(kind);
    }

    /// The kinds in which clients see a difference.
    Set<CatalogKind> differences(VisibleCatalog other) {
        Set<CatalogKind> differing = EnumSet.noneOf(CatalogKind.class);
        for (CatalogKind kind : CatalogKind.values()) {
            if (!all(kind).equals(other.all(kind))) {
                differing.add(kind);
            }
        }
        if (!toolsWithApps.equals(other.toolsWithApps)) {
            differing.add(CatalogKind.TOOLS);
        }
        return differing;
    }
}
