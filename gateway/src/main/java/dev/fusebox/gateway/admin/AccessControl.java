package dev.fusebox.gateway.admin;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpRequest;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Who may see and who may change things. Immutable and thread-safe.
///
/// Over the owner's socket everybody may do everything, since only the owner gets there. Over TCP those on this
/// machine may see, and those with the token may change. A request that came through a proxy is not from this
/// machine, wherever the proxy is.
final class AccessControl {
    private static final String SCHEME = "bearer ";
    private static final List<String> TRACES = List.of("forwarded", "x-forwarded-for", "x-forwarded-host", "via");
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");

    private final boolean isOwners;
    private final Supplier<@Nullable String> token;

    private AccessControl(boolean isOwners, Supplier<@Nullable String> token) {
        this.isOwners = isOwners;
        this.token = token;
    }

    /// Of a socket that only its owner can open.
    static AccessControl ofOwner() {
        return new AccessControl(true, () -> null);
    }

    /// @param token null if there is none, and then nobody may change anything
    static AccessControl of(Supplier<@Nullable String> token) {
        return new AccessControl(false, token);
    }

    /// Whether only the owner of the gateway gets here.
    boolean isOwners() {
        return isOwners;
    }

    boolean maySee(HttpRequest request) {
        return isOwners || isLocal(request) || mayChange(request);
    }

    /// Whether there is a token at all.
    boolean canBeOpened() {
        return isOwners || token.get() != null;
    }

    boolean mayChange(HttpRequest request) {
        String known = token.get();
        String given = request.headers().value("Authorization");
        if (isOwners || known == null || given == null) {
            return isOwners;
        }
        boolean isBearer = given.toLowerCase(Locale.ROOT).startsWith(SCHEME);
        return isBearer
                && MessageDigest.isEqual(bytes(given.substring(SCHEME.length()).strip()), bytes(known));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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
