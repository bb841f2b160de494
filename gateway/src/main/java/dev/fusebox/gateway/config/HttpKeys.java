package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Whole;
import dev.fusebox.http.OtherUsersPolicy;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of `http`.
final class HttpKeys {
    static final ConfigKey<String> HOST = ConfigKey.of(
            "host",
            new ValidatedValueType<>(new ValueType.Text(), HttpKeys::againstHost, "address of this machine"),
            "\"127.0.0.1\"",
            "The address to listen on, one of this machine's own: others need authentication, which is not supported"
                    + " yet.");
    static final ConfigKey<Long> PORT = ConfigKey.of(
            "port", new Whole(0, 65_535), "7332", "The port to listen on; 0 for any free one, which is printed.");
    static final ConfigKey<List<String>> ALLOWED_ORIGINS = ConfigKey.of(
            "allowedOrigins",
            ListType.of(new ValidatedValueType<>(new ValueType.Text(), HttpKeys::againstOrigin, "origin of web pages")),
            "[]",
            "Origins of web pages that may call the gateway and read its answers, each as `https://app.example` or"
                    + " `http://localhost:6274`. The gateway's own pages (`localhost`, `127.0.0.1` and `[::1]` with its"
                    + " port) always may. Pages of other programs on this machine have to be listed.");
    static final ConfigKey<OtherUsersPolicy> OTHER_USERS = ConfigKey.of(
            "otherUsers",
            ValueType.Choice.of(OtherUsersPolicy.values(), OtherUsersPolicy::word),
            "\"refuse\"",
            "Whether other users of this machine may connect: `refuse` or `allow`. The gateway's own user and the"
                    + " superuser always may. `refuse` holds on Linux, where the system tells the user at the other end"
                    + " of a connection; set `allow` for a reverse proxy that runs as another user.");
    static final ConfigKey<Long> MAX_BODY_BYTES =
            ConfigKey.of("maxBodyBytes", new Whole(1, 1L << 30), "4194304", "The longest request of a client.");
    static final ConfigKey<Long> SESSION_IDLE_MS = ConfigKey.of(
            "sessionIdleMs", DurationBounds.MILLIS, "1800000", "A session that has been unused for so long is closed.");
    static final ConfigKey<Long> MAX_SESSIONS =
            ConfigKey.of("maxSessions", new Whole(1, 1_000_000), "10000", "Sessions at the same time.");
    static final ConfigKey<Long> MAX_CONNECTIONS = ConfigKey.of(
            "maxConnections", new Whole(1, 1_000_000), "12000", "Connections of clients at the same time.");
    static final ConfigKey<Long> HEADER_TIMEOUT_MS = ConfigKey.of(
            "headerTimeoutMs",
            new Whole(1, 3_600_000),
            "10000",
            "How long a client may take to send the head of a request.");

    static final List<ConfigKey<?>> ALL = List.of(
            HOST,
            PORT,
            ALLOWED_ORIGINS,
            OTHER_USERS,
            MAX_BODY_BYTES,
            SESSION_IDLE_MS,
            MAX_SESSIONS,
            MAX_CONNECTIONS,
            HEADER_TIMEOUT_MS);

    static final Set<String> LATER = Set.of("publicUrl", "tls", "trustedProxies", "auth");

    private HttpKeys() {}

    private static @Nullable String againstHost(String host) {
        InetAddress address = address(host);
        if (address == null) {
            return "is no address; it must be 127.0.0.1, ::1 or localhost";
        }
        return address.isLoopbackAddress()
                ? null
                : "is not an address of this machine's own: others need authentication, which is not supported yet";
    }

    /// No name is looked up. Null if it is none.
    static @Nullable InetAddress address(String host) {
        try {
            return InetAddress.ofLiteral(host.equals("localhost") ? "127.0.0.1" : host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    private static @Nullable String againstOrigin(String origin) {
        String wrong = "is no origin; it must be as a browser sends it: scheme, host and perhaps port, such as"
                + " https://app.example";
        try {
            URI uri = new URI(origin);
            String whole = uri.getScheme() + "://" + uri.getRawAuthority();
            boolean isOrigin = uri.getHost() != null && uri.getRawUserInfo() == null && origin.equals(whole);
            return isOrigin && origin.equals(origin.toLowerCase(Locale.ROOT)) ? null : wrong;
        } catch (URISyntaxException unreadable) {
            return wrong;
        }
    }
}
