package dev.fusebox.gateway.routing;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ExposedName;
import dev.fusebox.gateway.catalog.UriTemplates;
import dev.fusebox.gateway.extension.ServerAddresses;
import dev.fusebox.gateway.tools.QualifiedToolName;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The resolver of the names and URIs that clients use to their servers. Thread-safe; nothing blocks.
final class NameResolver {
    /// Most suggestions in one message.
    private static final int MOST = 5;

    /// Most servers in one message, as in `mcp_discover`.
    private static final int MAX_SERVERS = 20;

    private static final String DISCOVER = "mcp_discover";

    static final String APP = ServerAddresses.UI + "://";
    private static final String SKILL = ServerAddresses.SKILL + "://";

    private final UpstreamServers upstreamServers;
    private final ClientMetadata client;

    /// @param client whose catalog is searched
    NameResolver(UpstreamServers upstreamServers, ClientMetadata client) {
        this.upstreamServers = upstreamServers;
        this.client = client;
    }

    private Catalog catalog() {
        return upstreamServers.views().catalog(client);
    }

    /// The result of a lookup. Immutable.
    sealed interface Found {
        record At(Route route) implements Found {}

        record NotFound(CallFailure why) implements Found {}
    }

    Found find(CatalogKind kind, String shown) {
        return kind.isNamed() ? named(kind, shown) : addressed(kind, shown);
    }

    // ---- By name

    /// A name that no server has listed may still be right, as long as its server's own list is not known.
    Found named(CatalogKind kind, String shown) {
        Catalog.Entry entry = catalog().find(kind, shown);
        if (entry != null) {
            return at(entry);
        }
        ExposedName split = ExposedName.split(shown);
        if (split == null) {
            return notFound(
                    ErrorId.UNKNOWN_TOOL, "no " + kind.noun() + " is named " + quoted(shown) + byOwnName(kind, shown));
        }
        UnavailableServer unavailableServer = upstreamServers.unavailableServer(split.server());
        if (unavailableServer != null) {
            return new Found.NotFound(unavailableServer.why());
        }
        ReplicaSet replicas = upstreamServers.replicas(split.server());
        if (replicas != null) {
            return replicas.isLive() ? known(kind, shown, split) : unlisted(kind, replicas, split);
        }
        UpstreamServer upstreamServer = upstreamServers.server(split.server());
        if (upstreamServer == null) {
            return noServer(split.server());
        }
        return upstreamServer.lists().isLive(client)
                ? known(kind, shown, split)
                : unlisted(kind, upstreamServer, split);
    }

    /// Looks it up again: the catalog may have changed between the first lookup and now.
    private Found known(CatalogKind kind, String shown, ExposedName split) {
        Catalog.Entry entry = catalog().find(kind, shown);
        return entry == null ? nothing(kind, split) : at(entry);
    }

    /// Whether a tool is outside of what clients have.
    private boolean isUnknown(CatalogKind kind, String server, String own) {
        return kind == CatalogKind.TOOLS && !upstreamServers.exposurePolicy().knows(server, own);
    }

    private Found unlisted(CatalogKind kind, UpstreamServer upstreamServer, ExposedName split) {
        String own = upstreamServer.names().ownName(kind, split.own());
        return own == null || isUnknown(kind, upstreamServer.id(), own)
                ? nothing(kind, split)
                : new Found.At(Route.to(upstreamServer, own));
    }

    private Found unlisted(CatalogKind kind, ReplicaSet replicas, ExposedName split) {
        if (replicas.servers().isEmpty()) {
            return new Found.NotFound(replicas.noReplica());
        }
        UpstreamServer first = replicas.servers().getFirst();
        String own = first.names().ownName(kind, split.own());
        return own == null || isUnknown(kind, replicas.id(), own)
                ? nothing(kind, split)
                : new Found.At(new Route(first, own, null, replicas.id()));
    }

    private static Found nothing(CatalogKind kind, ExposedName split) {
        return notFound(
                ErrorId.UNKNOWN_TOOL, split.server() + " has no " + kind.noun() + " named " + quoted(split.own()));
    }

    /// Models often omit the server. Names the servers that have such a tool, by its exposed name.
    private String byOwnName(CatalogKind kind, String own) {
        List<Catalog.Entry> there = kind == CatalogKind.TOOLS ? toolsForModels(own) : List.of();
        if (there.isEmpty()) {
            return kind == CatalogKind.TOOLS && upstreamServers.exposurePolicy().own(DISCOVER) != null
                    ? "; use " + DISCOVER + " to find tools"
                    : "";
        }
        List<String> shown = there.stream()
                .filter(entry -> upstreamServers.exposurePolicy().has(kind, entry))
                .map(Catalog.Entry::shown)
                .limit(MOST)
                .toList();
        List<String> servers =
                there.stream().map(Catalog.Entry::server).limit(MOST).toList();
        return shown.isEmpty()
                ? "; servers with a tool of this name, for mcp_call: " + String.join(", ", servers)
                : "; did you mean " + String.join(", ", shown) + "?";
    }

