package dev.fusebox.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The check of the Host and Origin headers against DNS rebinding: only requests that were meant for this server
/// pass. Immutable and thread-safe.
///
/// Both headers are compared with the few allowed texts, and never parsed. Host: a loopback name with the server's
/// own port, or the host of the public URL. Origin, if present: the same as a URL, or an allowed one.
final class HostGuard {
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");

    private final Set<String> hosts = new HashSet<>();
    private final Set<String> origins = new HashSet<>();

    private HostGuard() {}

    /// @param bound the address on which the server listens, with its real port
    static HostGuard of(HttpSettings settings, SocketAddress bound) {
        var guard = new HostGuard();
        for (String name : LOOPBACK) {
            guard.allow("http", name, bound instanceof InetSocketAddress tcp ? tcp.getPort() : -1);
        }
        URI publicUrl = settings.publicUrl();
        if (publicUrl != null) {
            guard.allow(lower(publicUrl.getScheme()), lower(publicUrl.getHost()), publicUrl.getPort());
        }
        settings.allowedOrigins().forEach(origin -> guard.origins.add(lower(origin)));
        return guard;
    }

    private void allow(String scheme, String name, int port) {
        int usual = scheme.equals("https") ? 443 : 80;
        if (port != -1) {
            add(scheme, name + ":" + port);
        }
        if (port == -1 || port == usual) {
            add(scheme, name);
            add(scheme, name + ":" + usual);
        }
    }

    private void add(String scheme, String authority) {
        hosts.add(authority);
        origins.add(scheme + "://" + authority);
    }

    /// Throws if the request is not allowed.
    void check(HttpHeaders headers) throws RequestRejected {
        @Nullable String host = headers.value("host");
        if (host == null) {
            throw RequestRejected.malformed("missing Host header");
        }
        if (!hosts.contains(lower(host))) {
            throw RequestRejected.because(
                    403, "the Host header names another host; use localhost with the port, or configure a public URL");
        }
        @Nullable String origin = headers.value("origin");
        if (origin != null && !origins.contains(origin)) {
            throw RequestRejected.because(
                    403,
                    "the Origin header names an origin that is not allowed; add it to"
                            + " http.allowedOrigins to allow it");
        }
    }

    /// The origin of the page that sent the request; null if it is not allowed, or there is none.
    @Nullable
    String allowedOrigin(HttpHeaders headers) {
        @Nullable String origin = headers.value("origin");
        return origin != null && origins.contains(origin) ? origin : null;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
