package dev.fusebox.oauth.protocol;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.WebResponse;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.protocol.http.Origin;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Discovery of the authorization server of one MCP server (2026-07-28, authorization server discovery), and of
/// servers of revision 2025-03-26. Thread-safe; [#discover] blocks on the network, for a minute or two at most.
///
/// ```
/// challenge or well-known URLs --> resource metadata --> configured or first working issuer --> its metadata
///                                        '--none, nothing configured--> the origin of the server as the issuer
/// ```
public final class Discovery {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";
    private static final int OK = 200;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final int TOO_MANY_REQUESTS = 429;
    /// A server that lists more of them is not worth the time.
    private static final int MAX_ISSUERS = 3;

    private final LoginSettings settings;
    private final OAuthRequests requests;
    private final IssuerLookup issuerLookup;

    public Discovery(OAuthContext context, LoginSettings settings) {
        this.settings = settings;
        this.requests = new OAuthRequests(context, settings);
        this.issuerLookup = new IssuerLookup(context, requests);
    }

    /// Finds the authorization server.
    ///
    /// @param challenge of the response that asked for a login; null if there was none
    /// @throws OAuthException if no login is possible, with the reason
    public Discovered discover(@Nullable AuthChallenge challenge) throws OAuthException {
        ResourceMetadata resource = resourceMetadata(challenge);
        IssuerMetadata issuer = issuer(resource);
        if (settings.grant() == GrantType.LOGIN) {
            requireLogin(issuer);
        }
        return new Discovered(
                resource(resource),
                issuer,
                scopes(challenge, resource, issuer),
                resource == null ? List.of() : resource.authorizationServers());
    }

    private static void requireLogin(IssuerMetadata issuer) throws OAuthException {
        if (!issuer.hasS256()) {
            throw new OAuthException(
                    ErrorId.PKCE_MISSING,
                    "the authorization server " + issuer.issuer() + " does not announce PKCE with S256 in"
                            + " code_challenge_methods_supported, so a login there would not be safe; ask its operator"
                            + " to announce it");
        }
        if (issuer.endpoints().authorization() == null && issuer.endpoints().deviceAuthorization() == null) {
            throw new OAuthException(
                    ErrorId.ISSUER_INVALID,
                    "the authorization server " + issuer.issuer() + " has neither an authorization endpoint nor one for"
                            + " devices");
        }
    }

    // ---- Resource

    /// Null if the server has none, as in revision 2025-03-26.
    private @Nullable ResourceMetadata resourceMetadata(@Nullable AuthChallenge challenge) throws OAuthException {
        String named = challenge == null ? null : challenge.resourceMetadata();
        List<String> tried = new ArrayList<>();
        Deadline deadline = requests.deadline(LIMIT);
        ResourceMetadata found = named == null ? null : named(named, tried, deadline);
        for (URI location : locations()) {
            found = found == null ? tried(location, tried, deadline) : found;
        }
        if (found == null && named != null) {
            throw missing(tried);
        }
        if (found != null && !found.covers(settings.serverUrl())) {
            throw mismatch(found);
        }
        return found;
    }

    private @Nullable ResourceMetadata named(String url, List<String> tried, Deadline deadline) throws OAuthException {
        try {
            return tried(OAuthTargets.parse(url), tried, deadline);
        } catch (InvalidMetadata wrong) {
            tried.add("resource_metadata of the challenge: " + wrong.reason());
            return null;
        }
    }

    /// The well-known places (RFC 9728, 3.1): with the path of the server, then without.
    private Set<URI> locations() {
        URI server = settings.serverUrl();
        String base = server.getScheme() + "://" + server.getRawAuthority() + WELL_KNOWN;
        String path = Objects.requireNonNullElse(server.getRawPath(), "").replaceFirst("/+$", "");
        Set<URI> locations = new LinkedHashSet<>();
        locations.add(URI.create(base + path));
        locations.add(URI.create(base));
        return locations;
    }

    /// Null if there is no document at this place. Many web servers answer every request with a page.
    private @Nullable ResourceMetadata tried(URI location, List<String> tried, Deadline deadline)
            throws OAuthException {
        String shown = OAuthTargets.shown(location);
        try {
            WebResponse response = requests.ofServer(location, deadline);
            if (response.status() == OK && !response.type().equals("text/html")) {
                return ResourceMetadata.read(response.body());
            }
            tried.add(shown + " answered with HTTP " + response.status());
            if (response.status() >= FIRST_SERVER_ERROR || response.status() == TOO_MANY_REQUESTS) {
                throw missing(tried);
            }
            return null;
        } catch (InvalidMetadata wrong) {
            tried.add(shown + ": " + wrong.reason());
            throw missing(tried);
        } catch (HttpFailure httpFailure) {
            tried.add(shown + ": " + httpFailure.failure().message());
            throw missing(tried);
        }
    }

