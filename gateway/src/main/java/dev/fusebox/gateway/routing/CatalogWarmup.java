package dev.fusebox.gateway.routing;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.gateway.upstream.CatalogRefresh;
import dev.fusebox.gateway.upstream.CatalogRestore;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The initial reading of server lists, and the bounded wait for servers that have never listed anything: at
/// first contact until each has answered or failed, so that the first list is complete; later for a moment.
/// Slower servers are announced when they have answered. Thread-safe; methods that begin with `await` block.
final class CatalogWarmup {
    /// Longest wait for servers whose lists are not known yet: what is there by then is merged and sent within
    /// a second.
    private static final Duration FOR_THE_SLOW = Duration.ofMillis(850);

    /// The cooldown of a breaker.
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    /// The shortest interval between two readings of a server.
    private static final Duration RECENT = Duration.ofSeconds(1);

    /// Shortest interval between progress notifications.
    private static final Duration STEP = Duration.ofMillis(500);

    private final UpstreamServers servers;
    private final Platform platform;
    private final CatalogRefresh refresh;
    private final CatalogRestore catalogRestore;

    /// Whether any client has requested lists.
    private volatile boolean wanted;

    /// Whether any client has searched the tools of all servers, including those that are not exposed.
    private volatile boolean allWanted;

    /// Longest wait of a client for servers that are read for the first time.
    private volatile Duration firstWait = Duration.ofSeconds(10);

    CatalogWarmup(UpstreamServers servers, CatalogRestore catalogRestore) {
        this.servers = servers;
        this.platform = servers.platform();
        this.catalogRestore = catalogRestore;
        this.refresh = new CatalogRefresh(platform, servers::servers, catalogRestore::again);
    }

    /// Sets the longest wait of a client for servers that are read for the first time.
    void waitAtFirst(Duration limit) {
        firstWait = limit;
    }

    /// Notes that a client has been answered.
    void answered() {
        refresh.answered();
    }

    /// Waits for the restore from the cache, within a bound.
    void awaitMemory() throws InterruptedException {
        awaitMemory(FOR_THE_SLOW);
    }

    /// The same, for at most this long.
    void awaitMemory(Duration limit) throws InterruptedException {
        ServerCatalog.Reading reading = catalogRestore.latest();
        if (reading != null) {
            await(reading, shorter(limit, left(reading)));
        }
    }

    /// Waits until the lists of all servers with exposed tools are known.
    void awaitShown(ClientMetadata client, FirstListWait waiter) throws InterruptedException {
        wanted = true;
        await(unknown(onExposure(), upstreamServer -> upstreamServer.lists().want(client)), waiter);
    }

    /// The same for a URI that is in no known list. Servers that have just failed are not queried again.
    void awaitListed(ClientMetadata client, FirstListWait waiter) throws InterruptedException {
        wanted = true;
        await(unknown(onExposure(), server -> server.lists().wantAfter(client, AFTER_FAILURE)), waiter);
    }

    /// The same for a tool search: servers without exposed tools count, and servers that have just failed are not
    /// queried again.
    ///
    /// @param server the only one that counts; null for all
    void awaitTools(@Nullable String server, FirstListWait waiter) throws InterruptedException {
        awaitTools(server, upstreamServer -> upstreamServer.wantAfter(AFTER_FAILURE), waiter);
    }

    /// The same for the catalog of this client.
    void awaitTools(@Nullable String server, ClientMetadata client, FirstListWait waiter) throws InterruptedException {
        awaitTools(server, upstreamServer -> upstreamServer.lists().wantAfter(client, AFTER_FAILURE), waiter);
    }

    /// Waits until the lists of these servers are those of the last second, as far as the servers answer in time: a
    /// list without change notifications would otherwise never be read again.
    void awaitRecent(List<UpstreamServer> servers, ClientMetadata client, FirstListWait waiter)
            throws InterruptedException {
        await(
                servers.stream()
                        .flatMap(server -> Optional.ofNullable(server.lists().renewAfter(client, RECENT)).stream())
                        .toList(),
                waiter);
    }

    private void awaitTools(
            @Nullable String server,
            Function<UpstreamServer, ServerCatalog.@Nullable Reading> want,
            FirstListWait waiter)
            throws InterruptedException {
        wanted = true;
        if (server == null) {
            allWanted = true;
        }
        List<UpstreamServer> asked = servers.servers().stream()
                .filter(upstreamServer -> server == null || upstreamServer.id().equals(server))
                .toList();
        await(unknown(asked, want), waiter);
    }

    /// Starts readings of servers whose lists are unknown. While the cache is being read, a server that may be
    /// in it is not started; [#renew] later asks those that were not.
    private List<ServerCatalog.Reading> unknown(
            List<UpstreamServer> servers, Function<UpstreamServer, ServerCatalog.@Nullable Reading> want)
            throws InterruptedException {
        awaitMemory();
        return catalogRestore.isUnderWay()
                ? List.of()
                : servers.stream()
                        .flatMap(upstreamServer -> Optional.ofNullable(want.apply(upstreamServer)).stream())
                        .toList();
    }

    /// Reads the lists of new servers at once if clients have requested lists before: they would not ask again
    /// until they are notified of a change. The others are read if their lists are unknown, but not if that has
    /// failed before: each further failure counts for their breakers.
    void renew(List<UpstreamServer> joined) {
        if (wanted) {
            for (UpstreamServer upstreamServer : allWanted ? servers.servers() : onExposure()) {
                if (joined.contains(upstreamServer)) {
                    upstreamServer.want();
                } else {
                    upstreamServer.wantUnlessFailed();
                }
            }
        }
    }

    private List<UpstreamServer> onExposure() {
        return servers.servers().stream().filter(this::isOnExposure).toList();
    }

    private boolean isOnExposure(UpstreamServer upstreamServer) {
        return servers.exposurePolicy().concerns(upstreamServer.id())
                || servers.replicaSets().stream()
                        .anyMatch(replicas -> servers.exposurePolicy().concerns(replicas.id())
                                && replicas.servers().contains(upstreamServer));
    }

    private void await(List<ServerCatalog.Reading> readings, FirstListWait waiter) throws InterruptedException {
        for (ServerCatalog.Reading reading : readings) {
            Duration step = FOR_THE_SLOW;
            while (isWorthWaiting(reading, waiter)) {
                await(reading, shorter(step, shorter(left(reading), waiter.left())));
                waiter.report(done(readings), readings.size());
                step = STEP;
            }
        }
        if (!servers.catalog().all(CatalogKind.TOOLS).isEmpty()) {
            servers.prepareOnce();
        }
    }

    private boolean isWorthWaiting(ServerCatalog.Reading reading, FirstListWait waiter) {
        return reading.done().now() == null
                && left(reading).isPositive()
                && waiter.left().isPositive();
    }

    /// At first contact a server may be slow; after that the others do not wait for it.
    private Duration left(ServerCatalog.Reading reading) {
        Duration limit = reading.isFirst() && firstWait.compareTo(FOR_THE_SLOW) > 0 ? firstWait : FOR_THE_SLOW;
        return limit.minusNanos(platform.ticker().nanos() - reading.begunAt());
    }

    private void await(ServerCatalog.Reading reading, Duration limit) throws InterruptedException {
        if (limit.isPositive()) {
            reading.done().await(platform, limit);
        }
    }

    private static int done(List<ServerCatalog.Reading> readings) {
        return (int) readings.stream()
                .filter(reading -> reading.done().now() != null)
                .count();
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
