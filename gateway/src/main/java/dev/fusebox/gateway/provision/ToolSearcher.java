package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.tools.ToolSearch;

/// The search instances: each keeps one index. Immutable.
///
/// @param ofTools shared with `mcp_discover`
/// @param ofEntries for the registry
public record ToolSearcher(ToolSearch ofTools, ToolSearch ofEntries) {}
