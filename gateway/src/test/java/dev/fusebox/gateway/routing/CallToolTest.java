package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.ExposurePolicy.Pin;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A client that sees only the gateway's own tools calls those of servers through them.
@Tag("process")
@Timeout(120)
class CallToolTest {
    private static final List<CallTool> OWN = List.of(new CallTool());
    static final ExposurePolicy META = new ExposurePolicy(false, Set.of(), List.copyOf(OWN));

    private static GatewayHarness.Plan two(ExposurePolicy exposurePolicy) {
        return GatewayHarness.plan()
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .server("new", SingleServerHarness.script(Era.MODERN))
                .exposure(exposurePolicy);
    }

    private static JsonView call(GatewayClient client, String arguments) {
        return client.call("mcp_call", arguments);
    }

    private static JsonView error(JsonView answer) {
        return Messages.at(answer, "result", "structuredContent", "error");
    }

    @ParameterizedTest
    @EnumSource
    void a_client_sees_no_tool_of_a_server_and_calls_it_all_the_same(Manner manner) {
        try (GatewayHarness gateway = two(META).open()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            assertThat(client.tools()).containsExactly("mcp_call");
            assertThat(gateway.processes()).as("nobody had to say what it has").isEmpty();
            for (String server : List.of("old", "new")) {
                JsonView answer =
                        call(client, "{\"server\":\"" + server + "\",\"tool\":\"echo\",\"args\":{\"text\":\"hi\"}}");
                assertThat(Messages.said(answer)).isEqualTo("hi");
            }
            assertThat(client.tools()).containsExactly("mcp_call");
            assertThat(Messages.kind(client.call("old__echo", "{}"))).isEqualTo("unknown_tool policy not_sent");
        }
    }

