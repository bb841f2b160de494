package dev.fusebox.gateway.extension;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.protocol.JsonView;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the gateway announces of the extensions of its servers: those that it supports itself, and those that pass
/// unchanged. Immutable; nothing blocks.
///
/// @param passed the extensions that pass unchanged
/// @param listsApps whether clients that render apps see the tools with apps where they see no other tools of servers
public record ExtensionPolicy(Set<String> passed, boolean listsApps) {
    /// The default policy.
    public static final ExtensionPolicy DEFAULT = new ExtensionPolicy(Set.of(), true);

    /// The extensions whose names, addresses and lists the gateway translates.
    private static final Set<String> SUPPORTED =
            Set.of(AnnouncedExtensions.TASKS, AnnouncedExtensions.UI, AnnouncedExtensions.SKILLS);

    /// Extensions of the modern era that legacy clients would misunderstand.
    private static final Set<String> MODERN_ONLY = Set.of(AnnouncedExtensions.TASKS);

    private static final String DIRECTORIES = "directoryRead";
    private static final JsonView NO_SETTINGS = JsonView.of("{}");

    public ExtensionPolicy {
        passed = Set.copyOf(passed);
    }

    /// The extensions of these servers that a client learns of. Settings are those of the first server that announces
    /// the extension.
    ///
    /// @param isLegacy whether the client is
    public AnnouncedExtensions of(Collection<CatalogContents> servers, boolean isLegacy) {
        Map<String, JsonView> union = new HashMap<>();
        for (CatalogContents server : servers) {
            server.extensions().settings().forEach(union::putIfAbsent);
            if (hasApps(server)) {
                union.putIfAbsent(AnnouncedExtensions.UI, NO_SETTINGS);
            }
        }
        union.keySet().removeIf(name -> !isCarried(name) || (isLegacy && MODERN_ONLY.contains(name)));
        if (union.containsKey(AnnouncedExtensions.SKILLS)) {
            boolean areListed = servers.stream().anyMatch(ExtensionPolicy::readsDirectories);
            union.put(
                    AnnouncedExtensions.SKILLS,
                    areListed ? JsonView.of("{\"" + DIRECTORIES + "\":true}") : NO_SETTINGS);
        }
        return union.isEmpty() ? AnnouncedExtensions.NONE : new AnnouncedExtensions(union);
    }

    private boolean isCarried(String name) {
        return SUPPORTED.contains(name) || passed.contains(name);
    }

    /// Servers need not announce this extension (extension MCP Apps, section "Capability Negotiation"): their tools
    /// show that they have it.
    private static boolean hasApps(CatalogContents server) {
        return server.of(CatalogKind.TOOLS).stream().anyMatch(tool -> tool.ui().resource() != null);
    }

    /// Whether a server reads directories for its clients (extension Skills, section "Reading Directories").
    public static boolean readsDirectories(CatalogContents server) {
        return server.extensions().isSet(AnnouncedExtensions.SKILLS, DIRECTORIES);
    }

    /// Whether a client gets the tools with apps in a list that has no other tools of servers.
    public boolean listsApps(ClientMetadata client) {
        return listsApps && rendersApps(client);
    }

    /// Whether a client renders apps, and forwards what they call.
    public static boolean rendersApps(ClientMetadata client) {
        return AnnouncedExtensions.in(client.capabilities()).has(AnnouncedExtensions.UI);
    }

    /// The passed extension to which a method belongs because its name begins with the identifier of the extension
    /// and a slash; null if there is none.
    public @Nullable String extensionOf(String method) {
        int first = method.indexOf('/');
        int second = first < 0 ? -1 : method.indexOf('/', first + 1);
        String identifier = second < 0 ? "" : method.substring(0, second);
        return passed.contains(identifier) && !SUPPORTED.contains(identifier) ? identifier : null;
    }
}
