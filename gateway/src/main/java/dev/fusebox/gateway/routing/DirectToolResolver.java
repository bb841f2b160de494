package dev.fusebox.gateway.routing;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ExposedName;
import dev.fusebox.gateway.extension.ExtensionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The resolver of the names of tools that clients call directly, those of apps included: an app knows the tools of
/// its server by the server's own names, and hosts forward its calls with these. A request does not say which app
/// has made it. Thread-safe; nothing blocks.
final class DirectToolResolver {
    private final UpstreamServers servers;

    DirectToolResolver(UpstreamServers servers) {
        this.servers = servers;
    }

    /// The tool that a client calls directly. One that is not exposed is called through a gateway tool, unless an
    /// app calls it.
    NameResolver.Found resolve(NameResolver resolver, String shown, ClientMetadata client) {
        NameResolver.Found found = resolver.named(CatalogKind.TOOLS, shown);
        boolean mayBeOfApp = found instanceof NameResolver.Found.NotFound && ExtensionPolicy.rendersApps(client);
        NameResolver.Found ofApp = mayBeOfApp ? find(resolver, shown, client) : null;
        if (ofApp != null) {
            return ofApp;
        }
        boolean isOff = found instanceof NameResolver.Found.At(Route route)
                && !servers.exposurePolicy().has(route.asked(), route.own())
                && !isOfApps(route, client);
        String message = shown + " is not a gateway tool; call the servers' tools with mcp_call";
        return isOff ? new NameResolver.Found.NotFound(CallFailure.policy(ErrorId.UNKNOWN_TOOL, message)) : found;
    }

    /// The tool of an app; null if no server with apps has one of this name for them. With several servers it is that
    /// of the server whose app the client's session has read last.
    private NameResolver.@Nullable Found find(NameResolver resolver, String name, ClientMetadata client) {
        Catalog catalog = servers.views().catalog(client);
        List<Catalog.Entry> there = catalog.toolsCalled(name).stream()
                .filter(entry -> entry.catalogEntry().ui().isForApps()
                        && catalog.addresses().hasApps(entry.upstreamServer().id())
                        && !isOfAnother(resolver, name, entry.server()))
                .toList();
        if (there.size() <= 1) {
            return there.isEmpty() ? null : NameResolver.at(there.getFirst());
        }
        String last = servers.lastReadApps().of(client);
        Optional<Catalog.Entry> read =
                there.stream().filter(entry -> isOf(entry, last)).findFirst();
        return read.map(NameResolver::at).orElseGet(() -> ambiguous(name, there));
    }

    /// Whether a server is the one that a tool is shown for, or one of its replicas.
    private boolean isOf(Catalog.Entry entry, @Nullable String server) {
        ReplicaSet replicas = servers.replicas(entry.server());
        return entry.upstreamServer().id().equals(server)
                || (replicas != null
                        && replicas.servers().stream()
                                .anyMatch(replica -> replica.id().equals(server)));
    }

    /// Whether a client that renders apps may call a tool directly though its name is not in a list of all tools.
    private boolean isOfApps(Route route, ClientMetadata client) {
        CatalogEntry tool = route.catalogEntry();
        return tool != null
                && (tool.ui().isRendered() || tool.ui().isForApps())
                && ExtensionPolicy.rendersApps(client)
                && servers.views()
                        .catalog(client)
                        .addresses()
                        .hasApps(route.upstreamServer().id());
    }

    /// Whether the name could be that under which clients see a tool of another server, which may be down or unknown.
    private static boolean isOfAnother(NameResolver resolver, String name, String server) {
        ExposedName exposed = ExposedName.split(name);
        boolean isOfServer = exposed != null && !exposed.server().equals(server) && resolver.isServer(exposed.server());
        return isOfServer || ExposedName.looksHashed(name);
    }

    private static NameResolver.Found ambiguous(String name, List<Catalog.Entry> there) {
        String names = there.stream().map(Catalog.Entry::shown).collect(Collectors.joining(", "));
        return new NameResolver.Found.NotFound(CallFailure.policy(
                ErrorId.UNKNOWN_TOOL,
                NameResolver.quoted(name) + " is ambiguous: apps of several servers have a tool of this name; the call"
                        + " was not sent; call one of " + names));
    }
}
