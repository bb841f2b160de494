package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A background refresh of lists that are only known from the cache and are old, or whose server's launch files
/// have changed since, so that an upgraded server shows its new tools. It begins once, after the first client
/// has been answered, and reads a few servers at a time while the pool has free places. Thread-safe; nothing
/// blocks.
public final class CatalogRefresh {
    private static final Duration OLD = Duration.ofDays(1);

    /// A client that calls a tool right after a response takes precedence.
    private static final Duration AFTER_ANSWER = Duration.ofSeconds(1);

    private static final int AT_ONCE = 2;

    /// A server that does not answer for this long no longer delays the others.
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Platform platform;
    private final Supplier<List<UpstreamServer>> servers;
    private final Consumer<UpstreamServer> restore;
    private final AtomicBoolean begun = new AtomicBoolean();

    /// @param servers supplies all servers
    /// @param restore reads the cache entry of a server again; blocks on the disk
    public CatalogRefresh(Platform platform, Supplier<List<UpstreamServer>> servers, Consumer<UpstreamServer> restore) {
        this.platform = platform;
        this.servers = servers;
        this.restore = restore;
    }

    /// Starts the refresh after the first answered client.
    public void answered() {
        if (begun.compareAndSet(false, true)) {
            platform.timers().schedule(AFTER_ANSWER, this::begin);
        }
    }

    private void begin() {
        Queue<UpstreamServer> old = new ConcurrentLinkedQueue<>(
                servers.get().stream().filter(CatalogRefresh::isOutdated).toList());
        for (int i = 0; i < Math.min(AT_ONCE, old.size()); i++) {
            VirtualThreadStarter.start("fusebox-refresh", () -> readAll(old), () -> {});
        }
    }

    private static boolean isOutdated(UpstreamServer server) {
        return server.isKnown() && !server.isLive() && server.cached().isOutdated(OLD);
    }

    private void readAll(Queue<UpstreamServer> old) {
        try {
            for (UpstreamServer next = old.poll(); next != null; next = old.poll()) {
                read(next);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(UpstreamServer server) throws InterruptedException {
        restore.accept(server);
        ServerCatalog.Reading reading = isOutdated(server) ? server.visit() : null;
        if (reading != null) {
            reading.done().await(platform, LONGEST);
        }
    }
}
