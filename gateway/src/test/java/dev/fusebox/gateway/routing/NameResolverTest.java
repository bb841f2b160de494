package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.Messages;
import dev.fusebox.protocol.JsonView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whose resource an address means.
@Timeout(120)
class NameResolverTest {
    private final ControlledServer left = ControlledServer.of(ControlledServer.DONE);
    private final ControlledServer right = ControlledServer.of(ControlledServer.DONE);

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private GatewayHarness gateway() {
        return GatewayHarness.plan()
                .server(TestServer.at("left", left.uri()))
                .server(TestServer.at("right", right.uri()))
                .open();
    }

    private static String listed(String key, String... addresses) {
        StringBuilder list = new StringBuilder("[");
        for (String address : addresses) {
            list.append(list.length() > 1 ? "," : "").append("{\"name\":\"n\",\"" + key + "\":\"" + address + "\"}");
        }
        return list.append("]").toString();
    }

    /// The server that answers; `missing` for an error.
    private static String who(GatewayClient client, String address) {
        JsonView answer = client.ask("resources/read", ",\"uri\":\"" + address + "\"");
        JsonView contents = answer.path("result", "contents");
        return contents == null ? "missing" : Messages.text(contents.elements().getFirst(), "text");
    }

    private static GatewayClient client(GatewayHarness gateway) {
        GatewayClient client = GatewayClient.of(gateway);
        client.eventuallySees("left__work", "right__work");
        return client;
    }

    @Test
    void a_server_keeps_an_address_though_one_that_comes_before_it_has_the_same() {
        left.with("left", listed("uri", "a:b"), "[]");
        right.with("right", listed("uri", "a:b"), "[]");
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.call("right__work", "{}");
            // An address that no server has offered yet is requested from the other one, too.
            gateway.eventuallyKnows("right");
            assertThat(who(client, "a:b")).isEqualTo("right");
            client.eventuallySees("left__work");
            assertThat(client.names("resources/list", "resources", "uri"))
                    .containsExactly("fusebox://left/a%3Ab", "a:b");
            assertThat(who(client, "a:b")).isEqualTo("right");
            assertThat(who(client, "fusebox://left/a%3Ab")).isEqualTo("left");
        }
    }

    @Test
    void no_server_can_take_an_address_that_names_another() {
        left.with("left", listed("uri", "fusebox://right/a%3Ab"), "[]");
        right.with("right", listed("uri", "a:b"), "[]");
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = client(gateway);
            assertThat(client.names("resources/list", "resources", "uri"))
                    .containsExactly("fusebox://left/fusebox%3A%2F%2Fright%2Fa%253Ab", "a:b");
            assertThat(who(client, "fusebox://right/a%3Ab")).isEqualTo("right");
            assertThat(who(client, "fusebox://left/fusebox%3A%2F%2Fright%2Fa%253Ab"))
                    .isEqualTo("left");
            assertThat(who(client, "fusebox://missing/a%3Ab")).isEqualTo("missing");
        }
    }

    @ParameterizedTest
    @CsvSource({"x://items/7,right", "x://other,left", "y://items/7,missing"})
    void most_specific_template_matches_and_an_empty_one_does_not(String address, String who) {
        left.with("left", "[]", listed("uriTemplate", "{+any}", "x://{rest}"));
        right.with("right", "[]", listed("uriTemplate", "{scheme}://items/7", "x://items/{id}"));
        try (GatewayHarness gateway = gateway()) {
            assertThat(who(client(gateway), address)).isEqualTo(who);
        }
    }
}
