package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Choice;
import dev.fusebox.gateway.config.ValueType.Whole;
import java.util.List;

/// The keys of a server's `lifecycle`.
final class LifecycleKeys {
    static final ConfigKey<Lifecycle> MODE = ConfigKey.of(
            "mode",
            Choice.of(Lifecycle.values(), Lifecycle::word),
            "`keep-alive`: it stays, and is never closed to make room; `ephemeral`: it ends as soon as it has nothing"
                    + " to do.");
    static final ConfigKey<Long> IDLE_TIMEOUT_MS = ConfigKey.of(
            "idleTimeoutMs",
            DurationBounds.MILLIS,
            "Of `keep-alive`: it ends all the same when it was unused for so long. Without a mode: when a process"
                    + " that belongs to one session ends because the session has not used it for so long; if left out,"
                    + " half an hour.");
    static final ConfigKey<Boolean> EAGER = ConfigKey.of(
            "eager", new ValueType.Flag(), "false", "Of `keep-alive`: whether it is started with the gateway.");
    static final ConfigKey<Long> LINGER_MS = ConfigKey.of(
            "lingerMs", new Whole(0, 3_600_000), "0", "Of `ephemeral`: how long it waits for more before it ends.");

    static final List<ConfigKey<?>> ALL = List.of(MODE, IDLE_TIMEOUT_MS, EAGER, LINGER_MS);

    private LifecycleKeys() {}
}