    /// Messages are read by models.
    private List<Catalog.Entry> toolsForModels(String own) {
        return catalog().toolsCalled(own).stream()
                .filter(Catalog.Entry::isForModels)
                .toList();
    }

    /// Lists the servers if no name is similar.
    private Found noServer(String server) {
        List<String> all = upstreamServers.names();
        List<String> near = NameSuggestions.nearest(server, all, MOST);
        String there = String.join(", ", all.stream().limit(MAX_SERVERS).toList())
                + (all.size() > MAX_SERVERS ? ", and " + (all.size() - MAX_SERVERS) + " more" : "");
        String instead = all.isEmpty() ? "; no server is configured" : "; configured are " + there;
        return notFound(
                ErrorId.UNKNOWN_SERVER,
                "unknown server " + quoted(server) + (near.isEmpty() ? instead : guesses(near)));
    }

    // ---- By two names

    /// The tool for a server's name and the tool's own name or exposed name.
    Found namedByServer(String server, String tool) {
        UnavailableServer unavailableServer = upstreamServers.unavailableServer(server);
        if (unavailableServer != null) {
            return new Found.NotFound(unavailableServer.why());
        }
        ReplicaSet replicas = upstreamServers.replicas(server);
        if (replicas != null) {
            return namedByServer(replicas, tool);
        }
        UpstreamServer upstreamServer = upstreamServers.server(server);
        if (upstreamServer == null) {
            return noServer(server);
        }
        String own = upstreamServer.names().ownName(CatalogKind.TOOLS, tool);
        String shown = own == null ? null : upstreamServer.names().shownName(CatalogKind.TOOLS, own);
        Catalog.Entry entry = catalog().find(CatalogKind.TOOLS, shown);
        if (entry != null) {
            return at(entry);
        }
        return own != null
                        && !isUnknown(CatalogKind.TOOLS, server, own)
                        && !upstreamServer.lists().isLive(client)
                ? new Found.At(Route.to(upstreamServer, own))
                : unknown(upstreamServer.id(), upstreamServer, tool);
    }

    /// Whether a server has listed a tool under this name.
    boolean isListed(String server, String tool) {
        return namedByServer(server, tool) instanceof Found.At(Route route) && route.catalogEntry() != null;
    }

    /// A tool's name without its server, which models repeat: `mcp_discover` lists further tools as `SERVER/TOOL`.
    /// Unchanged if the server has listed a tool under the whole name.
    String withoutServer(String server, String tool) {
        QualifiedToolName qualified = QualifiedToolName.of(tool);
        return qualified == null || !qualified.server().equals(server) || isListed(server, tool)
                ? tool
                : qualified.tool();
    }

    /// Whether there is a server of this name, which may be one that cannot be called.
    boolean isServer(String name) {
        return upstreamServers.server(name) != null
                || upstreamServers.replicas(name) != null
                || upstreamServers.unavailableServer(name) != null;
    }

    /// Whether a tool has this name among those of all servers.
    boolean isShown(String name) {
        return catalog().find(CatalogKind.TOOLS, name) != null;
    }

    private Found namedByServer(ReplicaSet replicas, String tool) {
        Catalog.Entry entry = catalog().find(CatalogKind.TOOLS, ExposedName.of(replicas.id(), tool));
        ExposedName name = new ExposedName(replicas.id(), tool);
        if (entry != null) {
            return at(entry);
        }
        return replicas.servers().stream()
                .filter(UpstreamServer::isLive)
                .findFirst()
                .map(upstreamServer -> unknown(replicas.id(), upstreamServer, tool))
                .orElseGet(() -> unlisted(CatalogKind.TOOLS, replicas, name));
    }

    private Found unknown(String server, UpstreamServer upstreamServer, String tool) {
        List<String> there = upstreamServer.names().toolNames(client).stream()
                .filter(name -> !isUnknown(
                        CatalogKind.TOOLS,
                        server,
                        Objects.requireNonNullElse(upstreamServer.names().ownName(CatalogKind.TOOLS, name), name)))
                .toList();
        List<String> near = NameSuggestions.nearest(tool, there, MOST);
        List<String> elsewhere = toolsForModels(tool).stream()
                .map(Catalog.Entry::server)
                .limit(MOST)
                .toList();
        String other = elsewhere.isEmpty() ? "" : "; servers with a tool of this name: " + String.join(", ", elsewhere);
        List<String> guesses = near.isEmpty() ? there.stream().limit(MOST).toList() : near;
        return notFound(ErrorId.UNKNOWN_TOOL, server + " has no tool " + quoted(tool) + guesses(guesses) + other);
    }

