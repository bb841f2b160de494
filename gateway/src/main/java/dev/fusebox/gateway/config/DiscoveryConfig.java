package dev.fusebox.gateway.config;

import dev.fusebox.gateway.meta.Semantic;

/// How tools are found. Immutable.
///
/// @param semantic whether by meaning, too
/// @param limit how many, if nobody says
public record DiscoveryConfig(Semantic semantic, int limit) {}
