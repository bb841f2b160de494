package dev.fusebox.gateway.result;

import dev.fusebox.client.Principal;
import dev.fusebox.gateway.session.ResultFormat;

/// Where a result comes from, and who gets it. Immutable.
///
/// @param server the name of the server that answered
/// @param maxResultBytes the limit of that server; [#NO_LIMIT] for none
/// @param principal the only one who may read what is cut off
/// @param form what the client understands
/// @param hasScripts whether the client can process whole results with `mcp_execute`
public record ResultSource(
        String server, long maxResultBytes, Principal principal, ResultFormat form, boolean hasScripts) {
    /// The value of a limit that is not set.
    public static final long NO_LIMIT = Long.MAX_VALUE;
}
