package dev.fusebox.cli;

import static dev.fusebox.cli.DiscoveryKeysTest.discover;
import static dev.fusebox.cli.DiscoveryKeysTest.gateway;
import static dev.fusebox.cli.DiscoveryKeysTest.listed;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The effect of `discovery.semantic`. Needs the machine alone: a first search waits only some seconds for the model,
/// which takes longer than that beside other tests.
///
/// Over five seconds: the model is loaded, and runs before the compiler has made anything of it.
@Tag("load")
@Timeout(120)
class SemanticKeyTest {
    private static String search(Configured gateway) {
        return Objects.requireNonNull(
                discover(gateway, "{\"query\":\"add two numbers\"}").string("search"));
    }

    @Test
    @Shows("discovery.semantic")
    void semantic_modes_differ_in_first_semantic_search() {
        try (Configured off = gateway("\"semantic\":\"off\"");
                Configured on = gateway("\"semantic\":\"on\"");
                Configured auto = gateway("")) {
            listed(off);
            listed(on);
            listed(auto);
            assertThat(search(on)).isEqualTo("hybrid");
            eventually("the search is hybrid", () -> assertThat(search(auto)).isEqualTo("hybrid"));
            assertThat(search(off)).isEqualTo("lexical");
        }
    }
}
