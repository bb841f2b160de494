package dev.fusebox.oauth.protocol;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.WebResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lookup of the metadata of authorization servers, for the login to one MCP server: from the store if it is less
/// than a day old, otherwise from the server. Thread-safe; blocks on the disk and the network.
final class IssuerLookup {
    private static final Duration FRESH = Duration.ofDays(1);
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final int OK = 200;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final int TOO_MANY_REQUESTS = 429;

    private static final String OAUTH = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";

    private final OAuthContext context;
    private final OAuthRequests requests;

    IssuerLookup(OAuthContext context, OAuthRequests requests) {
        this.context = context;
        this.requests = requests;
    }

    /// The metadata of an issuer.
    IssuerMetadata of(String issuer) throws OAuthException {
        IssuerStore.Cached cached = context.issuerStore().metadata(issuer);
        Instant now = context.platform().wallClock().instant();
        if (cached != null && isFresh(cached.retrievedAt(), now) && isAllowed(cached.metadata())) {
            return cached.metadata();
        }
        URI uri = parsed(issuer);
        return cached != null && cached.metadata().isAssumed() ? ofOrigin(uri) : fetched(issuer, uri);
    }

    private static boolean isFresh(Instant at, Instant now) {
        return !at.isAfter(now) && at.plus(FRESH).isAfter(now);
    }

    private boolean isAllowed(IssuerMetadata metadata) {
        return forbidden(metadata) == null;
    }

    private static URI parsed(String issuer) throws OAuthException {
        try {
            URI uri = OAuthTargets.parse(issuer);
            if (uri.getRawQuery() == null) {
                return uri;
            }
            throw new InvalidMetadata("it has a query");
        } catch (InvalidMetadata wrong) {
            throw new OAuthException(
                    ErrorId.ISSUER_INVALID,
                    "the identifier of the authorization server is not valid: " + wrong.reason());
        }
    }

    private IssuerMetadata fetched(String issuer, URI uri) throws OAuthException {
        Attempts attempts = new Attempts(issuer, List.of(issuer));
        IssuerMetadata found = first(locations(uri), attempts);
        if (found == null) {
            throw attempts.failure();
        }
        return kept(found);
    }

    /// The authorization server at the origin of an MCP server of revision 2025-03-26: by its metadata, or with the
    /// default endpoints if there is none.
    ///
    /// @param serverUrl any URL at that origin
    IssuerMetadata ofOrigin(URI serverUrl) throws OAuthException {
        URI origin = URI.create(base(serverUrl));
        // Its identifier is given nowhere but in the document, and some servers end it with a slash.
        Attempts attempts = new Attempts(origin.toString(), List.of(origin.toString(), origin + "/"));
        List<URI> locations = locations(origin);
        IssuerMetadata found = first(locations, attempts);
        if (found == null && !attempts.isMissing) {
            throw attempts.failure();
        }
        return kept(found == null ? IssuerMetadata.assumed(origin, locations.getFirst()) : found);
    }

    /// The places of the metadata in the order of the specification (2026-07-28, authorization server discovery).
    static List<URI> locations(URI issuer) {
        String base = base(issuer);
        String path = Objects.requireNonNullElse(issuer.getRawPath(), "").replaceFirst("/+$", "");
        Stream<String> locations = path.isEmpty()
                ? Stream.of(base + OAUTH, base + OPENID)
                : Stream.of(base + OAUTH + path, base + OPENID + path, base + path + OPENID);
        return locations.map(URI::create).toList();
    }

    private static String base(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    /// What was tried, and how it went. Not thread-safe.
    private static final class Attempts {
        private final String issuer;
        private final List<String> accepted;
        private final List<String> tried = new ArrayList<>();
        private @Nullable OAuthException invalid;
        private boolean isDown;
        /// Whether the server has answered everywhere that there is no document.
        private boolean isMissing = true;

        Attempts(String issuer, List<String> accepted) {
            this.issuer = issuer;
            this.accepted = accepted;
        }

        void answered(URI location, int status) {
            tried.add(OAuthTargets.shown(location) + " answered with HTTP " + status);
            isDown |= status >= FIRST_SERVER_ERROR || status == TOO_MANY_REQUESTS;
            isMissing &= !isDown;
        }

        void invalid(URI location, String reason) {
            isMissing = false;
            if (invalid == null) {
                invalid = new OAuthException(
                        ErrorId.ISSUER_INVALID,
                        "the metadata of the authorization server at " + OAuthTargets.shown(location)
                                + " cannot be used: " + reason);
            }
        }

        OAuthException failure() {
            String found = "found no metadata of the authorization server " + issuer + ": " + String.join(", ", tried);
            if (invalid != null) {
                return invalid;
            }
            return isDown
                    ? new OAuthException(ErrorId.ISSUER_DOWN, found + "; try again later")
                    : new OAuthException(
                            ErrorId.ISSUER_INVALID, found + "; set oauth.issuer if this is not the right server");
        }
    }

    private @Nullable IssuerMetadata first(List<URI> locations, Attempts attempts) throws OAuthException {
        Deadline deadline = requests.deadline(LIMIT);
        for (URI location : locations) {
            IssuerMetadata found = tried(location, attempts, deadline);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable IssuerMetadata tried(URI location, Attempts attempts, Deadline deadline) throws OAuthException {
        try {
            WebResponse response = requests.ofIssuer(attempts.issuer, location, deadline);
            if (response.status() != OK || response.type().equals("text/html")) {
                attempts.answered(location, response.status());
                return null;
            }
            IssuerMetadata metadata = IssuerMetadata.read(location, response.body());
            String problem = problem(metadata, attempts.accepted);
            if (problem != null) {
                throw new InvalidMetadata(problem);
            }
            return metadata;
        } catch (InvalidMetadata wrong) {
            attempts.invalid(location, wrong.reason());
            return null;
        } catch (HttpFailure httpFailure) {
            throw OAuthException.unanswered(attempts.issuer, httpFailure);
        }
    }

    private @Nullable String problem(IssuerMetadata metadata, List<String> accepted) {
        return accepted.contains(metadata.issuer())
                ? forbidden(metadata)
                : "its issuer is not exactly " + accepted.getFirst();
    }

    /// Why an endpoint must not be used; null if all may be. A browser would open the authorization endpoint without
    /// the address rule.
    private @Nullable String forbidden(IssuerMetadata metadata) {
        IssuerMetadata.Endpoints endpoints = metadata.endpoints();
        Stream<@Nullable URI> all = Stream.of(
                endpoints.authorization(),
                endpoints.token(),
                endpoints.registration(),
                endpoints.deviceAuthorization(),
                endpoints.revocation());
        for (URI endpoint : all.filter(Objects::nonNull).toList()) {
            try {
                requests.targets().target(endpoint);
            } catch (InvalidMetadata wrong) {
                return wrong.reason();
            }
        }
        return null;
    }

    private IssuerMetadata kept(IssuerMetadata metadata) {
        try {
            context.issuerStore().keep(metadata, context.platform().wallClock().instant());
        } catch (IOException full) {
            // It is retrieved again the next time.
        }
        return metadata;
    }

    /// Has the metadata of an issuer retrieved again at the next lookup.
    void drop(String issuer) {
        try {
            context.issuerStore().dropMetadata(issuer);
        } catch (IOException undeletable) {
            // It is a day old at most when it is dropped anyway.
        }
    }
}
