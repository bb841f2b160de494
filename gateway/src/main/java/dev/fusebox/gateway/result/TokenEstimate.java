package dev.fusebox.gateway.result;

/// The estimate of how many tokens a model pays for JSON. Pure functions; nothing blocks.
public final class TokenEstimate {
    /// Rough number of bytes per token in English text and JSON.
    private static final int BYTES_A_TOKEN = 4;

    private TokenEstimate() {}

    /// The number of tokens of this many bytes.
    public static long of(long bytes) {
        return Math.ceilDiv(bytes, BYTES_A_TOKEN);
    }

    /// The most bytes that count as no more than this many tokens.
    static long bytes(long tokens) {
        return tokens > Long.MAX_VALUE / BYTES_A_TOKEN ? Long.MAX_VALUE : tokens * BYTES_A_TOKEN;
    }
}
