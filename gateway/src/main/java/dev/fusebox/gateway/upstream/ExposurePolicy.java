package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.tools.GatewayTool;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What clients get to see of all that there is. What is not on it can still be called by a tool of the gateway's
/// own. Immutable.
///
/// @param hasAll whether all that servers offer is on it
/// @param pinned tools of servers that are on it in any case
/// @param own tools of the gateway's own
public record ExposurePolicy(boolean hasAll, Set<Pin> pinned, List<GatewayTool> own) {
    /// One tool of a server, both by their own names.
    public record Pin(String server, String tool) {
        /// Of `server/tool`.
        public static Pin of(String text) {
            int slash = text.indexOf('/');
            return new Pin(text.substring(0, slash), text.substring(slash + 1));
        }
    }

    public ExposurePolicy {
        pinned = Set.copyOf(pinned);
        own = List.copyOf(own);
    }

    /// All that servers offer, and nothing else.
    public static ExposurePolicy proxy() {
        return new ExposurePolicy(true, Set.of(), List.of());
    }

    /// Whether a tool is on it.
    boolean has(String server, String tool) {
        return hasAll || pinned.contains(new Pin(server, tool));
    }

    /// Whether anything of a server may be on it.
    boolean concerns(String server) {
        return hasAll || pinned.stream().anyMatch(pin -> pin.server().equals(server));
    }

    /// Whether a thing in the catalog is on it.
    boolean has(CatalogKind kind, Catalog.Entry entry) {
        return hasAll
                || (kind == CatalogKind.TOOLS
                        && has(entry.server(), entry.catalogEntry().own()));
    }

    /// The gateway's own tool of this name; null if there is none.
    @Nullable
    GatewayTool own(String name) {
        return own.stream().filter(tool -> tool.name().equals(name)).findAny().orElse(null);
    }
}
