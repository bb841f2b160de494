package dev.fusebox.gateway.extension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.catalog.CatalogContents;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Which extensions of the servers the gateway announces.
class ExtensionPolicyTest {
    private static final ExtensionPolicy PASSING = new ExtensionPolicy(Set.of("com.example/thing"), true);

    private static String announced(ExtensionPolicy policy, CatalogContents... servers) {
        return policy.of(List.of(servers), false).json();
    }

    @Test
    void union_has_what_any_server_announces() {
        CatalogContents one = Listings.announcing("{\"io.modelcontextprotocol/skills\":{}}");
        CatalogContents other = Listings.announcing("{\"io.modelcontextprotocol/ui\":{\"x\":1}}");

        assertThat(announced(ExtensionPolicy.DEFAULT, one, other))
                .isEqualTo("{\"io.modelcontextprotocol/skills\":{},\"io.modelcontextprotocol/ui\":{\"x\":1}}");
        assertThat(announced(ExtensionPolicy.DEFAULT)).isEqualTo("{}");
    }

    @Test
    void extension_that_the_gateway_does_not_know_is_announced_if_it_passes() {
        CatalogContents server = Listings.announcing("{\"com.example/thing\":{\"a\":1},\"com.example/other\":{}}");

        assertThat(announced(ExtensionPolicy.DEFAULT, server)).isEqualTo("{}");
        assertThat(announced(PASSING, server)).isEqualTo("{\"com.example/thing\":{\"a\":1}}");
    }

    @Test
    void directories_are_read_if_one_server_reads_them() {
        CatalogContents without = Listings.announcing("{\"io.modelcontextprotocol/skills\":{}}");
        CatalogContents with = Listings.announcing("{\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}}");

        assertThat(announced(ExtensionPolicy.DEFAULT, without, with))
                .isEqualTo("{\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}}");
        assertThat(ExtensionPolicy.readsDirectories(with)).isTrue();
        assertThat(ExtensionPolicy.readsDirectories(without)).isFalse();
    }

    @Test
    void apps_are_announced_for_a_server_whose_tools_have_some() {
        assertThat(announced(ExtensionPolicy.DEFAULT, Listings.tools("ui://x")))
                .isEqualTo("{\"io.modelcontextprotocol/ui\":{}}");
    }

    @Test
    void legacy_client_learns_of_no_extension_of_the_modern_era() {
        ExtensionPolicy policy = new ExtensionPolicy(Set.of("io.modelcontextprotocol/tasks"), true);
        CatalogContents server = Listings.announcing("{\"io.modelcontextprotocol/tasks\":{}}");

        assertThat(policy.of(List.of(server), true).settings()).isEmpty();
        assertThat(policy.of(List.of(server), false).settings()).hasSize(1);
    }

    @Test
    void malformed_extensions_are_ignored() {
        String many = "{\"no slash\":{},\"a/b\":true,\"a/c\":null,\"/\":{},\"a/d\":{\"long\":\"" + "x".repeat(5_000)
                + "\"},\"a/e\":{}}";

        assertThat(Listings.announcing(many).extensions().settings()).containsOnlyKeys("a/e");
        assertThat(Listings.announcing("[]").extensions().settings()).isEmpty();
    }

    @Test
    void method_belongs_to_a_passed_extension_by_its_whole_identifier() {
        assertThat(PASSING.extensionOf("com.example/thing/get")).isEqualTo("com.example/thing");
        assertThat(PASSING.extensionOf("com.example/thing/get/more")).isEqualTo("com.example/thing");
        assertThat(PASSING.extensionOf("com.example/thing")).isNull();
        assertThat(PASSING.extensionOf("com.example/thing2/get")).isNull();
        assertThat(PASSING.extensionOf("thing/get")).isNull();
        assertThat(PASSING.extensionOf("ping")).isNull();
    }
}
