package dev.fusebox.gateway.config;

import java.util.Locale;

/// Who has a server for itself, as it is configured.
public enum ServerIsolation {
    /// The client, if it is the only one.
    AUTO,
    /// Nobody.
    SHARED,
    /// Each session of a client.
    SESSION;

    /// The spelling in a configuration: `auto`.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
