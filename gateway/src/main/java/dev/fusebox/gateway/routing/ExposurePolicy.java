package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ToolFilter;
import dev.fusebox.gateway.tools.GatewayTool;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rule that decides which tools are listed to clients. Tools that are not exposed can still be called
/// through a gateway tool. Immutable.
///
/// @param hasAll whether everything that servers offer is exposed
/// @param pinned server tools that are exposed in any case
/// @param own gateway tools
/// @param tools the tools that clients can see, find and call, as `server/tool`
public record ExposurePolicy(boolean hasAll, Set<Pin> pinned, List<GatewayTool> own, ToolFilter tools) {
    /// One tool of a server, by server id and own name.
    public record Pin(String server, String tool) {
        /// Parses `server/tool`.
        public static Pin of(String text) {
            int slash = text.indexOf('/');
            return new Pin(text.substring(0, slash), text.substring(slash + 1));
        }
    }

    public ExposurePolicy {
        pinned = Set.copyOf(pinned);
        own = List.copyOf(own);
    }

    /// A policy for which every tool exists.
    public ExposurePolicy(boolean hasAll, Set<Pin> pinned, List<GatewayTool> own) {
        this(hasAll, pinned, own, ToolFilter.all());
    }

    /// The policy that exposes everything that servers offer, and no gateway tools.
    public static ExposurePolicy proxy() {
        return new ExposurePolicy(true, Set.of(), List.of());
    }

    /// Whether a tool exists for clients, exposed or not.
    ///
    /// @param server id under which clients address the server
    boolean knows(String server, String own) {
        return tools.lets(server + "/" + own);
    }

    /// Whether a tool is exposed.
    boolean has(String server, String tool) {
        return hasAll || pinned.contains(new Pin(server, tool));
    }

    /// Whether anything of a server may be exposed.
    boolean concerns(String server) {
        return hasAll || pinned.stream().anyMatch(pin -> pin.server().equals(server));
    }

    /// Whether a catalog entry is exposed. Skills cost a model nothing until it loads one, and are in any case.
    boolean has(CatalogKind kind, Catalog.Entry entry) {
        return hasAll
                || kind == CatalogKind.SKILLS
                || (kind == CatalogKind.TOOLS
                        && has(entry.server(), entry.catalogEntry().own()));
    }

    /// The gateway tool of this name; null if there is none.
    @Nullable
    GatewayTool own(String name) {
        return own.stream().filter(tool -> tool.name().equals(name)).findAny().orElse(null);
    }
}
