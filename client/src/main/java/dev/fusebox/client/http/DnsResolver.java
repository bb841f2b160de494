package dev.fusebox.client.http;

import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Looks names up, off the caller's thread and for as long as the caller has time: the system may take twenty
/// seconds, and cannot be interrupted. Callers that ask for the same name at the same time share one look-up.
/// Thread-safe; only [#resolve] blocks.
final class DnsResolver implements AutoCloseable {
    /// A name that hangs takes one of them; so it takes four such servers to make the others wait.
    private static final int THREADS = 4;

    private static final Duration FORGOTTEN = Duration.ofSeconds(4);

    private final Platform platform;
    private final Lookup lookup;
    private final ConcurrentMap<String, Promise<Found>> running = new ConcurrentHashMap<>();
    private final ExecutorService threads;
    /// By the monotonic clock; null if nothing has ever been short.
    private volatile @Nullable Long shortUntil;

    /// Asks the system for the addresses of a name; may block for as long as it likes.
    @FunctionalInterface
    interface Lookup {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /// @param isOurs whether it was not the name that was in the way
    private record Found(List<InetAddress> addresses, String problem, boolean isOurs) {}

    DnsResolver(Platform platform, Lookup lookup) {
        this.platform = platform;
        this.lookup = lookup;
        this.threads = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().name("fusebox-dns-", 0).factory());
    }

    /// At least one address.
    List<InetAddress> resolve(String host, RequestTimer keeper) throws HttpFailure {
        try {
            return List.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException noLiteral) {
            return lookUp(host, keeper);
        }
    }

    private List<InetAddress> lookUp(String host, RequestTimer keeper) throws HttpFailure {
        Thread self = Thread.currentThread();
        keeper.hold(() -> LockSupport.unpark(self));
        Found found;
        try {
            found = lookUp(host).await(platform, Duration.ofNanos(Math.max(1, keeper.left())), keeper::isOver);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw HttpFailure.notSent(FailureCategory.CANCELLED, "interrupted while resolving " + host);
        }
        if (found == null && keeper.hasStoodStill()) {
            throw HttpFailure.notSent(
                    FailureCategory.LOCAL, "the gateway process was suspended while resolving " + host);
        }
        if (found == null) {
            throw HttpFailure.notSent(
                            FailureCategory.OFFLINE,
                            "resolving " + host + " timed out: no response from the name service")
                    .by(FailureCause.NAME_SERVICE_SILENT);
        }
        if (found.addresses().isEmpty() && found.isOurs()) {
            throw HttpFailure.notSent(FailureCategory.LOCAL, found.problem());
        }
        if (found.addresses().isEmpty()) {
            throw HttpFailure.notSent(FailureCategory.OFFLINE, found.problem()).by(FailureCause.NAME_NOT_FOUND);
        }
        return found.addresses();
    }

    private Promise<Found> lookUp(String host) {
        return running.computeIfAbsent(host, name -> {
            Promise<Found> promise = new Promise<>();
            threads.execute(() -> {
                Found found = find(name);
                running.remove(name);
                promise.bring(found);
            });
            return promise;
        });
    }

    private Found find(String host) {
        NegativeDnsCache.forgetSoon();
        try {
            return new Found(List.of(lookup.addresses(host)), "no address found for " + host, false);
        } catch (UnknownHostException unknown) {
            return isShort()
                    ? new Found(List.of(), "no file descriptor left to resolve " + host, true)
                    : new Found(List.of(), "unknown host " + host, false);
        } catch (RuntimeException refused) {
            return new Found(List.of(), "cannot resolve " + host + ": " + refused.getMessage(), false);
        } catch (Error ours) {
            return new Found(List.of(), "cannot resolve " + host + ": " + ours, true);
        }
    }

    /// Without a descriptor no name is known; and what was not found then is remembered for a while.
    private boolean isShort() {
        long now = platform.ticker().nanos();
        try {
            SocketChannel.open().close();
        } catch (IOException none) {
            shortUntil = now + FORGOTTEN.toNanos();
        }
        Long until = shortUntil;
        return until != null && until - now > 0;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
