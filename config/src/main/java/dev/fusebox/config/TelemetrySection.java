package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Text;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/// The section `telemetry`.
final class TelemetrySection {
    static final SectionType SECTION = new SectionType("telemetry");

    static final ConfigKey<LogLevel> LOG_LEVEL = SECTION.key(
            "logLevel", Choice.of(LogLevel.values()), "\"info\"", "The lowest severity in the gateway's own log.");
    static final ConfigKey<String> OTLP_ENDPOINT = SECTION.nullable(
            "otlpEndpoint",
            new ValidatedValueType<>(new Text(), TelemetrySection::againstAddress, "http or https address"),
            "null",
            "Where spans of calls are sent: a collector that takes OTLP over HTTP, such as"
                    + " http://127.0.0.1:4318. null: nowhere.");

    private TelemetrySection() {}

    static @Nullable URI collector(ConfigSection telemetry) {
        String address = telemetry.orUsual(OTLP_ENDPOINT);
        return address == null ? null : URI.create(address);
    }

    private static @Nullable String againstAddress(String address) {
        String wrong = "is not an address of a collector; it must be like http://127.0.0.1:4318, without a user,"
                + " a query or a fragment";
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
