package dev.fusebox.config;

import dev.fusebox.config.ValueType.Whole;
import org.jspecify.annotations.Nullable;

/// The section `results`.
final class ResultsSection {
    static final SectionType SECTION = new SectionType("results");

    static final ConfigKey<Long> MAX_TOKENS = SECTION.nullable(
            "maxTokens",
            new Whole(100, 100_000_000),
            "null",
            "How many tokens a result that goes to a client may have, as the gateway estimates them: a quarter of"
                    + " its bytes. Applies as `maxResultBytes` of each server does, and to `mcp_execute`. `null`: no"
                    + " limit.");
    static final ConfigKey<Long> KEEP_MS = SECTION.key(
            "keepMs",
            new Whole(1, 86_400_000),
            "600000",
            "How long text that was cut off from a result can be read. It is kept in memory, in at most a sixteenth of"
                    + " the heap, and the oldest text is removed first.");

    private ResultsSection() {}

    static ResultsConfig read(ConfigSection results) {
        return new ResultsConfig(orNoLimit(results.written(MAX_TOKENS)), results.millis(KEEP_MS));
    }

    static long orNoLimit(@Nullable Long limit) {
        return limit == null ? Long.MAX_VALUE : limit;
    }
}
