package dev.fusebox.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The settings of a server: its address, allowed clients and limits. Immutable, thread-safe.
///
/// @param address a TCP address (port 0: any free one) or a Unix socket
/// @param publicUrl the URL under which a proxy exposes the server; its host and origin are then allowed, too
/// @param allowedOrigins further origins of web pages, each as a browser sends it: `https://app.example`
/// @param otherUsersPolicy whether loopback connections of other users are accepted
/// @param limits how much a client may send and leave unread
/// @param times how long a client may take
public record HttpSettings(
        SocketAddress address,
        @Nullable URI publicUrl,
        Set<String> allowedOrigins,
        OtherUsersPolicy otherUsersPolicy,
        HttpLimits limits,
        HttpTimes times) {

    public HttpSettings {
        allowedOrigins = Set.copyOf(allowedOrigins);
        if (publicUrl != null && (publicUrl.getScheme() == null || publicUrl.getHost() == null)) {
            throw new IllegalArgumentException("the public URL must have the form https://host/path: " + publicUrl);
        }
    }

    /// Settings for 127.0.0.1 and local clients only.
    public static HttpSettings loopback(int port) {
        byte[] loopback = {127, 0, 0, 1};
        try {
            return on(new InetSocketAddress(InetAddress.getByAddress(loopback), port));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are always a valid address", e);
        }
    }

    /// Settings for a Unix socket; its clients are those that may write to the file: this user.
    public static HttpSettings unix(Path socket) {
        return on(UnixDomainSocketAddress.of(socket));
    }

    private static HttpSettings on(SocketAddress address) {
        return new HttpSettings(
                address, null, Set.of(), OtherUsersPolicy.REFUSE, HttpLimits.defaults(), HttpTimes.defaults());
    }

    public HttpSettings withPublicUrl(URI url) {
        return new HttpSettings(address, url, allowedOrigins, otherUsersPolicy, limits, times);
    }

    public HttpSettings withAllowedOrigins(Set<String> origins) {
        return new HttpSettings(address, publicUrl, origins, otherUsersPolicy, limits, times);
    }

    public HttpSettings withOtherUsers(OtherUsersPolicy other) {
        return new HttpSettings(address, publicUrl, allowedOrigins, other, limits, times);
    }

    public HttpSettings withLimits(HttpLimits other) {
        return new HttpSettings(address, publicUrl, allowedOrigins, otherUsersPolicy, other, times);
    }

    public HttpSettings withTimes(HttpTimes other) {
        return new HttpSettings(address, publicUrl, allowedOrigins, otherUsersPolicy, limits, other);
    }
}
