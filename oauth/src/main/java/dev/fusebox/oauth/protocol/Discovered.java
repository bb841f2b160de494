package dev.fusebox.oauth.protocol;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The result of a discovery: what a login to an MCP server needs to know. Immutable.
///
/// @param resource identifier of the server, to be sent in `resource`
/// @param issuer authorization server
/// @param scopes to request, in order; empty to request none
/// @param issuers that the server names, in order; empty if it names none
public record Discovered(String resource, IssuerMetadata issuer, Set<String> scopes, List<String> issuers) {
    public Discovered {
        scopes = Collections.unmodifiableSet(new LinkedHashSet<>(scopes));
        issuers = List.copyOf(issuers);
    }

    /// Whether the server names this authorization server, or none at all; a slash at the end makes no difference.
    public boolean names(String issuer) {
        return issuers.isEmpty()
                || issuers.stream().anyMatch(named -> withoutSlash(named).equals(withoutSlash(issuer)));
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }
}
