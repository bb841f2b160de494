package dev.fusebox.gateway.routing;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Promise;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.LifecycleEvent.StatusChanged;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The servers that are being added: they are visible at once, and calls to them wait. Thread-safe; only
/// [#await] blocks.
public final class PendingServers {
    /// Longest wait; writing and reading the configuration file takes up to two seconds.
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final Platform platform;
    private final LifecycleEvent.Listener events;
    private final Map<String, Promise<Boolean>> servers = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /// @param events listener of their lifecycle events
    PendingServers(Platform platform, LifecycleEvent.Listener events) {
        this.platform = platform;
        this.events = events;
    }

    /// Announces that this server is being added. False if that is known.
    public boolean expect(String server) {
        boolean isNew = servers.putIfAbsent(server, new Promise<>()) == null;
        if (isNew) {
            events.happened(
                    server,
                    new StatusChanged(ServerStatus.AWAITING_USER_CONFIG, ServerStatus.PROVISIONING, "being added"));
        }
        return isNew;
    }

    /// Withdraws the announcement: the server will not be added.
    public void abandon(String server, String why) {
        if (remove(server)) {
            events.happened(server, new StatusChanged(ServerStatus.PROVISIONING, ServerStatus.ERROR, why));
        }
    }

    boolean has(String id) {
        return servers.containsKey(id);
    }

    List<String> names() {
        return List.copyOf(servers.keySet());
    }

    /// The number of waiting calls.
    int waiting() {
        return waiting.get();
    }

    /// Releases the waiting calls; false if the server was not expected.
    boolean remove(String id) {
        Promise<Boolean> promise = servers.remove(id);
        if (promise != null) {
            promise.complete(true);
        }
        return promise != null;
    }

    /// The reason for refusing calls to it; null if it is not expected.
    @Nullable
    UnavailableServer unavailableServer(String id) {
        return has(id) ? coming(id) : null;
    }

    static UnavailableServer coming(String id) {
        String message = id + " is being added and is not available yet; call again in a few seconds";
        return new UnavailableServer(
                id, CallFailure.policy(ErrorId.CONNECT_FAILED, message), ServerStatus.PROVISIONING);
    }

    /// Waits until the server was added or withdrawn, at most until the caller's deadline and the usual limit.
    void await(String id, Deadline deadline) throws InterruptedException {
        Promise<Boolean> promise = servers.get(id);
        if (promise == null) {
            return;
        }
        Thread self = Thread.currentThread();
        deadline.onChange(() -> LockSupport.unpark(self));
        Duration most = Duration.ofNanos(Math.clamp(deadline.left(), 1, LONGEST.toNanos()));
        waiting.incrementAndGet();
        try {
            promise.await(platform, most, deadline::isGivenUp);
        } finally {
            waiting.decrementAndGet();
        }
    }
}
