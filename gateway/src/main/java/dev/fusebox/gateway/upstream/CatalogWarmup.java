package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the lists of servers, and waits for those that have never listed anything: at first contact until each
/// has answered or failed, within a bound, so that the first list is complete; later for a moment. Slower ones are
/// announced when they have answered. Thread-safe; what begins with `await` blocks.
final class CatalogWarmup {
    /// So long at most somebody waits for servers that have not said yet what they offer: what is there by then is
    /// put together and sent within a second.
    private static final Duration FOR_THE_SLOW = Duration.ofMillis(850);

    /// As long as a breaker rests.
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    /// The shortest interval of progress notifications.
    private static final Duration STEP = Duration.ofMillis(500);

    private final UpstreamServers servers;
    private final Platform platform;
    private final CatalogRefresh refresh;
    private final CatalogRestore catalogRestore;

    /// Whether anybody has ever asked for lists.
    private volatile boolean wanted;

    /// Whether anybody has ever looked for tools of all servers, also of those that are not on the menu.
    private volatile boolean allWanted;

    /// How long a client waits for servers that are read for the first time.
    private volatile Duration firstWait = Duration.ofSeconds(10);

    CatalogWarmup(UpstreamServers servers, CatalogRestore catalogRestore) {
        this.servers = servers;
        this.platform = servers.platform();
        this.catalogRestore = catalogRestore;
        this.refresh = new CatalogRefresh(platform, servers::servers, catalogRestore::again);
    }

    /// Sets how long a client waits for servers that are read for the first time.
    void waitAtFirst(Duration limit) {
        firstWait = limit;
    }

    /// A client has been answered.
    void answered() {
        refresh.answered();
    }

    /// Waits for what is being read from memory, unless it takes too long.
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

    /// Waits until all servers of which clients see anything have said what they offer.
    void awaitShown(ClientMetadata client, FirstListWait waiter) throws InterruptedException {
        wanted = true;
        await(unknown(onExposure(), upstreamServer -> upstreamServer.lists().want(client)), waiter);
    }

    /// The same for whoever looks for tools: servers that are not on the menu count, and those that have just
    /// failed are not asked again.
    ///
    /// @param server the only one that counts; null for all
    void awaitTools(@Nullable String server, FirstListWait waiter) throws InterruptedException {
        awaitTools(server, upstreamServer -> upstreamServer.wantAfter(AFTER_FAILURE), waiter);
    }

    /// The same for what this client gets to see.
    void awaitTools(@Nullable String server, ClientMetadata client, FirstListWait waiter) throws InterruptedException {
        awaitTools(server, upstreamServer -> upstreamServer.lists().wantAfter(client, AFTER_FAILURE), waiter);
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

    /// Has those say what they offer of whom nobody knows it. A server that may be remembered is not started for
    /// that: as soon as it is known whether it is, [#renew] asks those that are not.
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

    /// There are other servers than before: if lists have been asked for, theirs are read now, as nobody would ask
    /// for them before hearing that there is something new.
    void renew() {
        if (wanted) {
            (allWanted ? servers.servers() : onExposure()).forEach(UpstreamServer::want);
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
                waiter.tell(done(readings), readings.size());
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

    /// At first contact a server may be slow; after that the others are not kept waiting for it.
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
