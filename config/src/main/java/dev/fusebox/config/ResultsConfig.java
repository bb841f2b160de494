package dev.fusebox.config;

import java.time.Duration;

/// The size of results for clients. Immutable.
///
/// @param maxTokens the most tokens of a result; [Long#MAX_VALUE] for no limit
/// @param keep how long text that was cut off can be read
public record ResultsConfig(long maxTokens, Duration keep) {}
