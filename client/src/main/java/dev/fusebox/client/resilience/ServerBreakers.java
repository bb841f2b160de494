package dev.fusebox.client.resilience;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/// The breakers of one server and its tools, among those of all. Thread-safe; nothing blocks.
///
/// @param server whose they are
record ServerBreakers(String server, Breakers all) {
    private Stream<CircuitBreaker> those() {
        return all.names().stream()
                .filter(name -> name.server().equals(server))
                .flatMap(name -> all.find(name).stream());
    }

    /// What an operator holds open, and why.
    Map<BreakerName, String> held() {
        Map<BreakerName, String> held = new LinkedHashMap<>();
        those().map(CircuitBreaker::snapshot).forEach(seen -> {
            String reason = seen.operatorReason();
            if (reason != null) {
                held.put(seen.name(), reason);
            }
        });
        return held;
    }

    /// The server no longer has this tool.
    void forget(String tool) {
        all.remove(BreakerName.of(server).tool(tool));
    }

    /// Forgets those of this scope that have another policy. How long a call may take is no part of it: each
    /// call brings its own time.
    void forget(Scope scope, BreakerPolicy policy) {
        those().filter(known -> known.name().scope() == scope && !judgeAlike(known.policy(), policy))
                .forEach(known -> all.remove(known.name()));
    }

    private static boolean judgeAlike(BreakerPolicy one, BreakerPolicy other) {
        return one.tripRule().equals(other.tripRule())
                && one.cooldown().equals(other.cooldown())
                && one.halfOpen().equals(other.halfOpen());
    }

    void forgetAll() {
        those().forEach(known -> all.remove(known.name()));
    }
}
