package dev.fusebox.gateway.admin;

import dev.fusebox.http.BearerToken;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpRequest;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The access rules of the admin API: who may read and who may write. Immutable and thread-safe.
///
/// Over the owner's socket everything is allowed, because only the owner can connect to it. Over TCP, clients on
/// this machine may read, and clients with the token may write. A request that came through a proxy does not count
/// as local, wherever the proxy is.
final class AccessControl {
    private static final List<String> TRACES = List.of("forwarded", "x-forwarded-for", "x-forwarded-host", "via");
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");

    private final boolean isOwner;
    private final Supplier<@Nullable String> token;

    private AccessControl(boolean isOwner, Supplier<@Nullable String> token) {
        this.isOwner = isOwner;
        this.token = token;
    }

    /// For a socket that only its owner can open.
    static AccessControl ofOwner() {
        return new AccessControl(true, () -> null);
    }

    /// @param token null if there is none, and every write is refused
    static AccessControl of(Supplier<@Nullable String> token) {
        return new AccessControl(false, token);
    }

    /// Whether requests come over the owner's socket.
    boolean isOwner() {
        return isOwner;
    }

    boolean mayRead(HttpRequest request) {
        return isOwner || isLocal(request) || mayWrite(request);
    }

    /// Whether there is a token at all.
    boolean hasToken() {
        return isOwner || token.get() != null;
    }

    boolean mayWrite(HttpRequest request) {
        String known = token.get();
        return isOwner || (known != null && new BearerToken(known).isIn(request));
    }

    private static boolean isLocal(HttpRequest request) {
        HttpHeaders headers = request.headers();
        boolean cameThroughProxy = TRACES.stream().anyMatch(name -> headers.value(name) != null);
        return !cameThroughProxy
                && namesLoopback(headers.value("Host"))
                && request.remote() instanceof InetSocketAddress tcp
                && tcp.getAddress() != null
                && tcp.getAddress().isLoopbackAddress();
    }

    private static boolean namesLoopback(@Nullable String host) {
        String name = host == null ? "" : host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
        return LOOPBACK.contains(name);
    }
}
