package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ExposedName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools of a server as clients see them, computed once for each list and policy: every search reads the
/// status of the servers, and some have thousands of tools. Thread-safe; concurrent readers may both compute
/// them.
final class ToolSnapshots {
    private volatile @Nullable CachedTools latest;

    /// @param tools of these contents, under this policy
    private record CachedTools(CatalogContents contents, ServerPolicy rules, List<ServerSnapshot.Tool> tools) {}

    @SuppressWarnings("ReferenceEquality") // equal contents would have to be compared tool by tool
    List<ServerSnapshot.Tool> of(String server, CatalogContents contents, ServerPolicy rules) {
        CachedTools known = latest;
        if (known == null || known.contents() != contents || known.rules() != rules) {
            known = new CachedTools(contents, rules, tools(server, contents, rules));
            latest = known;
        }
        return known.tools();
    }

    private static List<ServerSnapshot.Tool> tools(String server, CatalogContents contents, ServerPolicy rules) {
        List<ServerSnapshot.Tool> tools = new ArrayList<>();
        for (CatalogEntry tool : contents.of(CatalogKind.TOOLS)) {
            String part = rules.shown(tool.own());
            if (part != null) {
                tools.add(ServerSnapshot.Tool.of(tool, ExposedName.of(server, part)));
            }
        }
        return List.copyOf(tools);
    }
}
