package dev.fusebox.gateway.config;

import java.util.List;
import java.util.Set;

/// The keys of `telemetry`.
final class TelemetryKeys {
    static final Key<LogLevel> LOG_LEVEL = Key.of(
            "logLevel",
            Kind.Choice.of(LogLevel.values(), LogLevel::word),
            "\"info\"",
            "The least severe of what the gateway's own log holds.");

    static final List<Key<?>> ALL = List.of(LOG_LEVEL);

    static final Set<String> LATER = Set.of("otlpEndpoint");

    private TelemetryKeys() {}
}
