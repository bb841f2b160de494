package dev.fusebox.gateway.extension;

import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The addresses of apps and skills that one server lists. Immutable.
///
/// @param addresses of resources and templates with the schemes `ui` and `skill`, and those that tools are rendered
///     with: such a resource need not be listed otherwise (extension MCP Apps, section "Resource Discovery")
/// @param roots the directories of its skills
record ListedAddresses(Set<String> addresses, Set<String> roots) {
    private static final List<CatalogKind> KINDS = List.of(CatalogKind.RESOURCES, CatalogKind.TEMPLATES);

    static ListedAddresses in(CatalogContents contents) {
        Set<String> addresses = new LinkedHashSet<>();
        Set<String> roots = new LinkedHashSet<>();
        for (CatalogKind kind : KINDS) {
            contents.of(kind).stream().map(CatalogEntry::own).forEach(own -> add(own, addresses));
        }
        for (CatalogEntry tool : contents.of(CatalogKind.TOOLS)) {
            String resource = tool.ui().resource();
            if (resource != null) {
                add(resource, addresses);
            }
        }
        for (CatalogEntry skill : contents.of(CatalogKind.SKILLS)) {
            String root = SkillRoots.of(skill.own());
            if (root == null) {
                add(skill.own(), addresses);
            } else {
                roots.add(root);
            }
        }
        return new ListedAddresses(addresses, roots);
    }

    private static void add(String own, Set<String> addresses) {
        String scheme = PrefixedAddress.scheme(own);
        if (scheme.equals(ServerAddresses.UI) || scheme.equals(ServerAddresses.SKILL)) {
            addresses.add(own);
        }
    }

    boolean isEmpty() {
        return addresses.isEmpty() && roots.isEmpty();
    }

    /// Whether one of them is the address of an app.
    boolean hasApps() {
        return addresses.stream()
                .anyMatch(address -> PrefixedAddress.scheme(address).equals(ServerAddresses.UI));
    }
}
