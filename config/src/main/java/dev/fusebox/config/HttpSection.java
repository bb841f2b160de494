package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Text;
import dev.fusebox.config.ValueType.Whole;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The section `http`.
final class HttpSection {
    static final SectionType SECTION = new SectionType("http", "publicUrl", "tls", "trustedProxies");
    static final SectionType AUTH = new SectionType("httpAuth", "http.auth", Set.of(), List.of());

    static final ConfigKey<String> HOST = SECTION.key(
            "host",
            new ValidatedValueType<>(new Text(), HttpSection::againstHost, "address of this machine"),
            "\"127.0.0.1\"",
            "The address to listen on. It must be a loopback address: others need authentication, which"
                    + " is not supported yet.");
    static final ConfigKey<Long> PORT = SECTION.key(
            "port", new Whole(0, 65_535), "7332", "The port to listen on; 0 for any free port, which is printed.");
    static final ConfigKey<List<String>> ALLOWED_ORIGINS = SECTION.key(
            "allowedOrigins",
            ListType.of(new ValidatedValueType<>(new Text(), HttpSection::againstOrigin, "origin of web pages")),
            "[]",
            "Origins of web pages that may call the gateway and read its answers, each as"
                    + " `https://app.example` or `http://localhost:6274`. The gateway's own pages (`localhost`,"
                    + " `127.0.0.1` and `[::1]` with its port) are always allowed. Pages of other programs on this"
                    + " machine have to be listed.");
    static final ConfigKey<Boolean> OTHER_USERS = SECTION.key(
            "otherUsers",
            Choice.ofTwo("refuse", "allow"),
            "\"refuse\"",
            "Whether other users of this machine may connect: `refuse` or `allow`. The gateway's own"
                    + " user and the superuser may always connect. `refuse` works on Linux, where the kernel"
                    + " reports the user at the other end of a connection; set `allow` for a reverse proxy that"
                    + " runs as another user.");
    static final ConfigKey<Long> MAX_BODY_BYTES = SECTION.key(
            "maxBodyBytes", new Whole(1, 1L << 30), "4194304", "The largest request of a client, in bytes.");
    static final ConfigKey<Long> SESSION_IDLE_MS = SECTION.key(
            "sessionIdleMs", Whole.MILLIS, "1800000", "A session that has been idle for this long is closed.");
    static final ConfigKey<Long> MAX_SESSIONS =
            SECTION.key("maxSessions", new Whole(1, 1_000_000), "10000", "The number of sessions at the same time.");
    static final ConfigKey<Long> MAX_CONNECTIONS = SECTION.key(
            "maxConnections", new Whole(1, 1_000_000), "12000", "The number of client connections at the same time.");
    static final ConfigKey<Long> HEADER_TIMEOUT_MS = SECTION.key(
            "headerTimeoutMs",
            new Whole(1, 3_600_000),
            "10000",
            "How long a client may take to send the headers of a request.");

    static final ConfigKey<ConfigSection> OF_AUTH =
            SECTION.key("auth", new SectionValueType(AUTH), "", "How clients of MCP prove who they are.");

    static final ConfigKey<Boolean> MODE = AUTH.key(
            "mode",
            Choice.ofTwo("none", "token"),
            "\"none\"",
            "`token`: requests to `/mcp`, `/mcp/p/NAME`, `/sse` and `/messages` need the header `Authorization: Bearer"
                    + " TOKEN` with the content of `~/.fusebox/run/client.token`, which `init --transport http` writes"
                    + " for clients. `none`: `otherUsers` alone decides.");

    private HttpSection() {}

    /// @param http the section of the file, with the options of the command line taking precedence
    static HttpConfig read(ConfigSection http) {
        InetAddress address = address(http.value(HOST));
        if (address == null) {
            throw new IllegalStateException("checked when it was read");
        }
        return new HttpConfig(
                address,
                http.number(PORT),
                Set.copyOf(http.value(ALLOWED_ORIGINS)),
                http.value(OTHER_USERS),
                http.section(OF_AUTH).value(MODE),
                new SessionBounds(http.number(MAX_SESSIONS), http.millis(SESSION_IDLE_MS)),
                new HttpConfig.Intake(
                        http.number(MAX_BODY_BYTES), http.number(MAX_CONNECTIONS), http.millis(HEADER_TIMEOUT_MS)));
    }

    private static @Nullable String againstHost(String host) {
        InetAddress address = address(host);
        if (address == null) {
            return "is not an address; it must be 127.0.0.1, ::1 or localhost";
        }
        return address.isLoopbackAddress()
                ? null
                : "is not a loopback address; other addresses need authentication, which is not supported yet";
    }

    /// No name is resolved. Null if it is not an address.
    private static @Nullable InetAddress address(String host) {
        try {
            return InetAddress.ofLiteral(host.equals("localhost") ? "127.0.0.1" : host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    private static @Nullable String againstOrigin(String origin) {
        String wrong = "is not an origin; write it as a browser sends it: scheme, host and optional port, such as"
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
