package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.ControlledServer.Reply;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A result that is longer than its server's limit reaches the client in parts, by every way to call a tool.
@Tag("process")
@Timeout(60)
class LongResultsTest {
    private static final ExposurePolicy BOTH = new ExposurePolicy(true, Set.of(), List.of(new CallTool()));
    private static final ExposurePolicy META = new ExposurePolicy(false, Set.of(), List.of(new CallTool()));
    private static final String LONG =
            IntStream.range(0, 100).mapToObj(n -> "line " + n + " 👨‍👩‍👧").collect(Collectors.joining("\n"));
    private static final Reply LOG = result(text(LONG));

    private static String text(String text) {
        return "{\"type\":\"text\",\"text\":" + JsonWriter.quoted(text) + "}";
    }

    private static Reply result(String items) {
        return Reply.result("{\"resultType\":\"complete\",\"content\":[" + items + "]}");
    }

    private static ServerPolicy limited(ServerPolicy policy) {
        return policy.withMaxResultBytes(500);
    }

    private static GatewayHarness gateway(ControlledServer server, ExposurePolicy exposure) {
        return GatewayHarness.plan()
                .server(TestServer.at("log", server.uri()).policy(LongResultsTest::limited))
                .exposure(exposure)
                .open();
    }

    private static JsonView result(JsonView answer) {
        return Messages.at(answer, "result");
    }

    private static String said(JsonView result, int item) {
        return Objects.requireNonNull(
                Messages.at(result, "content").elements().get(item).string("text"));
    }

    private static JsonView read(GatewayClient client, String uri) {
        return client.ask("resources/read", ",\"uri\":" + JsonWriter.quoted(uri));
    }

    /// What the client does not have yet.
    private static String rest(GatewayClient client, JsonView result) {
        StringBuilder rest = new StringBuilder();
        String next = Messages.text(result, "_meta", "fusebox/cut", "uri");
        while (next != null) {
            JsonView read = result(read(client, next));
            JsonView contents = Messages.at(read, "contents");
            rest.append(contents.elements().getFirst().string("text"));
            next = Messages.at(read, "_meta", "fusebox/part").string("next");
        }
        return rest.toString();
    }

    @ParameterizedTest
    @EnumSource
    void long_text_is_cut_and_its_rest_can_be_read(Manner manner) {
        try (ControlledServer server = ControlledServer.of(LOG);
                GatewayHarness gateway = gateway(server, BOTH)) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            for (JsonView answer : List.of(
                    client.call("log__work", "{}"),
                    client.call("mcp_call", "{\"server\":\"log\",\"tool\":\"work\"}"))) {
                JsonView result = result(answer);
                String shown = said(result, 0);
                assertThat(shown.length()).isBetween(100, 500);
                assertThat(shown).endsWith("\n");
                assertThat(said(result, 1)).contains("maxResultBytes of log is 500");
                assertThat(Messages.at(result, "content").elements().get(2).string("type"))
                        .isEqualTo("resource_link");
                assertThat(shown + rest(client, result)).isEqualTo(LONG);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clients_of_gateway_tools_only_can_read_cut_text_and_know_it(Manner manner) {
        try (ControlledServer server = ControlledServer.of(LOG);
                GatewayHarness gateway = gateway(server, META)) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            JsonView result = result(client.call("mcp_call", "{\"server\":\"log\",\"tool\":\"work\"}"));
            assertThat(said(result, 0) + rest(client, result)).isEqualTo(LONG);
            assertThat(client.all("resources/list", "resources")).isEmpty();
            assertThat(client.names("resources/templates/list", "resourceTemplates", "uriTemplate"))
                    .containsExactly("fusebox://fusebox/results/{id}/{part}");
            GatewayClient other = GatewayClient.of(gateway);
            assertThat(Messages.at(other.ask("server/discover", ""), "result", "capabilities", "resources"))
                    .isNotNull();
        }
    }

    @Test
    void gateway_without_limits_announces_no_resources_of_its_own() {
        try (ControlledServer server = ControlledServer.of(LOG);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("log", server.uri()))
                        .exposure(META)
                        .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            assertThat(client.ask("server/discover", "").path("result", "capabilities", "resources"))
                    .isNull();
            assertThat(client.all("resources/templates/list", "resourceTemplates"))
                    .isEmpty();
            JsonView result = result(client.call("mcp_call", "{\"server\":\"log\",\"tool\":\"work\"}"));
            assertThat(said(result, 0)).isEqualTo(LONG);
        }
    }

