package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Whole;
import java.util.List;
import java.util.Set;

/// The keys of `recovery`.
final class RecoveryKeys {
    static final Key<Long> PING_TIMEOUT_MS = Key.of(
            "pingTimeoutMs",
            new Whole(1, 60_000),
            "2000",
            "After a call that timed out: how long the server has to answer a ping before it is taken for dead.");

    static final List<Key<?>> ALL = List.of(PING_TIMEOUT_MS);

    static final Set<String> LATER =
            Set.of("maxCrashes", "crashWindowMs", "restartDelaysMs", "healthCheckMs", "pingMs", "selfProbeMs");

    private RecoveryKeys() {}
}
