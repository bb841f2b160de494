package dev.fusebox.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of `telemetry`.
final class TelemetryKeys {
    static final ConfigKey<LogLevel> LOG_LEVEL = ConfigKey.of(
            "logLevel",
            ValueType.Choice.of(LogLevel.values(), LogLevel::word),
            "\"info\"",
            "The least severe of what the gateway's own log holds.");

    static final ConfigKey<String> OTLP_ENDPOINT = ConfigKey.of(
                    "otlpEndpoint",
                    new ValidatedValueType<>(
                            new ValueType.Text(), TelemetryKeys::againstAddress, "http or https address"),
                    "null",
                    "Where spans of calls are sent to: a collector that takes OTLP over HTTP, such as"
                            + " http://127.0.0.1:4318. null: nowhere.")
            .orNull();

    static final List<ConfigKey<?>> ALL = List.of(LOG_LEVEL, OTLP_ENDPOINT);

    static final Set<String> LATER = Set.of();

    private TelemetryKeys() {}

    private static @Nullable String againstAddress(String address) {
        String wrong = "is no address of a collector; it must be like http://127.0.0.1:4318, without a user, a query"
                + " or a fragment";
        try {
            URI uri = new URI(address);
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean isPlain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            return isHttp && isPlain && uri.getHost() != null ? null : wrong;
        } catch (URISyntaxException unreadable) {
            return wrong;
        }
    }
}
