package dev.fusebox.client.http;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.protocol.http.Origin;
import dev.fusebox.protocol.http.RequestHeaders;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// Where a server is, and what every request to it carries. Immutable. Says of itself neither query nor values of
/// headers, which hold secrets.
///
/// @param uri of the server's endpoint, http or https
/// @param headers sent with every request
/// @param isForeign whether the address came from somebody else than the operator, and so is held to the rules of
///     [AddressPolicy]
/// @param route how lines to it are laid
/// @param known secrets, beside its own ([#secrets]), that nothing we tell of it may show
public record HttpTarget(URI uri, Map<String, String> headers, boolean isForeign, OutboundRoute route, Redactor known) {
    /// What stands before a token, and in any text about one.
    private static final Set<String> SCHEMES = Set.of("bearer", "digest");

    /// Checks all of it.
    ///
    /// @throws IllegalArgumentException if the address or a header cannot be used, with the reason
    public HttpTarget {
        Origin.require(uri);
        headers = Map.copyOf(headers);
        headers.forEach(RequestHeaders::check);
    }

    /// An address that the operator wrote down.
    public static HttpTarget of(URI uri) {
        return new HttpTarget(uri, Map.of(), false, OutboundRoute.USUAL, Redactor.NONE);
    }

    /// The same with these headers.
    public HttpTarget withHeaders(Map<String, String> other) {
        return new HttpTarget(uri, other, isForeign, route, known);
    }

    /// The same as an address that did not come from the operator.
    public HttpTarget asForeign() {
        return new HttpTarget(uri, headers, true, route, known);
    }

    /// The same by another route.
    public HttpTarget by(OutboundRoute other) {
        return new HttpTarget(uri, headers, isForeign, other, known);
    }

    /// The same with these kept out of all that is told of it.
    public HttpTarget withSecrets(Redactor other) {
        return new HttpTarget(uri, headers, isForeign, route, other);
    }

    /// Whether it is on this machine, and so reached without a proxy in any case.
    public boolean isHere() {
        return origin().isHere();
    }

    /// The same origin under another path or query.
    ///
    /// @throws IllegalArgumentException if that is another origin
    public HttpTarget towards(URI other) {
        if (!origin().equals(Origin.of(other))) {
            throw new IllegalArgumentException(other + " is not at " + origin());
        }
        return at(other);
    }

    /// The same server under another path.
    HttpTarget at(URI other) {
        return new HttpTarget(other, headers, isForeign, route, known);
    }

    Way way() {
        return new Way(origin(), route);
    }

    /// What lines have in common that may be exchanged for each other.
    record Way(Origin origin, OutboundRoute route) {}

    Origin origin() {
        return Origin.require(uri);
    }

    /// What stands in the request line.
    String path() {
        String path = uri.getRawPath();
        String query = uri.getRawQuery();
        String whole = (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
        return URI.create(whole).toASCIIString();
    }

    /// What nothing we tell of it may show: what is known, the values of the headers and each part of them, as a
    /// token may stand there without its scheme, and the query, as it is sent and as it is meant.
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
        return origin() + (uri.getRawPath() == null ? "" : uri.getRawPath()) + " " + headers.keySet();
    }
}
