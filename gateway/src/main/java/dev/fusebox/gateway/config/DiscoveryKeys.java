package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Whole;
import dev.fusebox.gateway.tools.SemanticMode;
import java.util.List;
import java.util.Locale;

/// The keys of `discovery`.
final class DiscoveryKeys {
    static final ConfigKey<SemanticMode> SEMANTIC = ConfigKey.of(
            "semantic",
            ValueType.Choice.of(SemanticMode.values(), mode -> mode.name().toLowerCase(Locale.ROOT)),
            "\"auto\"",
            "Whether tools are found by meaning, too: with `off` by words only, with `auto` by words until the model"
                    + " has read all tools, with `on` a search waits for that, for 30 seconds at most.");
    static final ConfigKey<Long> LIMIT = ConfigKey.of(
            "limit",
            new Whole(1, 100),
            "5",
            "How many tools a search finds (`mcp_discover`), unless its caller says how many.");

    static final ConfigKey<Long> FIRST_LIST_WAIT_MS = ConfigKey.of(
            "firstListWaitMs",
            new Whole(1, 300_000),
            "10000",
            "How long the first list, `mcp_discover` and `tools` wait at most for servers whose tools are not known"
                    + " yet, not even from the cache.");

    static final List<ConfigKey<?>> ALL = List.of(SEMANTIC, LIMIT, FIRST_LIST_WAIT_MS);

    private DiscoveryKeys() {}
}
