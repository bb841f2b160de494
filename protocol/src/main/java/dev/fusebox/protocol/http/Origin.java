package dev.fusebox.protocol.http;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Scheme, host and port of an HTTP server. Immutable.
///
/// @param host as it is looked up, without the brackets of an IPv6 address
public record Origin(boolean isSecure, String host, int port) {

    /// Null if the address is not one of HTTP, or names a user.
    public static @Nullable Origin of(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean secure = scheme.equals("https");
        String host = uri.getHost();
        boolean isHttp = secure || scheme.equals("http");
        if (!isHttp || host == null || host.isEmpty() || uri.getRawUserInfo() != null || uri.getPort() > 65_535) {
            return null;
        }
        int port = uri.getPort() > 0 ? uri.getPort() : secure ? 443 : 80;
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new Origin(secure, bare.toLowerCase(Locale.ROOT), port);
    }

    /// The origin of an address that must have one.
    ///
    /// @throws IllegalArgumentException if the address is not one of HTTP, or names a user
    public static Origin require(URI uri) {
        Origin origin = of(uri);
        if (origin == null) {
            throw new IllegalArgumentException(
                    "the URL must be http:// or https://, with a host and without a user name");
        }
        return origin;
    }

    /// The address that the host is; null if it is a name.
    public @Nullable InetAddress address() {
        return literal(host);
    }

    /// The address that a host is; null if it is a name.
    public static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    /// Whether it is on this machine, as far as that is known without a DNS lookup (RFC 6761, 6.3).
    public boolean isHere() {
        InetAddress address = address();
        return address == null
                ? host.equals("localhost") || host.endsWith(".localhost")
                : address.isLoopbackAddress() || address.isAnyLocalAddress();
    }

    /// Host and port as CONNECT requires them.
    public String authority() {
        return bracketed() + ":" + port;
    }

    /// The value of a Host header: the default port is left out.
    public String hostHeader() {
        return port == (isSecure ? 443 : 80) ? bracketed() : authority();
    }

    private String bracketed() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    @Override
    public String toString() {
        return (isSecure ? "https://" : "http://") + hostHeader();
    }
}
