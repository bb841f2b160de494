package dev.fusebox.gateway.settings;

import dev.fusebox.config.HostEnvironment;
import dev.fusebox.platform.Platform;

/// What a configuration depends on beside its file, taken from the platform. Pure functions; thread-safe.
public final class HostEnvironments {
    private HostEnvironments() {}

    /// The environment variables and the memory of this machine.
    public static HostEnvironment of(Platform platform) {
        return new HostEnvironment(platform.environment(), platform.processes().memory());
    }
}
