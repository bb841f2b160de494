package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.http.Origin;
import java.net.URI;
import java.util.List;
import java.util.Set;

/// Metadata of a protected resource (RFC 9728, 2): which authorization servers issue tokens for it. Immutable;
/// nothing blocks.
///
/// @param resource identifier of the resource
/// @param authorizationServers their issuer identifiers, in order
/// @param scopes that it supports; empty if it does not say
record ResourceMetadata(String resource, List<String> authorizationServers, Set<String> scopes) {
    ResourceMetadata {
        authorizationServers = List.copyOf(authorizationServers);
    }

    static ResourceMetadata read(byte[] document) throws InvalidMetadata {
        MetadataReader reader = MetadataReader.of(document);
        List<String> servers = reader.texts("authorization_servers");
        List<String> scopes = reader.texts("scopes_supported");
        return new ResourceMetadata(
                reader.requiredText("resource"),
                servers == null ? List.of() : servers,
                Scopes.of(scopes == null ? List.of() : scopes));
    }

    /// Whether the resource is the server at this URL, or a parent of it on a path boundary.
    boolean covers(URI serverUrl) {
        try {
            URI own = OAuthTargets.parse(resource);
            Origin origin = Origin.of(serverUrl);
            boolean isSameQuery = own.getRawQuery() == null || own.getRawQuery().equals(serverUrl.getRawQuery());
            return Origin.require(own).equals(origin) && isSameQuery && isParent(path(own), path(serverUrl));
        } catch (InvalidMetadata noUrl) {
            return false;
        }
    }

    private static boolean isParent(String parent, String path) {
        return path.equals(parent) || path.startsWith(parent + "/");
    }

    /// Without a slash at the end.
    private static String path(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
