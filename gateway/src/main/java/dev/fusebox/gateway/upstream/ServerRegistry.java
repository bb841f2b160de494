package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
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

/// Which servers there are, and who comes and goes. Thread-safe; nothing blocks, and only one thread at a time may
/// let it [#become] another.
final class ServerRegistry {
    private static final System.Logger LOG = LazyLoggers.of(ServerRegistry.class);

    private final UpstreamContext upstreamContext;
    private final CatalogListener catalogListener;
    private final PendingServers pendingServers;

    /// Lines of servers that are not what they were, or are no more, as long as calls are under way on them.
    private final Set<ServerGeneration> leaving = ConcurrentHashMap.newKeySet();

    private volatile RegistrySnapshot registrySnapshot;
    private volatile boolean closed;

    /// @param catalogListener hears the servers
    ServerRegistry(UpstreamContext upstreamContext, CatalogListener catalogListener, UpstreamServers.Servers servers) {
        this.upstreamContext = upstreamContext;
        this.catalogListener = catalogListener;
        this.pendingServers = new PendingServers(upstreamContext.platform(), upstreamContext.events());
        Map<String, UpstreamServer> upstreamServers = new LinkedHashMap<>();
        Map<String, UnavailableServer> unavailableServers = new LinkedHashMap<>();
        for (ServerSpec spec : servers.specs()) {
            UpstreamServer upstreamServer = new UpstreamServer(upstreamContext, spec, catalogListener);
            upstreamServers.put(upstreamServer.id(), upstreamServer);
        }
        servers.unavailableServers().forEach(server -> unavailableServers.put(server.id(), server));
        this.registrySnapshot = RegistrySnapshot.of(upstreamServers, unavailableServers, servers.replicaSets());
    }

    // ---- Who is there

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

    /// The names of all servers, also of those that cannot be called.
    List<String> names() {
        RegistrySnapshot now = registrySnapshot;
        List<String> names = new ArrayList<>(now.servers().keySet());
        names.addAll(now.replicaSets().keySet());
        names.addAll(now.unavailableServers().keySet());
        return names;
    }

    /// Also what is being added cannot be called yet.
    @Nullable
    UnavailableServer unavailableServer(String id) {
        RegistrySnapshot now = registrySnapshot;
        UnavailableServer unavailableServer = now.unavailableServers().get(id);
        return unavailableServer == null && !now.servers().containsKey(id)
                ? pendingServers.unavailableServer(id)
                : unavailableServer;
    }

    /// How all are at this moment, in the order of the configuration, those that cannot be called last.
    ///
    /// @param catalog what all of them offer
    List<ServerSnapshot> snapshots(Catalog catalog) {
        List<ServerSnapshot> snapshots = new ArrayList<>();
        RegistrySnapshot now = registrySnapshot;
        now.servers().values().forEach(upstreamServer -> snapshots.add(upstreamServer.snapshot()));
        now.replicaSets()
                .values()
                .forEach(replicaSet -> snapshots.add(replicaSet.snapshot(catalog.all(CatalogKind.TOOLS))));
        now.unavailableServers().values().forEach(server -> snapshots.add(ServerSnapshot.of(server)));
        pendingServers.names().stream()
                .filter(id -> !now.servers().containsKey(id))
                .forEach(id -> snapshots.add(ServerSnapshot.of(PendingServers.coming(id))));
        return snapshots;
    }

    // ---- Who comes and goes

    /// From now on the servers are these, in this order; those that are not named leave. Calls that are under way
    /// on what was before go on for so long at most.
    ///
    /// @return those that are new, or are reached otherwise than before
    List<UpstreamServer> become(List<ReloadAction> reloadActions, Duration drain) {
        RegistrySnapshot was = registrySnapshot;
        RegistrySnapshot next = next(was, reloadActions, drain);
        next.servers().values().stream()
                .filter(upstreamServer -> pendingServers.has(upstreamServer.id())
                        && !was.servers().containsKey(upstreamServer.id()))
                .forEach(upstreamServer ->
                        upstreamServer.lifecycle().begin(ServerStatus.PROVISIONING, "added, starting it"));
        tellSwitchedOn(was, next);
        registrySnapshot = next;
        reloadActions.forEach(reloadAction -> pendingServers.remove(reloadAction.id()));
        was.servers().values().stream()
                .filter(upstreamServer -> !next.servers().containsKey(upstreamServer.id()))
                .forEach(upstreamServer -> drain(upstreamServer.leave(), drain));
        if (closed) {
            next.servers().values().forEach(UpstreamServer::close);
        }
        tellSwitchedOff(was, next);
        return reloadActions.stream()
                .filter(ReloadAction.Joins.class::isInstance)
                .map(reloadAction -> there(next.servers(), reloadAction.id()))
                .toList();
    }