    @ParameterizedTest
    @EnumSource
    void invalid_arguments_are_answered_with_the_schema_and_never_sent(Manner manner) {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("shop", controlledServer.uri()))
                        .exposure(META)
                        .open()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            JsonView wrong = call(client, "{\"server\":\"shop\",\"tool\":\"work\",\"args\":{\"n\":\"one\"}}");
            assertThat(error(wrong).string("code")).isEqualTo("invalid_arguments");
            assertThat(error(wrong).string("outcome")).isEqualTo("not_sent");
            assertThat(Messages.at(error(wrong), "inputSchema", "properties").isObject())
                    .isTrue();
            assertThat(wrong.json().split("properties", -1))
                    .as("the schema is told once")
                    .hasSize(2);
            assertThat(Messages.at(wrong, "result", "isError").isTrue()).isTrue();
            assertThat(Messages.said(call(client, "{\"server\":\"shop\",\"tool\":\"work\",\"args\":{\"n\":1}}")))
                    .isEqualTo("done");
        }
    }

    @Test
    void names_that_there_are_not_are_answered_with_the_nearest_ones() {
        try (GatewayHarness gateway = two(META)
                .absent(new UnavailableServer("off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled")))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            gateway.start("old");
            JsonView server = error(call(client, "{\"server\":\"odl\",\"tool\":\"echo\"}"));
            assertThat(server.string("code")).isEqualTo("unknown_server");
            assertThat(server.string("message")).contains("old");
            JsonView tool = error(call(client, "{\"server\":\"old\",\"tool\":\"ecko\"}"));
            assertThat(tool.string("code")).isEqualTo("unknown_tool");
            assertThat(tool.string("message")).contains("echo");
            assertThat(tool.string("server")).isEqualTo("old");
            JsonView off = error(call(client, "{\"server\":\"off\",\"tool\":\"echo\"}"));
            assertThat(off.string("code")).isEqualTo("server_disabled");
        }
    }

    @Test
    void a_name_that_is_like_none_is_answered_with_what_there_is() {
        try (GatewayHarness gateway = two(META).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            JsonView server = error(call(client, "{\"server\":\"github\",\"tool\":\"echo\"}"));
            assertThat(server.string("message")).isEqualTo("unknown server \"github\"; configured are old, new");
            assertThat(Messages.said(client.call("send_mail", "{}"))).isEqualTo("no tool is named \"send_mail\"");
            call(client, "{\"server\":\"old\",\"tool\":\"echo\"}");
            eventually(
                    "the answer names the server old",
                    () -> assertThat(Messages.said(client.call("echo", "{}")))
                            .contains("servers with a tool of this name, for mcp_call: old"));
        }
    }

    /// `mcp_discover` lists further tools under such names.
    @ParameterizedTest
    @EnumSource
    void name_that_contains_the_server_is_called_like_two_separate_names(Manner manner) {
        try (GatewayHarness gateway = two(META).open()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            for (String server : List.of("old", "new")) {
                String rest = "\"tool\":\"" + server + "/echo\",\"args\":{\"text\":\"hi\"}}";
                assertThat(Messages.said(call(client, "{" + rest))).isEqualTo("hi");
                assertThat(Messages.said(call(client, "{\"server\":\"" + server + "\"," + rest)))
                        .isEqualTo("hi");
            }
        }
    }

    @Test
    void failed_call_by_a_name_that_contains_the_server_names_both() {
        try (GatewayHarness gateway = two(META)
                .absent(new UnavailableServer("off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled")))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            gateway.start("old");
            for (String start : List.of("{", "{\"server\":\"old\",")) {
                JsonView tool = error(call(client, start + "\"tool\":\"old/ecko\"}"));
                assertThat(tool.string("code")).isEqualTo("unknown_tool");
                assertThat(tool.string("message")).startsWith("old has no tool \"ecko\"; similar name");
                assertThat(tool.string("server")).isEqualTo("old");
                assertThat(tool.string("tool")).isEqualTo("ecko");
            }
            assertThat(error(call(client, "{\"tool\":\"off/echo\"}")).string("code"))
                    .isEqualTo("server_disabled");
            for (String name : List.of("odl/echo", "echo", "/echo", "old/")) {
                JsonView server = error(call(client, "{\"tool\":\"" + name + "\"}"));
                assertThat(server.string("code")).isEqualTo("invalid_arguments");
                assertThat(server.string("message")).contains("server is missing");
            }
        }
    }

    @Test
    void tool_whose_own_name_begins_with_that_of_its_server_is_called_by_it() {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("shop", controlledServer.uri()))
                        .exposure(META)
                        .open()) {
            controlledServer.rename("think", "shop/work");
            GatewayClient client = GatewayClient.of(gateway);
            call(client, "{\"server\":\"shop\",\"tool\":\"shop/work\"}");
            assertThat(controlledServer.called()).contains("\"name\":\"shop/work\"");
            call(client, "{\"tool\":\"shop/shop/work\"}");
            assertThat(controlledServer.called()).contains("\"name\":\"shop/work\"");
            call(client, "{\"tool\":\"shop/look\"}");
            assertThat(controlledServer.called()).contains("\"name\":\"look\"");
        }
    }

    @Test
    void servers_that_are_the_same_have_the_nearest_names_of_one_of_them() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("a", SingleServerHarness.script(Era.LEGACY))
                .server("b", SingleServerHarness.script(Era.LEGACY))
                .replicaSet("all", "a", "b")
                .exposure(META)
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            String wrong = "{\"server\":\"all\",\"tool\":\"ecko\"}";
            assertThat(Messages.said(call(client, "{\"server\":\"all\",\"tool\":\"echo\",\"args\":{\"text\":\"hi\"}}")))
                    .isEqualTo("hi");
            // Until one of them has said what it has, that one is asked.
            eventually(
                    "the answer names the nearest tool, echo",
                    () -> assertThat(call(client, wrong).json()).contains("similar names: echo"));
            assertThat(error(call(client, wrong)).string("message")).startsWith("all has no tool \"ecko\"");
        }
    }

    @Test
    void all_invalid_arguments_are_reported_together() {
        try (GatewayHarness gateway = two(META).open()) {
            JsonView error =
                    error(call(GatewayClient.of(gateway), "{\"tool\":7,\"args\":[],\"argument\":{},\"timeoutMs\":0}"));
            assertThat(error.string("code")).isEqualTo("invalid_arguments");
            assertThat(error.string("message"))
                    .contains("server is missing", "tool must be a string", "args must be an object")
                    .contains("\"argument\" (did you mean \"arg", "timeoutMs must be");
            assertThat(Messages.at(error, "inputSchema").isObject()).isTrue();
            assertThat(gateway.processes()).isEmpty();
        }
    }

    @Test
    void arguments_is_another_name_for_args_and_not_beside_it() {
        try (GatewayHarness gateway = two(META).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            String call = "{\"server\":\"old\",\"tool\":\"echo\",\"arguments\":{\"text\":\"hi\"}";
            assertThat(Messages.said(call(client, call + "}"))).isEqualTo("hi");
            assertThat(error(call(client, call + ",\"args\":{}}")).string("message"))
                    .contains("args and arguments are aliases; give only one of them");
        }
    }

    @Test
    void server_that_crashes_at_start_is_rejected_after_five_failures_at_the_latest() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("dead", SingleServerHarness.script(Era.LEGACY, "exit-at-start"))
                        .crashing())
                .exposure(META)
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            String dead = "{\"server\":\"dead\",\"tool\":\"echo\"}";
            assertThat(error(call(client, dead)).string("code")).isEqualTo("server_crashed");
            for (int call = 1; call < 5; call++) {
                call(client, dead);
            }
            assertThat(error(call(client, dead)).string("code")).isEqualTo("breaker_open");
            assertThat(error(call(client, dead)).string("outcome")).isEqualTo("not_sent");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shorter_timeout_of_a_caller_does_not_count_against_the_server(Manner manner) {
        try (GatewayHarness gateway = two(META).open()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            assertThat(Messages.said(call(client, "{\"server\":\"old\",\"tool\":\"echo\",\"args\":{\"text\":\"hi\"}}")))
                    .isEqualTo("hi");
            String slow = "{\"server\":\"old\",\"tool\":\"slow\",\"args\":{\"ms\":60000},\"timeoutMs\":50}";
            // A busy machine may need all of this time before it sends the call.
            eventually("a call that was sent times out", () -> {
                JsonView error = error(call(client, slow));
                assertThat(error.string("code")).isEqualTo("timeout");
                assertThat(error.string("outcome")).isEqualTo("unknown");
                assertThat(error.string("message")).contains("50 ms", "the call may have been executed");
            });
            assertThat(gateway.breaker(BreakerName.of("old").tool("slow")).failureCount())
                    .isZero();
        }
    }

    @Test
    void a_caller_may_give_a_call_more_time_than_its_server_has() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("slow", SingleServerHarness.script(Era.LEGACY))
                        .within(Duration.ofMillis(400)))
                .exposure(META)
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            String slow = "{\"server\":\"slow\",\"tool\":\"slow\",\"args\":{\"ms\":900}";
            eventually(
                    "the outcome of the call is unknown",
                    () -> assertThat(error(call(client, slow + "}")).json()).contains("\"outcome\":\"unknown\""));
            assertThat(Messages.said(call(client, slow + ",\"timeoutMs\":60000}")))
                    .isNotEmpty();
        }
    }

    @Test
    void pinned_tools_are_seen_beside_its_own_and_only_their_servers_are_asked_what_they_have() {
        ExposurePolicy exposurePolicy = new ExposurePolicy(false, Set.of(new Pin("new", "echo")), List.copyOf(OWN));
        try (GatewayHarness gateway = two(exposurePolicy).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("new__echo");
            assertThat(client.tools()).containsExactly("mcp_call", "new__echo");
            assertThat(gateway.processes()).hasSize(1);
            assertThat(Messages.said(client.call("new__echo", "{\"text\":\"hi\"}")))
                    .isEqualTo("hi");
        }
    }

    @Test
    void both_is_its_own_tools_first_and_then_all_others() {
        try (GatewayHarness gateway =
                two(new ExposurePolicy(true, Set.of(), List.copyOf(OWN))).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("mcp_call", "old__echo", "new__echo");
            assertThat(client.tools()).first().isEqualTo("mcp_call");
        }
    }

    @ParameterizedTest
    @EnumSource
    void notifications_and_requests_of_a_server_reach_the_client(Manner manner) {
        try (GatewayHarness gateway = two(META).open()) {
            JsonView answer = Objects.requireNonNull(call(
                    GatewayClient.of(gateway, manner),
                    "{\"server\":\"new\",\"tool\":\"test_simple_text\",\"args\":{}}"));
            assertThat(Messages.at(answer, "result", "content").elements()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"2024-11-05, 2", "2025-03-26, 2", "2025-06-18, 1", "2025-11-25, 1"})
    void object_of_a_failed_call_is_a_second_text_only_for_revisions_without_structured_content(
            String revision, int texts) {
        try (GatewayHarness gateway = GatewayHarness.plan().exposure(META).open()) {
            HttpWire wire = gateway.client();
            wire.answer(Messages.request(
                    0,
                    "initialize",
                    "{\"protocolVersion\":\"" + revision
                            + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}"));
            wire.say(Messages.notification("notifications/initialized", "{}"));
            JsonView result = Messages.at(
                    wire.answer(Messages.request(
                            1,
                            "tools/call",
                            "{\"name\":\"mcp_call\",\"arguments\":{\"server\":\"x\",\"tool\":\"y\"}}")),
                    "result");
            List<JsonView> content = Messages.at(result, "content").elements();
            assertThat(content).hasSize(texts);
            assertThat(content.getFirst().string("text")).contains("\"x\"");
            if (texts == 2) {
                assertThat(content.getLast().string("text"))
                        .isEqualTo(Messages.at(result, "structuredContent").json());
            }
        }
    }
}