    private OAuthException missing(List<String> tried) {
        return new OAuthException(
                ErrorId.RESOURCE_METADATA_MISSING,
                "found no usable metadata that names the authorization server of " + settings.server() + ": "
                        + String.join(", ", tried) + "; try again later, or set oauth.issuer of the server");
    }

    private OAuthException mismatch(ResourceMetadata found) {
        return new OAuthException(
                ErrorId.RESOURCE_MISMATCH,
                "the metadata of " + settings.server() + " is about another resource, " + shownResource(found)
                        + ", and not about " + OAuthTargets.shown(settings.serverUrl())
                        + "; check the url of the server");
    }

    private static String shownResource(ResourceMetadata found) {
        try {
            return OAuthTargets.shown(OAuthTargets.parse(found.resource()));
        } catch (InvalidMetadata noUrl) {
            return "which is not a URL";
        }
    }

    /// The identifier to send: the configured one, the one of the document, or the URL of the server in canonical
    /// form (2026-07-28, authorization, canonical server URI).
    private String resource(@Nullable ResourceMetadata found) {
        if (settings.resource() != null) {
            return settings.resource();
        }
        if (found != null) {
            return found.resource();
        }
        URI server = settings.serverUrl();
        String path = Objects.requireNonNullElse(server.getRawPath(), "").replaceFirst("/$", "");
        return server.getScheme().toLowerCase(Locale.ROOT) + "://"
                + Origin.require(server).hostHeader() + path;
    }

    // ---- Issuer

    private IssuerMetadata issuer(@Nullable ResourceMetadata resource) throws OAuthException {
        String configured = settings.issuer();
        if (configured != null) {
            return issuerLookup.of(resource == null ? configured : confirmed(configured, resource));
        }
        return resource == null ? issuerLookup.ofOrigin(settings.serverUrl()) : firstWorking(resource);
    }

    /// The configured issuer as the document spells it: a slash at the end makes no difference to people.
    private String confirmed(String configured, ResourceMetadata resource) throws OAuthException {
        for (String named : resource.authorizationServers()) {
            if (withoutSlash(named).equals(withoutSlash(configured))) {
                return named;
            }
        }
        if (resource.authorizationServers().isEmpty()) {
            return configured;
        }
        throw new OAuthException(
                ErrorId.ISSUER_CHANGED,
                settings.server() + " does not name the configured authorization server " + configured
                        + " any more; check whether it has moved, then change oauth.issuer of the server");
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private IssuerMetadata firstWorking(ResourceMetadata resource) throws OAuthException {
        OAuthException first = null;
        for (String issuer :
                resource.authorizationServers().stream().limit(MAX_ISSUERS).toList()) {
            try {
                return issuerLookup.of(issuer);
            } catch (OAuthException failed) {
                first = first == null ? failed : first;
            }
        }
        throw first != null
                ? first
                : new OAuthException(
                        ErrorId.RESOURCE_METADATA_MISSING,
                        "the metadata of " + settings.server()
                                + " names no authorization server; set oauth.issuer of the server");
    }

    // ---- Scopes

    /// The scopes to request (2026-07-28, authorization, scope selection strategy). Without any, the server chooses,
    /// and `offline_access` alone would prevent that.
    private Set<String> scopes(
            @Nullable AuthChallenge challenge, @Nullable ResourceMetadata resource, IssuerMetadata issuer) {
        Set<String> scopes = new LinkedHashSet<>(settings.scopes());
        if (scopes.isEmpty() && challenge != null) {
            challenge.scopes().stream().sorted().forEach(scopes::add);
        }
        if (scopes.isEmpty() && resource != null) {
            scopes.addAll(resource.scopes());
        }
        boolean isLogin = settings.grant() == GrantType.LOGIN;
        if (isLogin && !scopes.isEmpty() && issuer.supports(Scopes.OFFLINE_ACCESS)) {
            scopes.add(Scopes.OFFLINE_ACCESS);
        }
        return scopes;
    }
}
