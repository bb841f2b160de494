package dev.fusebox.client.http;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
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

/// Resolver of host names that runs outside of the thread of the caller and observes its deadline: a lookup of the
/// system may take twenty seconds, and cannot be interrupted. Concurrent callers with the same name share one
/// lookup. Thread-safe; only [#resolve] blocks.
final class DnsResolver implements AutoCloseable {
    /// A hanging lookup occupies one of them, so it takes four such names to delay the others.
    private static final int THREADS = 4;

    private static final Duration CACHED_FAILURE = Duration.ofSeconds(4);

    private final Platform platform;
    private final Lookup lookup;
    private final ConcurrentMap<String, Promise<Found>> running = new ConcurrentHashMap<>();
    private final ExecutorService threads;
    /// By the monotonic clock; null if there was never a shortage of file descriptors.
    private volatile @Nullable Long shortageUntil;

    /// Lookup of the addresses of a name by the system; may block for any time.
    @FunctionalInterface
    interface Lookup {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /// @param isLocal whether the cause of the problem is in this process
    private record Found(List<InetAddress> addresses, String problem, boolean isLocal) {}

    DnsResolver(Platform platform, Lookup lookup) {
        this.platform = platform;
        this.lookup = lookup;
        this.threads = Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().daemon().name("fusebox-dns-", 0).factory());
    }

    /// At least one address.
    List<InetAddress> resolve(String host, RequestTimer timer) throws HttpFailure {
        try {
            return List.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException noLiteral) {
            return lookUp(host, timer);
        }
    }

    private List<InetAddress> lookUp(String host, RequestTimer timer) throws HttpFailure {
        Thread self = Thread.currentThread();
        timer.onExpiry(() -> LockSupport.unpark(self));
        Found found;
        try {
            found = lookUp(host).await(platform, Duration.ofNanos(Math.max(1, timer.left())), timer::isExpired);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw HttpFailure.notSent(FailureCategory.CANCELLED, "interrupted while resolving " + host);
        }
        if (found == null && timer.wasSuspended()) {
            throw HttpFailure.notSent(
                    FailureCategory.LOCAL, "the gateway process was suspended while resolving " + host);
        }
        if (found == null) {
            throw HttpFailure.of(
                    ErrorId.NAME_SERVICE_SILENT, "resolving " + host + " timed out: no response from the name service");
        }
        if (found.addresses().isEmpty() && found.isLocal()) {
            throw HttpFailure.notSent(FailureCategory.LOCAL, found.problem());
        }
        if (found.addresses().isEmpty()) {
            throw HttpFailure.of(ErrorId.NAME_NOT_FOUND, found.problem());
        }
        return found.addresses();
    }

    private Promise<Found> lookUp(String host) {
        return running.computeIfAbsent(host, name -> {
            Promise<Found> promise = new Promise<>();
            threads.execute(() -> {
                Found found = find(name);
                running.remove(name);
                promise.complete(found);
            });
            return promise;
        });
    }

    private Found find(String host) {
        NegativeDnsCache.shorten();
        try {
            return new Found(List.of(lookup.addresses(host)), "no address found for " + host, false);
        } catch (UnknownHostException unknown) {
            return isShortOfDescriptors()
                    ? new Found(List.of(), "no file descriptor left to resolve " + host, true)
                    : new Found(List.of(), "unknown host " + host, false);
        } catch (RuntimeException refused) {
            return new Found(List.of(), "cannot resolve " + host + ": " + refused.getMessage(), false);
        } catch (Error ours) {
            return new Found(List.of(), "cannot resolve " + host + ": " + ours, true);
        }
    }

    /// Without a free file descriptor no name can be resolved, and the system caches such a failure for a while.
    private boolean isShortOfDescriptors() {
        long now = platform.ticker().nanos();
        try {
            SocketChannel.open().close();
        } catch (IOException none) {
            shortageUntil = now + CACHED_FAILURE.toNanos();
        }
        Long until = shortageUntil;
        return until != null && until - now > 0;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
