package dev.fusebox.gateway.catalog;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The contents of one server's lists. Immutable.
///
/// @param catalogEntries by kind, in the server's order; own names are unique within a kind. A kind without entries is
///     left out, whether the server does not support it or has none.
/// @param extensions that the server announces
public record CatalogContents(Map<CatalogKind, List<CatalogEntry>> catalogEntries, AnnouncedExtensions extensions) {
    public static final CatalogContents NOTHING = new CatalogContents(Map.of());

    /// The contents of a server without extensions.
    public CatalogContents(Map<CatalogKind, List<CatalogEntry>> catalogEntries) {
        this(catalogEntries, AnnouncedExtensions.NONE);
    }

    public CatalogContents {
        Map<CatalogKind, List<CatalogEntry>> copy = new EnumMap<>(CatalogKind.class);
        catalogEntries.forEach((kind, list) -> {
            if (!list.isEmpty()) {
                copy.put(kind, List.copyOf(list));
            }
        });
        catalogEntries = copy;
    }

    public List<CatalogEntry> of(CatalogKind kind) {
        return catalogEntries.getOrDefault(kind, List.of());
    }

    /// The kinds whose entries differ from those of the other contents.
    public Set<CatalogKind> differences(CatalogContents other) {
        Set<CatalogKind> differing = EnumSet.noneOf(CatalogKind.class);
        for (CatalogKind kind : CatalogKind.values()) {
            if (!of(kind).equals(other.of(kind))) {
                differing.add(kind);
            }
        }
        return differing;
    }
}