    @ParameterizedTest
    @EnumSource
    void structured_content_that_is_too_long_fails_the_call_with_its_size(Manner manner) {
        String object = "{\"rows\":\"" + "x".repeat(1_000) + "\"}";
        Reply reply = Reply.result("{\"resultType\":\"complete\",\"content\":[" + text(object)
                + "],\"structuredContent\":" + object + "}");
        try (ControlledServer server = ControlledServer.of(reply);
                GatewayHarness gateway = gateway(server, BOTH)) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            JsonView direct = client.call("log__work", "{}");
            assertThat(Messages.kind(direct)).isEqualTo("limit_exceeded policy unknown");
            assertThat(said(result(direct), 0)).contains("structured content of 1011 bytes", "the call was executed");
            assertThat(Messages.text(direct, "result", "_meta", "fusebox/error", "id"))
                    .isEqualTo("result-too-large");
            JsonView error = Messages.at(
                    client.call("mcp_call", "{\"server\":\"log\",\"tool\":\"work\"}"),
                    "result",
                    "structuredContent",
                    "error");
            assertThat(error.string("code")).isEqualTo("limit_exceeded");
            String first = said(result(direct), 0).replaceAll("(?s).*?(fusebox://\\S+/1) .*", "$1");
            assertThat(result(read(client, first)).json()).contains("\"text\":\"{\\\"rows\\\":\\\"xxx");
        }
    }

    @Test
    void text_of_a_result_that_is_an_error_is_cut_too() {
        try (ControlledServer server = ControlledServer.of(Reply.text("e".repeat(1_000), true));
                GatewayHarness gateway = gateway(server, BOTH)) {
            GatewayClient client = GatewayClient.of(gateway);
            JsonView result = result(client.call("log__work", "{}"));
            assertThat(Messages.at(result, "isError").isTrue()).isTrue();
            assertThat(said(result, 0)).hasSize(500);
        }
    }

    @ParameterizedTest
    @EnumSource
    void text_of_a_resource_is_cut_too(Manner manner) {
        String resource = "[{\"uri\":\"log://all\",\"name\":\"all\"}]";
        try (ControlledServer server = ControlledServer.of(LOG).with("r".repeat(1_200), resource, "[]");
                GatewayHarness gateway = gateway(server, BOTH)) {
            gateway.start("log");
            GatewayClient client = GatewayClient.of(gateway, manner);
            JsonView result = result(read(client, "log://all"));
            List<JsonView> contents = Messages.at(result, "contents").elements();
            assertThat(contents).hasSize(2);
            assertThat(contents.get(0).string("text")).hasSize(500);
            assertThat(contents.get(1).string("text")).contains("500 of 1200 bytes");
            assertThat(rest(client, result)).isEqualTo("r".repeat(700));
        }
    }

    private static JsonView answer(Router router, Principal principal, String method, String members) {
        byte[] frame = JsonRpcFrames.request(RequestId.of("1"), method, "{" + members + "}");
        Deadline deadline = new Deadline(Duration.ofSeconds(30), Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
        Call call = new Call(Message.Request.of(frame), deadline, Caller.SILENT);
        Outcome outcome = router.call(call.of(ClientMetadata.UNKNOWN.of(principal)));
        return ((Outcome.Answered) outcome).answer().frame();
    }

    @Test
    void cut_text_of_one_principal_is_unknown_to_another() {
        try (ControlledServer server = ControlledServer.of(LOG);
                GatewayHarness gateway = gateway(server, BOTH)) {
            gateway.start("log");
            Principal ada = new Principal("ada");
            try (Router router = new Router(gateway.servers(), null)) {
                JsonView called = answer(router, ada, "tools/call", "\"name\":\"log__work\",\"arguments\":{}");
                String uri = "\"uri\":"
                        + Messages.at(called, "result", "_meta", "fusebox/cut", "uri")
                                .json();
                assertThat(answer(router, Principal.OWNER, "resources/read", uri)
                                .path("error", "code"))
                        .hasToString("-32602");
                assertThat(answer(router, new Principal("bob"), "resources/read", uri)
                                .path("error", "code"))
                        .hasToString("-32602");
                assertThat(answer(router, ada, "resources/read", uri).path("result", "contents"))
                        .isNotNull();
            }
        }
    }

    @Test
    void cut_text_can_be_read_after_its_server_has_changed_or_gone() {
        try (ControlledServer server = ControlledServer.of(LOG);
                GatewayHarness gateway = gateway(server, BOTH)) {
            GatewayClient client = GatewayClient.of(gateway);
            JsonView result = result(client.call("log__work", "{}"));
            server.answer(result(text("z".repeat(2_000))));
            JsonView next = result(client.call("log__work", "{}"));
            gateway.reload(List.of(), Duration.ofSeconds(1));
            assertThat(said(result, 0) + rest(client, result)).isEqualTo(LONG);
            assertThat(said(next, 0) + rest(client, next)).isEqualTo("z".repeat(2_000));
        }
    }

    @Test
    void concurrent_clients_read_the_same_and_other_results() throws Exception {
        try (ControlledServer server = new ControlledServer(
                        nth -> result(text(Integer.toString(nth).repeat(1_000))));
                GatewayHarness gateway = gateway(server, BOTH);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway.start("log");
            JsonView shared = result(GatewayClient.of(gateway).call("log__work", "{}"));
            Callable<Boolean> reading = () -> {
                GatewayClient client = GatewayClient.of(gateway);
                JsonView own = result(client.call("log__work", "{}"));
                String all = said(own, 0) + rest(client, own);
                return rest(client, shared).length() == 500
                        && all.length() % 1_000 == 0
                        && all.equals(all.substring(0, all.length() / 1_000).repeat(1_000));
            };
            for (Future<Boolean> read : threads.invokeAll(
                    IntStream.range(0, 16).mapToObj(n -> reading).toList())) {
                assertThat(read.get()).isTrue();
            }
        }
    }

    @Test
    void limit_is_that_of_the_server_that_has_answered() {
        try (ControlledServer down = ControlledServer.of(Reply.of(503));
                ControlledServer backup = ControlledServer.of(LOG);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("main", down.uri()).policy(old -> old.backedBy("spare")))
                        .server(TestServer.at("spare", backup.uri()).policy(LongResultsTest::limited))
                        .exposure(BOTH)
                        .open()) {
            gateway.start("main");
            gateway.start("spare");
            GatewayClient client = GatewayClient.of(gateway);
            JsonView result = result(client.call("main__look", "{}"));
            assertThat(Messages.text(result, "_meta", "fusebox/server")).isEqualTo("spare");
            assertThat(said(result, 1)).contains("maxResultBytes of spare is 500");
            assertThat(said(result, 0) + rest(client, result)).isEqualTo(LONG);
        }
    }
}
