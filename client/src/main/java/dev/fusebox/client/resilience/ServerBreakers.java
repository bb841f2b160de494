package dev.fusebox.client.resilience;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.Scope;
import dev.fusebox.breaker.State;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The breakers of one server and its tools under one set of rules, in the registry of all breakers. Once it is
/// replaced it creates no breaker any more, since its successor may have another policy. Thread-safe; nothing
/// blocks.
final class ServerBreakers {
    private final PipelineRules rules;
    private final Breakers registry;
    private final CircuitBreaker server;
    private boolean isReplaced;

    /// Keeps a breaker that is in the registry already; its policy may differ in the call timeout.
    ServerBreakers(PipelineRules rules, Breakers registry) {
        this.rules = rules;
        this.registry = registry;
        BreakerName name = BreakerName.of(rules.breakerName());
        this.server = registry.find(name).orElseGet(() -> registry.breaker(name, rules.breaker()));
    }

    PipelineRules rules() {
        return rules;
    }

    CircuitBreaker server() {
        return server;
    }

    /// The breaker of a tool; null if the tool has none, or if this object was replaced and the successor has
    /// created none yet.
    @Nullable
    CircuitBreaker ofTool(@Nullable String tool) {
        if (tool == null || !rules.tools().enabled()) {
            return null;
        }
        BreakerName name = BreakerName.of(rules.breakerName()).tool(tool);
        Optional<CircuitBreaker> known = registry.find(name);
        return known.isPresent() ? known.get() : create(name);
    }

    private synchronized @Nullable CircuitBreaker create(BreakerName name) {
        return isReplaced ? null : registry.breaker(name, rules.tools().policy());
    }

    /// Why a call is rejected now; null if it is not. Takes no permit.
    @Nullable
    Rejection peek(@Nullable CircuitBreaker ofTool) {
        Rejection rejection = server.peek();
        return rejection == null && ofTool != null ? ofTool.peek() : rejection;
    }

    /// Whether calls pass as usual.
    boolean isHealthy() {
        return switch (server.state()) {
            case CLOSED, DISABLED -> true;
            case OPEN, HALF_OPEN, FORCED_OPEN -> false;
        };
    }

    private Stream<CircuitBreaker> all() {
        return registry.names().stream()
                .filter(name -> name.server().equals(rules.breakerName()))
                .flatMap(name -> registry.find(name).stream());
    }

    /// The breakers that an operator holds open, with the reasons.
    Map<BreakerName, String> held() {
        Map<BreakerName, String> held = new LinkedHashMap<>();
        all().map(CircuitBreaker::snapshot).forEach(seen -> {
            String reason = seen.operatorReason();
            if (reason != null) {
                held.put(seen.name(), reason);
            }
        });
        return held;
    }

    /// Restores what an operator held open before: only an operator ends that.
    void restoreForcedOpen(Map<BreakerName, String> held) {
        held.forEach((name, reason) -> {
            CircuitBreaker successor = name.scope() == Scope.SERVER ? server : ofTool(name.tool());
            if (successor != null && successor.state() != State.FORCED_OPEN) {
                successor.forceOpen(reason);
            }
        });
    }

    /// Removes the breaker of a tool that the server no longer has.
    void forget(String tool) {
        registry.remove(BreakerName.of(rules.breakerName()).tool(tool));
    }

    /// The breakers under other rules. A breaker with the same policy stays, and so does one that an operator
    /// holds open; any other is created anew.
    ServerBreakers under(PipelineRules other) {
        Map<BreakerName, String> held = held();
        markReplaced();
        removeUnless(Scope.SERVER, other.breaker());
        removeUnless(Scope.TOOL, other.tools().policy());
        ServerBreakers next = new ServerBreakers(other, registry);
        next.restoreForcedOpen(held);
        return next;
    }

    private synchronized void markReplaced() {
        isReplaced = true;
    }

    private void removeUnless(Scope scope, BreakerPolicy policy) {
        all().filter(known -> known.name().scope() == scope && !isSame(known.policy(), policy))
                .forEach(known -> registry.remove(known.name()));
    }

    /// The call timeout is not compared: each call has its own.
    private static boolean isSame(BreakerPolicy one, BreakerPolicy other) {
        return one.tripRule().equals(other.tripRule())
                && one.cooldown().equals(other.cooldown())
                && one.halfOpen().equals(other.halfOpen());
    }

    /// Removes all breakers of the server.
    void retire() {
        markReplaced();
        all().forEach(known -> registry.remove(known.name()));
    }
}