    private static String guesses(List<String> names) {
        String nearest = names.size() == 1 ? "; similar name: " : "; similar names: ";
        return names.isEmpty() ? "" : nearest + String.join(", ", names);
    }

    // ---- By address

    /// A URI that names its server explicitly goes there, whether it is listed or not.
    private Found addressed(CatalogKind kind, String address) {
        if (address.startsWith(Catalog.EXPLICIT)) {
            return explicit(address);
        }
        ServerAddresses.Target target = catalog().addresses().target(address);
        if (target != null) {
            return at(target);
        }
        Catalog.Entry entry = catalog().find(kind, address);
        if (entry != null) {
            return at(entry);
        }
        Catalog.Entry template = kind == CatalogKind.RESOURCES ? template(address) : null;
        if (template != null) {
            return new Found.At(Route.to(template.upstreamServer(), address));
        }
        List<UpstreamServer> possible = possible(address);
        return possible.size() == 1
                ? new Found.At(Route.to(possible.getFirst(), address))
                : notFound(ErrorId.UNKNOWN_TOOL, "no server lists " + quoted(address) + "; " + remedy(address));
    }

    /// The servers that may have an address of an app or a skill that none has listed.
    private List<UpstreamServer> possible(String address) {
        Catalog now = catalog();
        if (address.startsWith(APP)) {
            return now.serversWith(server -> now.addresses().hasApps(server.id()));
        }
        return address.startsWith(SKILL) ? now.serversWith(AnnouncedExtensions.SKILLS) : List.of();
    }

    private static String remedy(String address) {
        return address.startsWith(SKILL)
                ? SKILL + "SERVER/ before its path selects a server"
                : Catalog.EXPLICIT + "SERVER/ before the percent-encoded address selects a server";
    }

    private Found explicit(String address) {
        String server = server(address);
        try {
            String escaped =
                    address.substring(Math.min(address.length(), Catalog.EXPLICIT.length() + server.length() + 1));
            return at(new ServerAddresses.Target(server, URLDecoder.decode(escaped, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException wronglyEscaped) {
            return notFound(ErrorId.UNKNOWN_TOOL, quoted(address) + " is not escaped correctly");
        }
    }

    private Found at(ServerAddresses.Target target) {
        UnavailableServer unavailableServer = upstreamServers.unavailableServer(target.server());
        if (unavailableServer != null) {
            return new Found.NotFound(unavailableServer.why());
        }
        UpstreamServer upstreamServer = upstreamServers.server(target.server());
        return upstreamServer == null
                ? noServer(target.server())
                : new Found.At(Route.to(upstreamServer, target.own()));
    }

    /// The server part of an exposed name, whether that server exists or not; `fusebox` if there is none.
    static String server(String shown) {
        if (shown.startsWith(Catalog.EXPLICIT)) {
            String rest = shown.substring(Catalog.EXPLICIT.length());
            int slash = rest.indexOf('/');
            return slash < 0 ? rest : rest.substring(0, slash);
        }
        ExposedName split = ExposedName.split(shown);
        return split == null ? "fusebox" : split.server();
    }

    /// The server's own name for an exposed name, as far as it can be derived for an unknown one.
    static String own(UpstreamServers upstreamServers, CatalogKind kind, String shown) {
        ExposedName split = ExposedName.split(shown);
        if (split == null) {
            return shown;
        }
        UpstreamServer upstreamServer = upstreamServers.server(split.server());
        String own = upstreamServer == null ? null : upstreamServer.names().ownName(kind, split.own());
        return own == null ? split.own() : own;
    }

    /// The most specific template that matches; the first of several equally specific ones.
    private Catalog.@Nullable Entry template(String address) {
        Catalog.Entry best = null;
        for (Catalog.Entry entry : catalog().all(CatalogKind.TEMPLATES)) {
            String own = entry.catalogEntry().own();
            boolean isBetter = best == null
                    || UriTemplates.literals(own)
                            > UriTemplates.literals(best.catalogEntry().own());
            // One that is shown under another address is expanded to others.
            if (isBetter && own.equals(entry.shown()) && UriTemplates.matches(own, address)) {
                best = entry;
            }
        }
        return best;
    }

    static Found at(Catalog.Entry entry) {
        return new Found.At(
                new Route(entry.upstreamServer(), entry.catalogEntry().own(), entry.catalogEntry(), entry.server()));
    }

    private static Found notFound(ErrorId id, String message) {
        return new Found.NotFound(CallFailure.policy(id, message));
    }

    static String quoted(String text) {
        String plain = text.replaceAll("\\p{C}", " ");
        return "\"" + (plain.length() <= 100 ? plain : plain.substring(0, 100) + "...") + "\"";
    }
}
