package dev.fusebox.protocol.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// HTTP proxy that is used with CONNECT (RFC 9110, 9.3.6). Immutable. Its text form has only the address, since the
/// credentials are secret.
public final class HttpProxy {
    private static final String EXPECTED = "http://host:port, or http://user:password@host:port";

    private final Origin origin;
    private final @Nullable String authorization;

    private HttpProxy(Origin origin, @Nullable String authorization) {
        this.origin = origin;
        this.authorization = authorization;
    }

    /// Parses its address; `http://` is optional.
    ///
    /// @throws IllegalArgumentException if it is not valid, with a reason that does not contain it
    public static HttpProxy parse(String address) {
        URI uri = uri(address.contains("://") ? address : "http://" + address);
        String user = uri.getUserInfo();
        if (user == null && String.valueOf(uri.getRawAuthority()).indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "user or password has a character that must be percent-encoded; " + "expected " + EXPECTED);
        }
        Origin origin = Origin.of(withoutUser(uri));
        if (origin == null || origin.isSecure()) {
            throw new IllegalArgumentException("not a proxy address; expected " + EXPECTED);
        }
        return new HttpProxy(origin, user == null ? null : basic(user));
    }

    /// The message of the JDK for an invalid address would contain all of it.
    private static URI uri(String address) {
        try {
            return new URI(address);
        } catch (URISyntaxException wrong) {
            throw new IllegalArgumentException(
                    "invalid address; expected " + EXPECTED + ", other characters percent-encoded");
        }
    }

    private static URI withoutUser(URI uri) {
        String authority = String.valueOf(uri.getRawAuthority());
        return uri(uri.getScheme() + "://" + authority.substring(authority.lastIndexOf('@') + 1));
    }

    /// RFC 7617.
    private static String basic(String user) {
        String both = user.indexOf(':') < 0 ? user + ":" : user;
        return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
    }

    public Origin origin() {
        return origin;
    }

    /// The head of the CONNECT request for this origin.
    public String connect(Origin goal) {
        String authority = goal.authority();
        String credentials = authorization == null ? "" : "Proxy-Authorization: " + authorization + "\r\n";
        return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + credentials + "\r\n";
    }

    @Override
    public String toString() {
        return origin.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HttpProxy it
                && it.origin.equals(origin)
                && Objects.equals(it.authorization, authorization);
    }

    @Override
    public int hashCode() {
        return Objects.hash(origin, authorization);
    }
}
