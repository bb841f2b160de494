package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ExposedName;
import dev.fusebox.gateway.extension.AddressEdits;
import dev.fusebox.gateway.extension.ServerAddresses;
import dev.fusebox.gateway.task.LegacyTask;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The merged catalog of all servers, under the names that clients see. Immutable.
final class Catalog {
    /// Prefix of a URI that names its server explicitly.
    static final String EXPLICIT = "fusebox://";

    static final Catalog EMPTY = new Catalog(new Listed(Map.of(), List.of()), List.of(), null, ExposurePolicy.proxy());

    private final Map<UpstreamServer, CatalogContents> allContents;
    private final ServerAddresses addresses;
    private final Map<CatalogKind, List<Entry>> lists = new EnumMap<>(CatalogKind.class);
    private final Map<CatalogKind, Map<String, Entry>> byName = new EnumMap<>(CatalogKind.class);

    /// Index by the server's own tool name: a refused call looks up alternatives, and that must not take time
    /// proportional to the number of tools.
    private final Map<String, List<Entry>> toolsByOwn;

    /// One catalog entry under its exposed name.
    ///
    /// @param shown exposed name
    /// @param server id under which clients address the server: its own, or that of its replica set
    record Entry(UpstreamServer upstreamServer, CatalogEntry catalogEntry, String shown, String server) {
        Entry of(ReplicaSet replicas) {
            return new Entry(upstreamServer, catalogEntry, shown, replicas.id());
        }

        /// The definition as clients see it. Computed on demand: most of thousands of entries are never listed.
        String json(CatalogKind kind, ServerAddresses addresses) {
            JsonView definition = catalogEntry.definition();
            boolean hasAddresses =
                    kind == CatalogKind.SKILLS || catalogEntry.ui().resource() != null;
            boolean isTask = kind == CatalogKind.TOOLS && LegacyTask.isRequired(catalogEntry);
            if (catalogEntry.own().equals(shown) && !hasAddresses && !isTask) {
                return definition.json();
            }
            AddressEdits edits = new AddressEdits(addresses, upstreamServer.id(), definition);
            if (kind == CatalogKind.SKILLS) {
                edits.skill(definition);
            } else {
                edits.rendering(definition);
                edits.splice().replace(definition.member(kind.key()), JsonWriter.quoted(shown));
            }
            if (isTask) {
                // The gateway asks for the task; clients would refuse to call a tool that requires one.
                edits.splice().replace(definition.path("execution", "taskSupport"), "\"optional\"");
            }
            return new String(edits.splice().bytes(), StandardCharsets.UTF_8);
        }

        /// Whether models see it.
        boolean isForModels() {
            return catalogEntry.ui().isForModels();
        }
    }

    /// What all servers list. Immutable.
    ///
    /// @param contents in the order of the configuration, which decides who owns a URI that several servers list
    /// @param names of all servers, including those that cannot be called
    record Listed(Map<UpstreamServer, CatalogContents> contents, List<String> names) {
        static Listed of(
                List<UpstreamServer> servers, List<String> names, Function<UpstreamServer, CatalogContents> of) {
            Map<UpstreamServer, CatalogContents> contents = new LinkedHashMap<>();
            servers.forEach(upstreamServer -> contents.put(upstreamServer, of.apply(upstreamServer)));
            return new Listed(contents, names);
        }

        private ServerAddresses addresses(@Nullable Catalog before) {
            Map<String, CatalogContents> byName = new LinkedHashMap<>();
            contents.forEach((upstreamServer, all) -> byName.put(upstreamServer.id(), all));
            return ServerAddresses.of(byName, names, before == null ? ServerAddresses.NONE : before.addresses);
        }
    }

    /// @param listed by all servers
    /// @param replicaSets whose members can be called by their own names, which are not listed
    /// @param before previous catalog; the owner of a URI in it stays the owner as long as it lists the URI;
    ///     null if there is none
    /// @param exposurePolicy which tools exist for clients
    Catalog(Listed listed, List<ReplicaSet> replicaSets, @Nullable Catalog before, ExposurePolicy exposurePolicy) {
        this.allContents = listed.contents();
        this.addresses = listed.addresses(before);
        for (CatalogKind kind : CatalogKind.values()) {
            Map<String, Entry> names = names(kind, before);
            replicaSets.forEach(replicas -> join(kind, replicas, allContents, names));
            if (kind == CatalogKind.TOOLS) {
                names.values()
                        .removeIf(entry -> !exposurePolicy.knows(
                                entry.server(), entry.catalogEntry().own()));
            }
            lists.put(
                    kind,
                    names.values().stream()
                            .filter(entry -> !kind.isNamed() || isListed(entry, replicaSets))
                            .toList());
            byName.put(kind, Map.copyOf(names));
        }
        toolsByOwn = all(CatalogKind.TOOLS).stream()
                .collect(Collectors.groupingBy(entry -> entry.catalogEntry().own(), Collectors.toUnmodifiableList()));
    }

