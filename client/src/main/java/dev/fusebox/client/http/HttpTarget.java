package dev.fusebox.client.http;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.protocol.http.Origin;
import dev.fusebox.protocol.http.RequestHeaders;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Endpoint of a server, with the headers of every request to it. Immutable. Its text form contains neither the
/// query nor header values, which are secret.
///
/// @param uri of the endpoint: http or https, or ws, wss or tcp for a connection that carries another protocol
/// @param headers of every request
/// @param isForeign whether [AddressPolicy] applies, because the address is not from the operator's configuration
/// @param route to the server
/// @param known secrets besides its own ([#secrets]) that must not appear in errors and logs
public record HttpTarget(URI uri, Map<String, String> headers, boolean isForeign, OutboundRoute route, Redactor known) {
    /// Prefixes of tokens, which appear in any text about them.
    private static final Set<String> SCHEMES = Set.of("bearer", "digest");

    /// The HTTP scheme with the same origin, by the scheme of another protocol.
    private static final Map<String, String> HTTP_SCHEMES = Map.of("ws", "http", "wss", "https", "tcp", "http");

    /// A path that begins with two slashes is read as a host if nothing precedes it.
    private static final String PREFIX = "http://host";

    /// Validates all components.
    ///
    /// @throws IllegalArgumentException if the address or a header is not valid, with the reason
    public HttpTarget {
        if (originOf(uri) == null) {
            Origin.require(uri);
        }
        headers = Map.copyOf(headers);
        headers.forEach(RequestHeaders::check);
    }

    /// An address from the configuration of the operator.
    public static HttpTarget of(URI uri) {
        return new HttpTarget(uri, Map.of(), false, OutboundRoute.DEFAULT, Redactor.NONE);
    }

    /// The same with these headers.
    public HttpTarget withHeaders(Map<String, String> other) {
        return new HttpTarget(uri, other, isForeign, route, known);
    }

    /// The same as an address that does not come from the operator.
    public HttpTarget asForeign() {
        return new HttpTarget(uri, headers, true, route, known);
    }

    /// The same over another route.
    public HttpTarget by(OutboundRoute other) {
        return new HttpTarget(uri, headers, isForeign, other, known);
    }

    /// The same with these secrets hidden in errors and logs.
    public HttpTarget withSecrets(Redactor other) {
        return new HttpTarget(uri, headers, isForeign, route, other);
    }

    /// Whether it is clear without a DNS lookup that every request to it will be refused, because only addresses
    /// from the configuration may be plain http or in a private network.
    public boolean isForbidden() {
        InetAddress literal = origin().address();
        boolean isPrivate = isHere() || (literal != null && !AddressPolicy.isPublic(literal));
        return isForeign && (isPrivate || !origin().isSecure());
    }

    /// Whether it is on this machine, and so always reached without a proxy.
    public boolean isHere() {
        return origin().isHere();
    }

    /// The same origin with another path or query.
    ///
    /// @throws IllegalArgumentException if the address has another origin
    public HttpTarget towards(URI other) {
        if (!origin().equals(originOf(other))) {
            throw new IllegalArgumentException(other + " is not on the origin " + origin());
        }
        return at(other);
    }

    /// The same server with another path.
    HttpTarget at(URI other) {
        return new HttpTarget(other, headers, isForeign, route, known);
    }

    ConnectionKey connectionKey() {
        return new ConnectionKey(origin(), route);
    }

    /// Key of interchangeable connections.
    record ConnectionKey(Origin origin, OutboundRoute route) {}

    Origin origin() {
        return Objects.requireNonNull(originOf(uri));
    }

    /// The origin of an address; null if it has none. That of a WebSocket is the one of its upgrade request (RFC
    /// 6455, section 3).
    static @Nullable Origin originOf(URI uri) {
        Origin origin = Origin.of(uri);
        String scheme = origin == null && uri.getScheme() != null ? HTTP_SCHEMES.get(uri.getScheme()) : null;
        return scheme == null
                ? origin
                : Origin.of(URI.create(
                        scheme + uri.toString().substring(uri.getScheme().length())));
    }

    /// The origin with the scheme of the address, for messages.
    String shownOrigin() {
        if (uri.getScheme().equals("tcp")) {
            // Without a port it would be another one in the configuration.
            return "tcp://" + uri.getRawAuthority();
        }
        String text = origin().toString();
        return HTTP_SCHEMES.containsKey(uri.getScheme()) ? uri.getScheme() + text.substring(text.indexOf(':')) : text;
    }

    /// The path and query of the request line.
    String path() {
        String path = uri.getRawPath();
        String query = uri.getRawQuery();
        String whole = (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
        return URI.create(PREFIX + whole).toASCIIString().substring(PREFIX.length());
    }

    /// All secrets to hide in errors and logs: the known ones, the header values and each part of them, since a
    /// text may contain a token without its scheme, and the query, encoded and decoded.
    public Redactor secrets() {
        Stream<String> values = headers.values().stream()
                .flatMap(value -> Stream.concat(Stream.of(value), Stream.of(value.split("[ \t,;]+", -1))));
        Stream<String> queries = Stream.of(uri.getRawQuery(), uri.getQuery())
                .filter(Objects::nonNull)
                .flatMap(HttpTarget::queryValues);
        List<String> own = Stream.concat(values, queries)
                .filter(text -> !SCHEMES.contains(text.toLowerCase(Locale.ROOT)))
                .toList();
        return Redactor.of(own).and(known);
    }

    private static Stream<String> queryValues(String query) {
        return Stream.of(query.split("&", -1)).map(pair -> pair.substring(pair.indexOf('=') + 1));
    }

    @Override
    public String toString() {
        return shownOrigin() + (uri.getRawPath() == null ? "" : uri.getRawPath()) + " " + headers.keySet();
    }
}
