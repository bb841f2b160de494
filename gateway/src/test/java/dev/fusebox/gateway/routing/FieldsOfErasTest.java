package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What only one era knows stays with the peers that speak it.
@Tag("process")
@Timeout(60)
class FieldsOfErasTest {
    private static final String WATCHED = "test://watched-resource";

    /// Answers a call with the parameters that it came with.
    private static ChildSpec mirror() {
        return EitherClient.server(
                "[" + EitherClient.tool("mirror") + "]",
                "say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content':"
                        + " [{'type': 'text', 'text': json.dumps(m['params'])}]}})");
    }

    @ParameterizedTest
    @EnumSource
    void a_session_client_sees_no_field_of_the_stateless_era_and_a_stateless_one_does(EitherClient.Way way) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .server("new", SingleServerHarness.script(Era.MODERN))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            JsonView result = Messages.at(client.call("new__echo", "{\"text\":\"hi\"}"), "result");

            assertThat(Messages.said(client.call("new__echo", "{\"text\":\"hi\"}")))
                    .isEqualTo("hi");
            assertThat(result.member("resultType") == null).isEqualTo(way.inSession());
            assertThat(result.path("_meta", "io.modelcontextprotocol/serverInfo") == null)
                    .isEqualTo(way.inSession());
            assertThat(way.inSession() && result.member("_meta") != null)
                    .as("a _meta that has nothing else")
                    .isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lists_resources_prompts_and_completions_have_the_fields_of_the_era_of_the_client(EitherClient.Way way) {
        Map<String, String> requests = Map.of(
                "tools/list", "",
                "prompts/list", "",
                "resources/list", "",
                "resources/templates/list", "",
                "resources/read", ",\"uri\":\"test://static-text\"",
                "prompts/get", ",\"name\":\"new__test_simple_prompt\"",
                "completion/complete",
                        ",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"new__test_prompt_with_arguments\"},"
                                + "\"argument\":{\"name\":\"arg1\",\"value\":\"a\"}",
                "tools/call", Messages.tool("mcp_call", "{\"server\":\"new\",\"tool\":\"echo\"}"));
        ExposurePolicy both = new ExposurePolicy(true, Set.of(), List.of(new CallTool()));
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .server("new", SingleServerHarness.script(Era.MODERN))
                        .exposure(both)
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            client.call("new__echo", "{\"text\":\"hi\"}");
            gateway.eventuallyHears("new");
            requests.forEach((method, members) -> {
                JsonView result = Messages.at(client.ask(method, members), "result");
                boolean hasFields =
                        Stream.of("resultType", "ttlMs", "cacheScope").anyMatch(name -> result.member(name) != null)
                                || result.path("_meta", "io.modelcontextprotocol/serverInfo") != null;
                assertThat(hasFields).as("%s: %s", method, result).isNotEqualTo(way.inSession());
            });
        }
    }

    /// The gateway listens to the server, which marks its notifications with the id of that request.
    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void notifications_of_a_stateless_server_reach_a_session_client_without_a_subscription_id(EitherClient.Way way) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .server("new", SingleServerHarness.script(Era.MODERN))
                        .open();
                EitherClient client = new EitherClient(gateway, way);
                Wire.Stream unrelated = client.wire().unrelated()) {
            client.call("new__echo", "{\"text\":\"hi\"}");
            gateway.eventuallyHears("new");
            assertThat(client.ask("resources/subscribe", ",\"uri\":\"" + WATCHED + "\"")
                            .member("result"))
                    .isNotNull();
            List<JsonView> told = new ArrayList<>();
            for (String tool : List.of("touch", "test_trigger_tool_change")) {
                client.call("new__" + tool, "{}", told);
            }
            while (!Messages.methods(told)
                    .containsAll(List.of("notifications/resources/updated", "notifications/tools/list_changed"))) {
                told.add(Objects.requireNonNull(unrelated.next(), "the stream has ended"));
            }
            assertThat(told)
                    .allSatisfy(message -> assertThat(message.path("params", "_meta"))
                            .as("%s", message)
                            .isNull());
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_session_server_gets_no_meta_that_its_client_did_not_send(EitherClient.Way way) {
        try (GatewayHarness gateway =
                        GatewayHarness.plan().process("mirror", mirror()).open();
                EitherClient client = new EitherClient(gateway, way)) {
            JsonView seen = Messages.read(Messages.said(client.call("mirror__mirror", "{}")));

            assertThat(seen.member("_meta")).isNull();
            assertThat(seen.string("name")).isEqualTo("mirror");
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_unknown_resource_is_named_in_the_data_of_the_error(EitherClient.Way way) {
        try (GatewayHarness gateway =
                        GatewayHarness.plan().process("mirror", mirror()).open();
                EitherClient client = new EitherClient(gateway, way)) {
            JsonView answer = client.ask("resources/read", ",\"uri\":\"file:///nothing\"");

            JsonView error = Objects.requireNonNull(answer.member("error"));
            assertThat(error.member("code")).hasToString(way.inSession() ? "-32002" : "-32602");
            assertThat(error.path("data", "uri")).hasToString("\"file:///nothing\"");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void resource_that_cannot_be_subscribed_to_is_named_in_the_data_of_the_error(EitherClient.Way way) {
        try (GatewayHarness gateway =
                        GatewayHarness.plan().process("mirror", mirror()).open();
                EitherClient client = new EitherClient(gateway, way)) {
            JsonView answer = client.ask("resources/subscribe", ",\"uri\":\"file:///nothing\"");

            assertThat(answer.path("error", "data", "uri")).hasToString("\"file:///nothing\"");
        }
    }
}
