package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
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
import org.junit.jupiter.params.provider.EnumSource;

/// A client finds tools of all servers by what they are for, whatever single servers do.
@Tag("process")
@Timeout(120)
class DiscoverToolTest {
    private static ExposurePolicy exposurePolicy(SemanticMode semanticMode) {
        return new ExposurePolicy(
                false,
                Set.of(),
                List.of(
                        new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, semanticMode), 10),
                        new CallTool()));
    }

    /// With equal tools, which a search by words keeps apart.
    private static GatewayHarness.Plan two() {
        return two(SemanticMode.OFF);
    }

    private static GatewayHarness.Plan two(SemanticMode semanticMode) {
        return GatewayHarness.plan()
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .server("new", SingleServerHarness.script(Era.MODERN))
                .exposure(exposurePolicy(semanticMode));
    }

    private static JsonView discover(GatewayClient client, String arguments) {
        return Messages.at(client.call("mcp_discover", arguments), "result", "structuredContent");
    }

    private static List<JsonView> list(JsonView answer, String name) {
        return Messages.at(answer, name).elements();
    }

    private static List<String> named(JsonView answer, String list, String member) {
        return list(answer, list).stream()
                .map(item -> Objects.requireNonNull(item.string(member)))
                .toList();
    }

    /// Until these servers have said what they have, and nothing is read from them any more.
    private static void eventuallyKnows(GatewayClient client, String... servers) {
        eventually("the tools of all servers are counted, and they are online", () -> {
            List<JsonView> all = list(discover(client, "{}"), "servers");
            return all.stream()
                    .filter(server -> List.of(servers).contains(server.string("name")))
                    .noneMatch(server -> Messages.at(server, "toolCount").json().equals("0")
                            || !"online".equals(server.string("status")));
        });
        // What a server offers is counted a moment before it can be found.
        eventually(
                "tools of all servers are found",
                () -> assertThat(named(discover(client, "{\"query\":\"echo\",\"limit\":100}"), "tools", "server"))
                        .containsAll(List.of(servers)));
    }

    @ParameterizedTest
    @EnumSource
    void discovered_tool_can_be_called_with_its_schema(Manner manner) {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            assertThat(client.tools()).containsExactly("mcp_discover", "mcp_call");
            eventuallyKnows(client, "old", "new");
            JsonView answer = discover(client, "{\"query\":\"adds two numbers\",\"limit\":2}");
            assertThat(named(answer, "tools", "tool")).containsExactly("add", "add");
            assertThat(named(answer, "tools", "server")).containsExactly("old", "new");
            JsonView first = list(answer, "tools").getFirst();
            assertThat(Messages.at(first, "inputSchema", "properties").json()).contains("\"a\"");
            assertThat(Messages.at(first, "annotations", "readOnlyHint").isTrue())
                    .isTrue();
            assertThat(first.string("schemaSource")).isEqualTo("live");
            assertThat(first.string("status")).isEqualTo("online");
            assertThat(Messages.said(client.call(
                            "mcp_call", "{\"server\":\"old\",\"tool\":\"add\",\"args\":{\"a\":1,\"b\":2}}")))
                    .contains("3");
        }
    }

    @Test
    void text_and_structured_content_are_equal_and_results_are_repeatable() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventuallyKnows(client, "old", "new");
            JsonView answer = client.call("mcp_discover", "{\"query\":\"echo text\",\"detail\":\"brief\"}");
            String structure =
                    Messages.at(answer, "result", "structuredContent").json();
            assertThat(Messages.said(answer)).isEqualTo(structure);
            assertThat(structure).doesNotContain("inputSchema");
            assertThat(named(Messages.at(answer, "result", "structuredContent"), "tools", "tool"))
                    .isEqualTo(
                            named(discover(client, "{\"query\":\"echo text\",\"detail\":\"brief\"}"), "tools", "tool"));
        }
    }

    @Test
    void search_has_the_schemas_of_the_first_three_unless_all_or_none_are_asked_for() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventuallyKnows(client, "old", "new");
            List<JsonView> usual = list(discover(client, "{\"query\":\"echo text\",\"limit\":5}"), "tools");
            assertThat(usual).hasSize(5);
            assertThat(usual.subList(0, 3))
                    .allSatisfy(tool -> assertThat(tool.member("inputSchema")).isNotNull());
            assertThat(usual.subList(3, 5))
                    .allSatisfy(tool -> assertThat(tool.member("inputSchema")).isNull());
            List<JsonView> full =
                    list(discover(client, "{\"query\":\"echo text\",\"limit\":5,\"detail\":\"full\"}"), "tools");
            assertThat(full)
                    .allSatisfy(tool -> assertThat(tool.member("inputSchema")).isNotNull());
            assertThat(discover(client, "{\"query\":\"echo text\",\"detail\":\"brief\"}")
                            .json())
                    .doesNotContain("inputSchema");
        }
    }

    @Test
    void tools_of_two_servers_that_do_the_same_share_a_line() {
        try (GatewayHarness gateway = two(SemanticMode.AUTO).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventually("both are found", () -> {
                JsonView first = list(discover(client, "{\"query\":\"adds two numbers\"}"), "tools")
                        .getFirst();
                assertThat(first.string("tool")).isEqualTo("add");
                assertThat(Messages.at(first, "alsoAt").json()).isIn("[\"new/add\"]", "[\"old/add\"]");
            });
        }
    }

    @Test
    void what_comes_after_the_limit_is_named() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .exposure(new ExposurePolicy(
                        false,
                        Set.of(),
                        List.of(new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF), 2))))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventuallyKnows(client, "old");
            JsonView answer = discover(client, "{\"query\":\"echo text add numbers slow\"}");
            assertThat(list(answer, "tools")).hasSize(2);
            List<String> shown = named(answer, "tools", "tool");
            assertThat(list(answer, "more"))
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(5)
                    .allSatisfy(name -> assertThat(name.string()).startsWith("old/"))
                    .noneSatisfy(name -> assertThat(shown)
                            .contains(String.valueOf(name.string()).substring(4)));
            assertThat(list(discover(client, "{\"server\":\"old\"}"), "more")).isNotEmpty();
        }
    }

    @Test
    void server_that_is_down_is_named_only_where_one_of_its_tools_was_found() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventuallyKnows(client, "old", "new");
            gateway.breakers().find(BreakerName.of("new")).orElseThrow().forceOpen("moving house");
            assertThat(list(discover(client, "{\"query\":\"adds two numbers\",\"limit\":1}"), "unavailable"))
                    .isEmpty();
            JsonView both = discover(client, "{\"query\":\"adds two numbers\",\"limit\":2}");
            assertThat(named(both, "tools", "status")).containsExactly("online", "offline");
            assertThat(Messages.at(both, "unavailable").json())
                    .isEqualTo("[{\"server\":\"new\",\"status\":\"offline\",\"reason\":"
                            + "\"breaker forced open by an operator\"}]");
        }
    }

    @Test
    void one_server_can_be_looked_at_alone() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventually(
                    "the tools of server new are found",
                    () -> assertThat(list(discover(client, "{\"server\":\"new\",\"limit\":100}"), "tools"))
                            .isNotEmpty());
            JsonView answer = discover(client, "{\"server\":\"new\",\"limit\":100}");
            assertThat(named(answer, "servers", "name")).containsExactly("new");
            assertThat(named(answer, "tools", "tool")).contains("echo", "add");
            assertThat(named(answer, "tools", "server")).containsOnly("new");
            assertThat(gateway.processes()).as("the other was not started").hasSize(1);
        }
    }

    @Test
    void unknown_name_is_answered_with_a_hint_to_mcp_discover() {
        try (GatewayHarness gateway = two().open()) {
            assertThat(Messages.said(GatewayClient.of(gateway).call("send_mail", "{}")))
                    .isEqualTo("no tool is named \"send_mail\"; use mcp_discover to find tools");
        }
    }

    @Test
    void a_server_that_there_is_not_is_no_server_without_tools() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (String arguments : List.of("{\"server\":\"newer\"}", "{\"server\":\"newer\",\"query\":\"x\"}")) {
                JsonView error = Messages.at(discover(client, arguments), "error");
                assertThat(error.string("code")).isEqualTo("unknown_server");
                assertThat(error.string("message")).isEqualTo("unknown server \"newer\"; configured servers: old, new");
            }
            assertThat(gateway.processes()).isEmpty();
        }
    }

    @Test
    void hanging_server_delays_no_search_and_is_listed_with_its_status() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server("mute", SingleServerHarness.script(Era.LEGACY, "hang-on-initialize"))
                .absent(new UnavailableServer("off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled")))
                .exposure(exposurePolicy(SemanticMode.AUTO))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventuallyKnows(client, "good");
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            JsonView answer = discover(client, "{\"query\":\"echo\"}");
            // A second, with room for a busy machine; the server itself has twenty.
            assertThat(Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun))
                    .isLessThan(Duration.ofSeconds(10));
            assertThat(named(answer, "tools", "server")).contains("good").doesNotContain("mute");
            assertThat(named(answer, "unavailable", "server")).contains("mute", "off");
            assertThat(named(answer, "unavailable", "reason")).contains("off is disabled");
            JsonView mute = list(answer, "unavailable").stream()
                    .filter(server -> "mute".equals(server.string("server")))
                    .findFirst()
                    .orElseThrow();
            assertThat(Messages.at(mute, "retryAfterMs").json())
                    .as("look again")
                    .isEqualTo("1000");
        }
    }

    @Test
    void status_names_a_breaker_that_an_operator_forced_open() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventuallyKnows(client, "old");
            gateway.breakers().find(BreakerName.of("old")).orElseThrow().forceOpen("moving house");
            JsonView old =
                    list(discover(client, "{\"server\":\"old\"}"), "servers").getFirst();
            assertThat(old.string("status")).isEqualTo("offline");
            assertThat(old.string("statusMessage")).isEqualTo("breaker forced open by an operator");
        }
    }

    @Test
    void asking_a_hundred_times_starts_nothing_more() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server(TestServer.of("dead", SingleServerHarness.script(Era.LEGACY, "exit-at-start"))
                        .crashing())
                .exposure(exposurePolicy(SemanticMode.AUTO))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventuallyKnows(client, "good");
            // The other has failed, and nothing is left of it.
            eventually(
                    "the last error is shown and one process is running",
                    () -> discover(client, "{\"query\":\"echo\"}").json().contains("exited")
                            && gateway.processes().size() == 1);
            List<Long> before = gateway.processes();
            for (int i = 0; i < 100; i++) {
                discover(client, "{\"query\":\"echo\"}");
            }
            assertThat(gateway.processes()).containsAll(before);
            JsonView answer = discover(client, "{\"query\":\"echo\"}");
            assertThat(named(answer, "unavailable", "server")).containsExactly("dead");
            assertThat(named(answer, "unavailable", "reason").getFirst()).isNotEmpty();
        }
    }

    @Test
    void what_cannot_be_understood_is_answered_with_the_schema() {
        try (GatewayHarness gateway = two().open()) {
            JsonView error = Messages.at(
                    GatewayClient.of(gateway)
                            .call("mcp_discover", "{\"querry\":\"x\",\"limit\":1000,\"detail\":\"much\"}"),
                    "result",
                    "structuredContent",
                    "error");
            assertThat(error.string("code")).isEqualTo("invalid_arguments");
            assertThat(error.string("message")).contains("querry", "limit", "detail");
            assertThat(Messages.at(error, "inputSchema").isObject()).isTrue();
        }
    }
}
