package dev.fusebox.gateway.result;

import java.time.Duration;

/// The rules for results of all servers. Immutable.
///
/// @param maxTokens the most tokens of a result, as the gateway estimates them; [ResultSource#NO_LIMIT] for none
/// @param keep how long the text that was cut off can be read
public record ResultRules(long maxTokens, Duration keep) {
    /// Without a limit.
    public static final ResultRules DEFAULT = new ResultRules(ResultSource.NO_LIMIT, Duration.ofMinutes(10));

    /// The token limit in bytes.
    long maxTokenBytes() {
        return TokenEstimate.bytes(maxTokens);
    }
}