    /// The contents of a server at the time this catalog was built.
    CatalogContents contents(UpstreamServer upstreamServer) {
        return allContents.getOrDefault(upstreamServer, CatalogContents.NOTHING);
    }

    /// The contents of all servers, in the order of the configuration.
    Collection<CatalogContents> contents() {
        return allContents.values();
    }

    /// The servers of which this is true, in the order of the configuration.
    List<UpstreamServer> serversWith(Predicate<UpstreamServer> condition) {
        return allContents.keySet().stream().filter(condition).toList();
    }

    /// The servers that announce an extension.
    List<UpstreamServer> serversWith(String extension) {
        return serversWith(server -> contents(server).extensions().has(extension));
    }

    /// The addresses of apps and skills.
    ServerAddresses addresses() {
        return addresses;
    }

    /// If two entries have the same name, the first wins.
    private Map<String, Entry> names(CatalogKind kind, @Nullable Catalog before) {
        Map<String, UpstreamServer> owners = kind.isNamed() ? Map.of() : owners(kind, allContents, before);
        Map<String, Entry> names = new LinkedHashMap<>();
        allContents.forEach((upstreamServer, contents) -> contents.of(kind).forEach(catalogEntry -> {
            String shown = kind.isNamed()
                    ? upstreamServer.names().shownName(kind, catalogEntry.own())
                    : address(upstreamServer, catalogEntry, owners);
            if (shown != null && !names.containsKey(shown)) {
                names.put(shown, new Entry(upstreamServer, catalogEntry, shown, upstreamServer.id()));
            }
        }));
        return names;
    }

    /// Replicas are assumed to be equal: the first one whose contents are known represents the set.
    private static void join(
            CatalogKind kind,
            ReplicaSet replicas,
            Map<UpstreamServer, CatalogContents> allContents,
            Map<String, Entry> names) {
        if (!kind.isNamed()) {
            return;
        }
        for (UpstreamServer upstreamServer : replicas.servers()) {
            for (CatalogEntry catalogEntry : allContents
                    .getOrDefault(upstreamServer, upstreamServer.contents())
                    .of(kind)) {
                String part = upstreamServer.names().shownPart(kind, catalogEntry.own());
                String shown = part == null ? null : ExposedName.of(replicas.id(), part);
                if (shown != null && !names.containsKey(shown)) {
                    names.put(shown, new Entry(upstreamServer, catalogEntry, shown, replicas.id()));
                }
            }
        }
    }

    private static boolean isListed(Entry entry, List<ReplicaSet> replicaSets) {
        boolean isOwn = entry.server().equals(entry.upstreamServer().id());
        return !isOwn
                || replicaSets.stream().noneMatch(replicas -> replicas.servers().contains(entry.upstreamServer()));
    }

    private String address(
            UpstreamServer upstreamServer, CatalogEntry catalogEntry, Map<String, UpstreamServer> owners) {
        String own = catalogEntry.own();
        if (addresses.concerns(upstreamServer.id(), own)) {
            return addresses.shown(upstreamServer.id(), own);
        }
        return upstreamServer.equals(owners.get(own)) ? own : explicit(upstreamServer.id(), own);
    }

    /// The owner of each URI. A URI that looks like an explicit one has no owner, since it could name another
    /// server.
    private static Map<String, UpstreamServer> owners(
            CatalogKind kind, Map<UpstreamServer, CatalogContents> allContents, @Nullable Catalog before) {
        Map<String, UpstreamServer> owners = new HashMap<>();
        allContents.forEach((upstreamServer, contents) -> contents.of(kind).stream()
                .map(CatalogEntry::own)
                .filter(own -> !own.startsWith(EXPLICIT))
                .forEach(own -> {
                    Entry earlier = before == null ? null : before.find(kind, own);
                    if (earlier != null && earlier.upstreamServer().equals(upstreamServer)) {
                        owners.put(own, upstreamServer);
                    } else {
                        owners.putIfAbsent(own, upstreamServer);
                    }
                }));
        return owners;
    }

    /// A URI with its server in it, for a URI that another server owns.
    static String explicit(String server, String address) {
        return EXPLICIT + server + "/" + URLEncoder.encode(address, StandardCharsets.UTF_8);
    }

    List<Entry> all(CatalogKind kind) {
        return lists.getOrDefault(kind, List.of());
    }

    /// Tools with this name at their own servers, in the order of the configuration.
    List<Entry> toolsCalled(String own) {
        return toolsByOwn.getOrDefault(own, List.of());
    }

    @Nullable
    Entry find(CatalogKind kind, @Nullable String shown) {
        return shown == null ? null : byName.getOrDefault(kind, Map.of()).get(shown);
    }
}
