package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Patience;
import dev.fusebox.gateway.life.Status;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Servers that are being added and are not there yet. Thread-safe; only [#await] blocks.
final class Expected {
    /// A file is written and read within two seconds.
    private static final Duration LONGEST = Duration.ofSeconds(15);

    private final Map<String, Arrival<Boolean>> servers = new ConcurrentHashMap<>();

    private final AtomicInteger waiting = new AtomicInteger();

    Expected() {
        // Nobody is expected.
    }

    /// False if it is expected already.
    boolean add(String id) {
        return servers.putIfAbsent(id, new Arrival<>()) == null;
    }

    boolean has(String id) {
        return servers.containsKey(id);
    }

    List<String> names() {
        return List.copyOf(servers.keySet());
    }

    /// How many wait.
    int waiting() {
        return waiting.get();
    }

    /// It has come, or never will; false if it was not expected.
    boolean remove(String id) {
        Arrival<Boolean> arrival = servers.remove(id);
        if (arrival != null) {
            arrival.bring(true);
        }
        return arrival != null;
    }

    /// Null if it is not expected.
    @Nullable
    Absent absent(String id) {
        return has(id) ? coming(id) : null;
    }

    static Absent coming(String id) {
        String message = id + " is being added and not there yet; call again in a few seconds";
        return new Absent(id, Fault.policy(FaultCode.CONNECT_FAILED, message), Status.PROVISIONING.toString());
    }

    /// Until it is there, or never will be.
    void await(World world, String id, Patience patience) throws InterruptedException {
        Arrival<Boolean> arrival = servers.get(id);
        if (arrival == null) {
            return;
        }
        Thread self = Thread.currentThread();
        patience.onChange(() -> LockSupport.unpark(self));
        Duration most = Duration.ofNanos(Math.clamp(patience.left(), 1, LONGEST.toNanos()));
        waiting.incrementAndGet();
        try {
            arrival.await(world, most, patience::isGivenUp);
        } finally {
            waiting.decrementAndGet();
        }
    }
}
