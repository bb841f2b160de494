package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.tools.ToolSearch;

/// What is searched: each search keeps one set of texts ready. Immutable.
///
/// @param ofTools the one that `mcp_discover` uses
/// @param ofEntries another one, for the registry
public record ToolSearcher(ToolSearch ofTools, ToolSearch ofEntries) {}
