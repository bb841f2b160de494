package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Whole;

/// The section `discovery`.
final class DiscoverySection {
    static final SectionType SECTION = new SectionType("discovery");

    static final ConfigKey<SemanticMode> SEMANTIC = SECTION.key(
            "semantic",
            Choice.of(SemanticMode.values()),
            "\"auto\"",
            "Whether tools are also found by meaning: with `off` by words only; with `auto` by words"
                    + " and a table of word meanings until the model has indexed most tools; with `on` a search waits"
                    + " for the index, for at most 30 seconds.");
    static final ConfigKey<Long> LIMIT = SECTION.key(
            "limit",
            new Whole(1, 100),
            "5",
            "The number of tools that a search (`mcp_discover`) returns, unless the call sets its own" + " limit.");
    static final ConfigKey<Long> FIRST_LIST_WAIT_MS = SECTION.key(
            "firstListWaitMs",
            new Whole(1, 300_000),
            "10000",
            "How long the first list, `mcp_discover` and `tools` wait for servers whose tools are not"
                    + " known yet, not even from the cache.");

    private DiscoverySection() {}

    static DiscoveryConfig read(ConfigSection discovery) {
        return new DiscoveryConfig(
                discovery.value(SEMANTIC), discovery.number(LIMIT), discovery.millis(FIRST_LIST_WAIT_MS));
    }
}
