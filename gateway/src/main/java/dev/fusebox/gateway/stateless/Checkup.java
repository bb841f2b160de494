package dev.fusebox.gateway.stateless;

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

/// Signs of life of a server that several connections lead to: it is silent if it is silent on one of them, and
/// that is the one that is ended then. For one who asks at a time; only [#pulse] blocks, little longer than asked.
///
/// @param silent on which nobody answered when they were asked last
record Checkup(Platform platform, Supplier<Collection<Berth>> berths, Set<Berth> silent) implements Liveness {
    private static final Duration GRACE = Duration.ofMillis(200);

    Checkup(Platform platform, Supplier<Collection<Berth>> berths) {
        this(platform, berths, ConcurrentHashMap.newKeySet());
    }

    @Override
    public Pulse pulse(long since, Duration limit) {
        List<Berth> all = List.copyOf(berths.get());
        silent.clear();
        if (all.size() == 1) {
            return noted(all.getFirst(), all.getFirst().target().pulse(since, limit));
        }
        Map<Berth, Promise<Pulse>> asked = new LinkedHashMap<>();
        for (Berth berth : all) {
            Promise<Pulse> pulse = new Promise<>();
            asked.put(berth, pulse);
            Thread.ofVirtual()
                    .name("fusebox-pulse")
                    .start(() -> pulse.bring(berth.target().pulse(since, limit)));
        }
        Pulse worst = Pulse.GONE;
        for (Map.Entry<Berth, Promise<Pulse>> one : asked.entrySet()) {
            worst = worse(worst, noted(one.getKey(), await(one.getValue(), limit)));
        }
        return worst;
    }

    private Pulse noted(Berth berth, Pulse pulse) {
        if (pulse == Pulse.NONE) {
            silent.add(berth);
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

    /// On all of them: nobody knows on which one the call was that is in doubt.
    @Override
    public boolean heardSince(long then) {
        Collection<Berth> all = berths.get();
        return !all.isEmpty() && all.stream().allMatch(berth -> berth.target().heardSince(then));
    }

    /// Others may be at work, but not there.
    @Override
    public boolean isIdle() {
        return !silent.isEmpty() && silent.stream().allMatch(berth -> berth.calls() == 0);
    }

    @Override
    public void disconnect() {
        silent.forEach(berth -> berth.target().disconnect());
    }
}
