package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.protocol.JsonView;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Resources that sessions watch, each in the process that it uses.
@Tag("process")
@Timeout(120)
class WatchedResourcesTest {
    private static final String WATCHED = "test://watched-resource";
    private static final String OTHER = "test://static-text";
    private static final String ABLE = "{\"sampling\":{}}";

    private static final String SAID =
            "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"yes\"}}";

    private static GatewayHarness open(Isolation isolation) {
        return GatewayHarness.plan()
                .server("one", SingleServerHarness.script(Era.LEGACY))
                .connectionSharing("one", new ConnectionSharing(isolation, 1))
                .open();
    }

    private static HttpWire session(GatewayHarness gateway) {
        HttpWire client = gateway.client();
        client.hello(ABLE);
        client.answering(question -> SAID);
        return client;
    }

    private static String call(Wire client, String tool, String arguments) {
        return Messages.said(client.answer(Messages.sessionCall(1, "one__" + tool, arguments)));
    }

    private static void touch(Wire client, String uri) {
        assertThat(call(client, "touch", "{\"uri\":\"" + uri + "\"}")).isEqualTo("touched " + uri);
    }

    private static void watch(Wire client, String uri) {
        JsonView answer = client.answer(Messages.request(2, "resources/subscribe", "{\"uri\":\"" + uri + "\"}"));
        assertThat(answer.member("result")).as(answer.json()).isNotNull();
    }

    private static String sample(Wire client) {
        return call(client, "test_sampling", "{\"prompt\":\"Really?\"}");
    }

    /// The URI of the next update; changed lists are skipped.
    private static String updated(Wire.Stream stream) {
        JsonView message = Objects.requireNonNull(stream.next());
        while (!"notifications/resources/updated".equals(Messages.method(message))) {
            message = Objects.requireNonNull(stream.next());
        }
        return Objects.requireNonNull(message.path("params", "uri")).json();
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "ADAPTIVE"})
    void session_is_told_of_the_resources_of_its_own_process_only(Isolation isolation) {
        try (GatewayHarness gateway = open(isolation);
                HttpWire ada = session(gateway);
                HttpWire ben = session(gateway)) {
            assertThat(sample(ada)).contains("yes");
            assertThat(sample(ben)).contains("yes");
            for (HttpWire client : new HttpWire[] {ada, ben}) {
                watch(client, WATCHED);
                watch(client, OTHER);
            }
            try (Wire.Stream adaHears = ada.unrelated();
                    Wire.Stream benHears = ben.unrelated()) {
                touch(ben, WATCHED);
                assertThat(updated(benHears)).contains(WATCHED);
                touch(ada, OTHER);
                assertThat(updated(adaHears)).contains(OTHER);
                touch(ben, OTHER);
                assertThat(updated(benHears)).contains(OTHER);
            }
        }
    }

    @Test
    void resource_is_found_before_its_client_has_listed_any() {
        try (GatewayHarness gateway = open(Isolation.SESSION);
                HttpWire ada = session(gateway);
                HttpWire ben = session(gateway)) {
            watch(ada, WATCHED);
            JsonView answer = ben.answer(Messages.request(3, "resources/read", "{\"uri\":\"" + OTHER + "\"}"));
            assertThat(answer.path("result", "contents")).as(answer.json()).isNotNull();
            JsonView unknown = ben.answer(Messages.request(4, "resources/read", "{\"uri\":\"test://nowhere\"}"));
            assertThat(unknown.path("error", "data")).as(unknown.json()).isNotNull();
        }
    }

    @Test
    void session_that_moves_to_a_process_of_its_own_is_told_of_the_resources_there() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (GatewayHarness gateway = open(Isolation.ADAPTIVE);
                HttpWire ada = session(gateway);
                HttpWire ben = session(gateway)) {
            assertThat(call(ada, "echo", "{\"text\":\"a\"}")).isEqualTo("a");
            assertThat(call(ben, "echo", "{\"text\":\"b\"}")).isEqualTo("b");
            assertThat(gateway.processes()).hasSize(1);
            watch(ben, WATCHED);
            assertThat(sample(ada)).as("refused in the process of both").doesNotContain("yes");
            assertThat(sample(ada)).contains("yes");
            try (Wire.Stream benHears = ben.unrelated()) {
                Thread.ofVirtual().start(() -> heard.add(updated(benHears)));
                eventually("an update of its own process is heard", () -> {
                    touch(ben, WATCHED);
                    return heard.size() == 1;
                });
            }
        }
    }
}
