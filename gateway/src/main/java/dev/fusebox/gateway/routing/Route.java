package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.upstream.UpstreamServer;
import org.jspecify.annotations.Nullable;

/// The resolved destination of a request. Immutable.
///
/// @param own the server's own name for the tool, prompt or resource
/// @param catalogEntry null if the server has not listed it
/// @param asked the id that the client used: of the server, of its replica set, or of the server it is a backup
///     of
record Route(
        UpstreamServer upstreamServer, String own, @Nullable CatalogEntry catalogEntry, String asked) {
    /// A route to something that the server has not listed.
    static Route to(UpstreamServer upstreamServer, String own) {
        return new Route(upstreamServer, own, null, upstreamServer.id());
    }
}