    private RegistrySnapshot next(RegistrySnapshot was, List<ReloadAction> reloadActions, Duration drain) {
        Map<String, UpstreamServer> upstreamServers = new LinkedHashMap<>();
        Map<String, UnavailableServer> unavailableServers = new LinkedHashMap<>();
        Map<String, List<String>> teams = new LinkedHashMap<>();
        for (ReloadAction reloadAction : reloadActions) {
            String id = reloadAction.id();
            switch (reloadAction) {
                case ReloadAction.Stays stays -> upstreamServers.put(id, there(was.servers(), id));
                case ReloadAction.Governed governed ->
                    upstreamServers.put(id, governed(there(was.servers(), id), governed));
                case ReloadAction.Joins(ServerSpec spec) ->
                    upstreamServers.put(id, joined(was.servers().get(id), spec, drain));
                case ReloadAction.Shared(String team, List<String> replicas) -> teams.put(team, replicas);
                case ReloadAction.Missing(UnavailableServer server) -> unavailableServers.put(id, server);
            }
        }
        return RegistrySnapshot.of(upstreamServers, unavailableServers, teams);
    }

    private static UpstreamServer there(Map<String, UpstreamServer> upstreamServers, String id) {
        return Objects.requireNonNull(upstreamServers.get(id), () -> "there is no server " + id);
    }

    private static UpstreamServer governed(UpstreamServer upstreamServer, ReloadAction.Governed fate) {
        upstreamServer.govern(fate.pipeline(), fate.rules(), fate.life());
        return upstreamServer;
    }

    private UpstreamServer joined(@Nullable UpstreamServer before, ServerSpec spec, Duration drain) {
        if (before == null) {
            return new UpstreamServer(upstreamContext, spec, catalogListener);
        }
        // In this order: its place in a full pool is then its own again, and nobody else's connection has to end
        // for it.
        drain(before.become(spec), drain);
        before.renew();
        return before;
    }

    /// Who can be called again has a new life, which tells what comes after this.
    private void tellSwitchedOn(RegistrySnapshot was, RegistrySnapshot now) {
        was.unavailableServers().values().stream()
                .filter(server -> now.servers().containsKey(server.id()))
                .forEach(server -> tell(server.id(), server.status(), ServerStatus.IDLE, ServerHealth.NOT_CONNECTED));
    }

    /// Who cannot be called any more, because it is switched off for example, has no life that could tell it.
    private void tellSwitchedOff(RegistrySnapshot was, RegistrySnapshot now) {
        now.unavailableServers().values().stream()
                .filter(server -> was.servers().containsKey(server.id()))
                .forEach(server -> tell(
                        server.id(),
                        there(was.servers(), server.id()).health().status(),
                        server.status(),
                        server.why().message()));
    }

    private void tell(String server, ServerStatus from, ServerStatus to, String message) {
        upstreamContext.events().happened(server, new LifecycleEvent.StatusChanged(from, to, message));
    }

    private void drain(ServerGeneration generation, Duration limit) {
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

    /// Whatever goes wrong with one server, the others become what they shall be.
    private static void closeSafely(ServerGeneration generation) {
        try {
            generation.close();
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.ERROR, "failed to release removed server (internal error)", bug);
        }
    }

    /// Ends all servers, and what is left of those that were.
    void close() {
        closed = true;
        registrySnapshot.servers().values().forEach(UpstreamServer::close);
        leaving.forEach(ServerGeneration::close);
    }
}
