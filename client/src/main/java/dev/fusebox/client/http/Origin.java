package dev.fusebox.client.http;

import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Scheme, host and port of a URL. Immutable.
///
/// @param host without the brackets of an IPv6 address
record Origin(boolean isSecure, String host, int port) {

    /// Null if the URL is not http or https, or contains user info.
    static @Nullable Origin of(URI uri) {
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

    /// The address if the host is a literal one; null if it is a name.
    @Nullable
    InetAddress address() {
        return literal(host);
    }

    static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    /// Whether it is on this machine, as far as that is known without a lookup (RFC 6761, 6.3).
    boolean isHere() {
        InetAddress address = address();
        return address == null
                ? host.equals("localhost") || host.endsWith(".localhost")
                : address.isLoopbackAddress() || address.isAnyLocalAddress();
    }

    /// Host and port as in a CONNECT request.
    String authority() {
        return bracketed() + ":" + port;
    }

    /// The value of the Host header, without the default port.
    String hostHeader() {
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
