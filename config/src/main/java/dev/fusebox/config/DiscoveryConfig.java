package dev.fusebox.config;

import java.time.Duration;

/// How tools are found. Immutable.
///
/// @param semanticMode whether search is also semantic
/// @param limit how many tools a search returns by default
/// @param firstListWait how long the first list waits for servers whose tools are not known
public record DiscoveryConfig(SemanticMode semanticMode, int limit, Duration firstListWait) {}
