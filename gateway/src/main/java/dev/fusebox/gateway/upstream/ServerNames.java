package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ExposedName;
import dev.fusebox.gateway.catalog.ServerCatalog;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The names under which clients see what one server offers: its filters and renamings apply. Thread-safe; nothing
/// blocks.
public final class ServerNames {
    private final ServerRuntime runtime;
    private final SessionCatalog sessions;
    private final ServerCatalog catalog;

    ServerNames(ServerRuntime runtime, SessionCatalog sessions, ServerCatalog catalog) {
        this.runtime = runtime;
        this.sessions = sessions;
        this.catalog = catalog;
    }

    /// The exposed name of an entry; null if clients do not see it.
    @Nullable
    public String shownName(CatalogKind kind, String own) {
        String part = shownPart(kind, own);
        return part == null ? null : ExposedName.of(runtime.id(), part);
    }

    /// The part of the exposed name after the server.
    @Nullable
    public String shownPart(CatalogKind kind, String own) {
        return kind == CatalogKind.TOOLS ? runtime.rules().shown(own) : own;
    }

    /// The exposed names of its tools that models of a client see, without the server's prefix.
    public List<String> toolNames(ClientMetadata client) {
        return sessions.contents(client).of(CatalogKind.TOOLS).stream()
                .filter(tool -> tool.ui().isForModels())
                .flatMap(tool -> Optional.ofNullable(shownPart(CatalogKind.TOOLS, tool.own())).stream())
                .toList();
    }

    /// The catalog entry of this name; null if there is none, or clients do not see it.
    @Nullable
    public CatalogEntry catalogEntry(CatalogKind kind, String own) {
        return shownPart(kind, own) == null
                ? null
                : catalog.contents().of(kind).stream()
                        .filter(each -> each.own().equals(own))
                        .findFirst()
                        .orElse(null);
    }

    /// The server's own name for this part of an exposed name; null if clients do not see it.
    @Nullable
    public String ownName(CatalogKind kind, String part) {
        return kind == CatalogKind.TOOLS ? runtime.rules().own(part) : part;
    }
}
