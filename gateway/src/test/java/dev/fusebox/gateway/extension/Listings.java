package dev.fusebox.gateway.extension;

import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The lists of a server, for tests. Pure functions.
final class Listings {
    private Listings() {}

    /// A server that lists these addresses as resources.
    static CatalogContents resources(String... addresses) {
        return new CatalogContents(Map.of(CatalogKind.RESOURCES, entries(addresses)));
    }

    /// A server with a tool for each of these addresses, which is rendered with it.
    static CatalogContents tools(String... addresses) {
        return new CatalogContents(Map.of(
                CatalogKind.TOOLS,
                Stream.of(addresses)
                        .map(address -> new CatalogEntry(
                                "of " + address,
                                JsonView.of(
                                        "{\"_meta\":{\"ui\":{\"resourceUri\":" + JsonWriter.quoted(address) + "}}}")))
                        .toList()));
    }

    /// A server with these skills, by the addresses of their `SKILL.md`.
    static CatalogContents skills(String... addresses) {
        return new CatalogContents(Map.of(CatalogKind.SKILLS, entries(addresses)));
    }

    /// The lists of both.
    static CatalogContents together(CatalogContents one, CatalogContents other) {
        Map<CatalogKind, List<CatalogEntry>> all = new EnumMap<>(CatalogKind.class);
        for (CatalogKind kind : CatalogKind.values()) {
            all.put(
                    kind,
                    Stream.concat(one.of(kind).stream(), other.of(kind).stream())
                            .toList());
        }
        return new CatalogContents(all);
    }

    /// A server that announces these extensions.
    static CatalogContents announcing(String extensions) {
        return new CatalogContents(
                Map.of(), AnnouncedExtensions.in(JsonView.of("{\"extensions\":" + extensions + "}")));
    }

    private static List<CatalogEntry> entries(String... addresses) {
        return Stream.of(addresses)
                .map(address -> new CatalogEntry(address, JsonView.of("{}")))
                .toList();
    }
}
