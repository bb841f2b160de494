package dev.fusebox.gateway.result;

import dev.fusebox.client.Principal;
import dev.fusebox.gateway.session.ResultFormat;

/// Where a result comes from, and who gets it. Immutable.
///
/// @param server the name of the server that answered
/// @param maxBytes its `maxResultBytes`; [Long#MAX_VALUE] for no limit
/// @param principal the only one who may read what is cut off
/// @param form what the client understands
/// @param hasScripts whether the client can process whole results with `mcp_execute`
public record ResultSource(String server, long maxBytes, Principal principal, ResultFormat form, boolean hasScripts) {
    /// A result without a limit of its own.
    public static final long NO_LIMIT = Long.MAX_VALUE;
}
