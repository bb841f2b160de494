package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.upstream.LaunchIdentity;
import dev.fusebox.gateway.upstream.PlannedServer;
import dev.fusebox.gateway.upstream.ServerGeneration;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.ServerView;
import dev.fusebox.gateway.upstream.SharedServerTable;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamContext;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.VirtualThreadStarter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The registry of configured servers, and their changes on a reload. Thread-safe; nothing blocks. [#reconfigure]
/// must not be called by two threads concurrently.
final class ServerRegistry {
    private static final System.Logger LOG = LazyLoggers.of(ServerRegistry.class);

    private final SharedServerTable table;
    private final UpstreamContext upstreamContext;
    private final ServerView view;
    private final PendingServers pendingServers;

    /// Generations of replaced or removed servers that still have calls in flight.
    private final Set<ServerGeneration> leaving = ConcurrentHashMap.newKeySet();

    private volatile RegistrySnapshot registrySnapshot;
    private volatile boolean closed;

    /// @param table of all servers
    /// @param view in which these servers stand
    ServerRegistry(SharedServerTable table, ServerView view, UpstreamServers.Servers servers) {
        this.table = table;
        this.upstreamContext = table.upstreamContext();
        this.view = view;
        this.pendingServers = new PendingServers(upstreamContext.platform(), upstreamContext.events());
        Map<String, UpstreamServer> upstreamServers = new LinkedHashMap<>();
        Map<String, UnavailableServer> unavailableServers = new LinkedHashMap<>();
        for (PlannedServer planned : servers.planned()) {
            UpstreamServer upstreamServer = table.join(planned, view);
            upstreamServers.put(upstreamServer.id(), upstreamServer);
        }
        servers.unavailableServers().forEach(server -> unavailableServers.put(server.id(), server));
        this.registrySnapshot = RegistrySnapshot.of(upstreamServers, unavailableServers, servers.replicaSets());
    }

    /// What all servers have in common.
    UpstreamContext upstreamContext() {
        return upstreamContext;
    }

    // ---- Snapshots

    RegistrySnapshot registrySnapshot() {
        return registrySnapshot;
    }

    /// Servers that are being added.
    PendingServers pendingServers() {
        return pendingServers;
    }

    boolean isClosed() {
        return closed;
    }

    /// The names of all servers, including those that cannot be called.
    List<String> names() {
        RegistrySnapshot now = registrySnapshot;
        List<String> names = new ArrayList<>(now.servers().keySet());
        names.addAll(now.replicaSets().keySet());
        names.addAll(now.unavailableServers().keySet());
        return names;
    }

    /// A server that is being added cannot be called yet either.
    @Nullable
    UnavailableServer unavailableServer(String id) {
        RegistrySnapshot now = registrySnapshot;
        UnavailableServer unavailableServer = now.unavailableServers().get(id);
        return unavailableServer == null && !now.servers().containsKey(id)
                ? pendingServers.unavailableServer(id)
                : unavailableServer;
    }

    /// Status snapshots of all servers, in the order of the configuration, unavailable ones last.
    ///
    /// @param catalog the merged catalog
    List<ServerSnapshot> snapshots(Catalog catalog) {
        List<ServerSnapshot> snapshots = new ArrayList<>();
        RegistrySnapshot now = registrySnapshot;
        now.servers()
                .values()
                .forEach(upstreamServer -> snapshots.add(upstreamServer.snapshot(table.sameName(upstreamServer))));
        now.replicaSets()
                .values()
                .forEach(replicaSet -> snapshots.add(replicaSet.snapshot(catalog.all(CatalogKind.TOOLS))));
        now.unavailableServers().values().forEach(server -> snapshots.add(ServerSnapshot.of(server)));
        pendingServers.names().stream()
                .filter(id -> !now.servers().containsKey(id))
                .forEach(id -> snapshots.add(ServerSnapshot.of(PendingServers.coming(id))));
        return snapshots;
    }

    // ---- Reload

    /// Replaces the servers by these, in this order; servers that are not named are removed. Calls in flight on
    /// replaced generations may finish within the drain limit.
    ///
    /// @return servers that are new, or are reached differently than before
    List<UpstreamServer> replaceServers(List<ReloadAction> reloadActions, Duration drain) {
        RegistrySnapshot was = registrySnapshot;
        RegistrySnapshot next = next(was, reloadActions, drain);
        next.servers().values().stream()
                .filter(upstreamServer -> pendingServers.has(upstreamServer.id())
                        && !was.servers().containsKey(upstreamServer.id()))
                .forEach(upstreamServer ->
                        upstreamServer.lifecycle().begin(ServerStatus.PROVISIONING, "added; starting"));
        reportEnabled(was, next);
        registrySnapshot = next;
        reloadActions.forEach(reloadAction -> pendingServers.remove(reloadAction.id()));
        was.servers().values().stream()
                .filter(upstreamServer -> !next.servers().containsKey(upstreamServer.id()))
                .forEach(upstreamServer -> drain(table.leave(upstreamServer, view), drain));
        if (closed) {
            next.servers().values().forEach(upstreamServer -> table.close(upstreamServer, view));
        }
        reportDisabled(was, next);
        return reloadActions.stream()
                .filter(ReloadAction.Added.class::isInstance)
                .map(reloadAction -> there(next.servers(), reloadAction.id()))
                .toList();
    }

    private RegistrySnapshot next(RegistrySnapshot was, List<ReloadAction> reloadActions, Duration drain) {
        Map<String, UpstreamServer> upstreamServers = new LinkedHashMap<>();
        Map<String, UnavailableServer> unavailableServers = new LinkedHashMap<>();
        Map<String, List<String>> replicaSets = new LinkedHashMap<>();
        for (ReloadAction reloadAction : reloadActions) {
            String id = reloadAction.id();
            switch (reloadAction) {
                case ReloadAction.Unchanged(String _, LaunchIdentity launch) ->
                    upstreamServers.put(id, identified(there(was.servers(), id), launch));
                case ReloadAction.RulesChanged rulesChanged ->
                    upstreamServers.put(id, withNewRules(there(was.servers(), id), rulesChanged));
                case ReloadAction.Added(PlannedServer planned) ->
                    upstreamServers.put(id, joined(was.servers().get(id), planned, drain));
                case ReloadAction.Shared(String replicaSet, List<String> replicas) ->
                    replicaSets.put(replicaSet, replicas);
                case ReloadAction.Missing(UnavailableServer server) -> unavailableServers.put(id, server);
            }
        }
        return RegistrySnapshot.of(upstreamServers, unavailableServers, replicaSets);
    }

    private static UpstreamServer there(Map<String, UpstreamServer> upstreamServers, String id) {
        return Objects.requireNonNull(upstreamServers.get(id), () -> "unknown server " + id);
    }

    private UpstreamServer withNewRules(UpstreamServer upstreamServer, ReloadAction.RulesChanged fate) {
        upstreamServer.govern(fate.pipeline(), fate.rules(), fate.life());
        return identified(upstreamServer, fate.launch());
    }

    private UpstreamServer identified(UpstreamServer upstreamServer, @Nullable LaunchIdentity launch) {
        table.identify(upstreamServer, launch);
        return upstreamServer;
    }

    private UpstreamServer joined(@Nullable UpstreamServer before, PlannedServer planned, Duration drain) {
        if (before == null) {
            return table.join(planned, view);
        }
        SharedServerTable.Replaced replaced = table.replace(before, planned, view);
        // Drained in this order: its places in a full pool are then free for its successor, and no other
        // server's connection must be evicted.
        drain(replaced.leaving(), drain);
        if (replaced.leaving() != null) {
            replaced.server().renew();
        }
        return replaced.server();
    }

    /// A server that can be called again has a new lifecycle, which reports what follows.
    private void reportEnabled(RegistrySnapshot was, RegistrySnapshot now) {
        was.unavailableServers().values().stream()
                .filter(server -> now.servers().containsKey(server.id()))
                .forEach(server -> report(server.id(), server.status(), ServerStatus.IDLE, ServerHealth.NOT_CONNECTED));
    }

    /// A server that cannot be called any more, for example because it is disabled, has no lifecycle to report
    /// that.
    private void reportDisabled(RegistrySnapshot was, RegistrySnapshot now) {
        now.unavailableServers().values().stream()
                .filter(server -> was.servers().containsKey(server.id()))
                .forEach(server -> report(
                        server.id(),
                        there(was.servers(), server.id()).health().status(),
                        server.status(),
                        server.why().message()));
    }

    private void report(String server, ServerStatus from, ServerStatus to, String message) {
        upstreamContext.events().happened(server, new LifecycleEvent.StatusChanged(from, to, message));
    }

    private void drain(@Nullable ServerGeneration generation, Duration limit) {
        if (generation == null) {
            return;
        }
        if (generation.isEmpty()) {
            closeSafely(generation);
            return;
        }
        leaving.add(generation);
        VirtualThreadStarter.start(
                "fusebox-drain",
                () -> {
                    generation.drain(closed ? Duration.ZERO : limit);
                    leaving.remove(generation);
                },
                () -> {
                    closeSafely(generation);
                    leaving.remove(generation);
                });
    }

    /// A failure with one server does not keep the others from being closed.
    private static void closeSafely(ServerGeneration generation) {
        try {
            generation.close();
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.ERROR, "failed to release removed server (internal error)", bug);
        }
    }

    /// Closes all servers and all generations that are being drained.
    void close() {
        closed = true;
        registrySnapshot.servers().values().forEach(upstreamServer -> table.close(upstreamServer, view));
        leaving.forEach(ServerGeneration::close);
    }
}
