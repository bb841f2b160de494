package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.cache.CacheWrites;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Extensions that the gateway does not know, of one or two servers.
@Timeout(120)
class ExtensionsTest {
    private static final String ID = "com.example/thing";
    private static final String METHOD = ID + "/get";

    private final ControlledServer left = server(ID);
    private final ControlledServer right = server("com.example/other");

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        left.close();
        right.close();
    }

    private static ControlledServer server(String extension) {
        return ControlledServer.of(ControlledServer.DONE)
                .offering(
                        "{\"tools\":{},\"extensions\":{\"" + extension + "\":{\"level\":2}}}",
                        ",\"tools\":[{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"}}],\"thing\":\"found\"");
    }

    private GatewayHarness.Plan plan() {
        return GatewayHarness.plan()
                .server(TestServer.at("left", left.uri()))
                .server(TestServer.at("right", right.uri()));
    }

    private static GatewayClient client(GatewayHarness gateway) {
        gateway.servers().setExtensions(List.of(ID), true);
        gateway.start("left");
        gateway.start("right");
        return GatewayClient.of(gateway);
    }

    private static String announced(GatewayClient client) {
        JsonView capabilities = Messages.at(client.ask("server/discover", ""), "result", "capabilities");
        JsonView extensions = capabilities.member("extensions");
        return extensions == null ? "none" : extensions.json();
    }

    @Test
    void extension_that_passes_is_announced_and_its_methods_go_to_its_server() {
        try (GatewayHarness gateway = plan().open()) {
            GatewayClient client = client(gateway);
            JsonView answer = client.ask(METHOD, ",\"name\":\"left__x\",\"more\":1");

            assertThat(announced(client)).isEqualTo("{\"" + ID + "\":{\"level\":2}}");
            assertThat(Messages.text(answer, "result", "thing")).isEqualTo("found");
            assertThat(left.request(METHOD)).contains("\"name\":\"left__x\",\"more\":1");
            assertThat(right.request(METHOD)).isEmpty();
        }
    }

    @Test
    void extension_that_is_not_named_does_not_pass() {
        try (GatewayHarness gateway = plan().open()) {
            GatewayClient client = client(gateway);

            assertThat(Messages.at(client.ask("com.example/other/get", ""), "error", "code")
                            .json())
                    .isEqualTo("-32601");
            gateway.servers().setExtensions(List.of(), true);
            assertThat(announced(client)).isEqualTo("none");
            assertThat(Messages.at(client.ask(METHOD, ""), "error", "code").json())
                    .isEqualTo("-32601");
            assertThat(left.request(METHOD)).isEmpty();
        }
    }

    @Test
    void method_of_an_extension_that_two_servers_announce_is_not_guessed() {
        try (ControlledServer same = server(ID);
                GatewayHarness gateway =
                        plan().server(TestServer.at("same", same.uri())).open()) {
            GatewayClient client = client(gateway);
            gateway.start("same");

            assertThat(Messages.at(client.ask(METHOD, ""), "error", "code").json())
                    .isEqualTo("-32601");
            assertThat(left.request(METHOD) + same.request(METHOD)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void server_learns_what_the_client_announces(Manner manner) {
        String capabilities = "{\"extensions\":{\"com.example/any\":{\"v\":1}}}";
        try (GatewayHarness gateway = plan().open()) {
            gateway.start("left");
            HttpWire wire = gateway.client();
            String tool = "{\"name\":\"left__work\",\"arguments\":{}}";
            String call = manner == Manner.STATELESS
                    ? Messages.call(1, capabilities, "left__work", "{}")
                    : Messages.request(1, "tools/call", tool);
            if (manner == Manner.SESSION) {
                wire.hello(capabilities);
            }
            wire.answer(call);

            assertThat(Messages.at(
                                    Messages.read(left.called()),
                                    "params",
                                    "_meta",
                                    "io.modelcontextprotocol/clientCapabilities")
                            .json())
                    .isEqualTo(capabilities);
        }
    }

    @Test
    void request_of_an_extension_is_not_repeated() {
        left.answer(METHOD, ControlledServer.Reply.of(500));
        try (GatewayHarness gateway = plan().open()) {
            JsonView answer = client(gateway).ask(METHOD, "");

            assertThat(Messages.kind(answer)).startsWith("http_error ");
            assertThat(left.count(METHOD)).isOne();
        }
    }

    @Test
    void extensions_are_known_again_after_a_restart() throws Exception {
        for (int run = 1; run <= 2; run++) {
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, folder, "here");
                    GatewayHarness gateway = plan().catalogStore(cache).open()) {
                gateway.servers().setExtensions(List.of(ID), true);
                if (run == 1) {
                    client(gateway);
                    CacheWrites.await();
                } else {
                    left.close();
                }
                GatewayClient client = GatewayClient.of(gateway);
                // A handshake waits for the cache for a moment only.
                eventually(
                        "the extension is announced",
                        () -> assertThat(announced(client)).isEqualTo("{\"" + ID + "\":{\"level\":2}}"));
            }
        }
    }
}
