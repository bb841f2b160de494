package dev.fusebox.oauth.protocol;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/// The result of a discovery: what a login to an MCP server needs to know. Immutable.
///
/// @param resource identifier of the server, to be sent in `resource`
/// @param issuer authorization server
/// @param scopes to request, in order; empty to request none
public record Discovered(String resource, IssuerMetadata issuer, Set<String> scopes) {
    public Discovered {
        scopes = Collections.unmodifiableSet(new LinkedHashSet<>(scopes));
    }
}
