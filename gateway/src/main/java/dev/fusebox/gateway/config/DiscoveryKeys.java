package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Whole;
import dev.fusebox.gateway.tools.SemanticMode;
import java.util.List;
import java.util.Locale;

/// The keys of `discovery`.
final class DiscoveryKeys {
    static final Key<SemanticMode> SEMANTIC = Key.of(
            "semantic",
            Kind.Choice.of(SemanticMode.values(), mode -> mode.name().toLowerCase(Locale.ROOT)),
            "\"auto\"",
            "Whether tools are found by meaning, too: with `off` by words only, with `auto` by words until the model"
                    + " has read all tools, with `on` a search waits for that, for 30 seconds at most.");
    static final Key<Long> LIMIT = Key.of(
            "limit",
            new Whole(1, 100),
            "5",
            "How many tools a search finds (`mcp_discover`), unless its caller says how many.");

    static final Key<Long> FIRST_LIST_WAIT_MS = Key.of(
            "firstListWaitMs",
            new Whole(1, 300_000),
            "10000",
            "How long the first list, `mcp_discover` and `tools` wait at most for servers whose tools are not known"
                    + " yet, not even from the cache.");

    static final List<Key<?>> ALL = List.of(SEMANTIC, LIMIT, FIRST_LIST_WAIT_MS);

    private DiscoveryKeys() {}
}
