package dev.fusebox.gateway.era;

import dev.fusebox.client.Promise;
import dev.fusebox.client.ReconnectingConnection.Pulse;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The health check of a server with several connections: the server fails it if one of them does not answer,
/// and that connection is then closed. For one caller at a time; only [#pulse] blocks, little longer than its
/// limit.
///
/// @param silent connections that did not answer the last check
record ConnectionHealthCheck(Platform platform, Supplier<Collection<ConnectionSlot>> slots, Set<ConnectionSlot> silent)
        implements Liveness {
    private static final Duration GRACE = Duration.ofMillis(200);

    ConnectionHealthCheck(Platform platform, Supplier<Collection<ConnectionSlot>> slots) {
        this(platform, slots, ConcurrentHashMap.newKeySet());
    }

    @Override
    public Pulse pulse(long since, Duration limit) {
        List<ConnectionSlot> all = List.copyOf(slots.get());
        silent.clear();
        if (all.size() == 1) {
            return noted(all.getFirst(), all.getFirst().endpoint().pulse(since, limit));
        }
        Map<ConnectionSlot, Promise<Pulse>> asked = new LinkedHashMap<>();
        for (ConnectionSlot slot : all) {
            Promise<Pulse> pulse = new Promise<>();
            asked.put(slot, pulse);
            Thread.ofVirtual()
                    .name("fusebox-pulse")
                    .start(() -> pulse.complete(slot.endpoint().pulse(since, limit)));
        }
        Pulse worst = Pulse.GONE;
        for (Map.Entry<ConnectionSlot, Promise<Pulse>> one : asked.entrySet()) {
            worst = worse(worst, noted(one.getKey(), await(one.getValue(), limit)));
        }
        return worst;
    }

    private Pulse noted(ConnectionSlot slot, Pulse pulse) {
        if (pulse == Pulse.NONE) {
            silent.add(slot);
        }
        return pulse;
    }

    private Pulse await(Promise<Pulse> pulse, Duration limit) {
        try {
            Pulse known = pulse.await(platform, limit.plus(GRACE));
            return known == null ? Pulse.NONE : known;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Pulse.GONE;
        }
    }

    private static Pulse worse(Pulse one, Pulse other) {
        if (one == Pulse.NONE || other == Pulse.NONE) {
            return Pulse.NONE;
        }
        return one == Pulse.GONE ? other : one;
    }

    /// On all connections: it is not known which of them carried the call in doubt.
    @Override
    public boolean hasReceivedSince(long then) {
        Collection<ConnectionSlot> all = slots.get();
        return !all.isEmpty() && all.stream().allMatch(slot -> slot.endpoint().hasReceivedSince(then));
    }

    /// Only the silent connections count; others may be busy.
    @Override
    public boolean isIdle() {
        return !silent.isEmpty() && silent.stream().allMatch(slot -> slot.calls() == 0);
    }

    @Override
    public void disconnect() {
        silent.forEach(slot -> slot.endpoint().disconnect());
    }
}
