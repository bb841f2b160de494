package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.catalog.ToolFilter;
import dev.fusebox.gateway.catalog.ToolRenaming;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever a client asks for reaches the server that has it, and comes back as that server said it.
///
/// Over five seconds: servers are processes.
@Tag("process")
@Timeout(120)
class RoutingTest {
    private static final String TEXT = "test://static-text";
    private static final String OF_NEW = "fusebox://new/test%3A%2F%2Fstatic-text";

    /// Both have the same tools, prompts and addresses.
    private static GatewayHarness.Plan two() {
        return GatewayHarness.plan()
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .server("new", SingleServerHarness.script(Era.MODERN));
    }

    /// The first to say that it has an address owns it: nobody asks the second before the first has said all.
    private static GatewayClient at(GatewayHarness gateway, Manner manner) {
        GatewayClient gatewayClient = GatewayClient.of(gateway, manner);
        assertThat(gatewayClient.call("old__echo", "{}").member("result")).isNotNull();
        gateway.eventuallyKnows("old");
        assertThat(gatewayClient
                        .ask("resources/read", ",\"uri\":\"" + TEXT + "\"")
                        .member("result"))
                .isNotNull();
        gatewayClient.eventuallySees("old__echo", "new__echo");
        return gatewayClient;
    }

    private static String code(JsonView answer) {
        return Messages.kind(answer).split(" ", -1)[0];
    }

    @ParameterizedTest
    @EnumSource
    void the_same_tool_of_two_servers_is_two_tools_and_each_is_executed_at_home(Manner manner) {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient gatewayClient = at(gateway, manner);
            assertThat(Messages.said(gatewayClient.call("old__fail", "{\"text\":\"at old\"}")))
                    .isEqualTo("at old");
            assertThat(Messages.said(gatewayClient.call("old__count", "{\"tool\":\"fail\"}")))
                    .isEqualTo("1");
            assertThat(Messages.said(gatewayClient.call("new__count", "{\"tool\":\"fail\"}")))
                    .isEqualTo("0");
        }
    }

    @Test
    void what_is_left_out_cannot_be_called_and_what_is_renamed_has_one_name() {
        ToolFilter filter = new ToolFilter(List.of("*"), List.of("test_*", "crash"));
        ToolRenaming toolRenaming = new ToolRenaming(Map.of("echo", "repeat"));
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("one", SingleServerHarness.script(Era.LEGACY))
                        .policy(old -> new ServerPolicy(
                                old.timeout(),
                                filter,
                                toolRenaming,
                                old.retrySafety(),
                                old.toolRetrySafety(),
                                null,
                                Long.MAX_VALUE)))
                .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            assertThat(code(gatewayClient.call("one__crash", "{}"))).isEqualTo("unknown_tool");
            gatewayClient.eventuallySees("one__repeat", "one__fail");
            assertThat(gatewayClient.tools()).noneMatch(tool -> tool.matches("one__(test_.*|crash|echo)"));
            assertThat(Messages.said(gatewayClient.call("one__repeat", "{\"text\":\"here\"}")))
                    .isEqualTo("here");
            for (String gone : List.of("one__echo", "one__crash", "one__test_simple_text")) {
                assertThat(Messages.kind(gatewayClient.call(gone, "{}"))).isEqualTo("unknown_tool policy not_sent");
            }
            assertThat(gateway.breakers().find(BreakerName.of("one").tool("echo")))
                    .as("a breaker has the tool's own name")
                    .isPresent();
        }
    }

    /// Many servers take the last of two members with one name, and it would be a tool that nobody looked at.
    @Test
    void a_call_that_names_a_second_tool_in_disguise_reaches_no_server() {
        ToolFilter filter = new ToolFilter(List.of("*"), List.of("fail"));
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.of("one", SingleServerHarness.script(Era.MODERN))
                                .policy(old -> new ServerPolicy(
                                        old.timeout(),
                                        filter,
                                        old.toolRenaming(),
                                        old.retrySafety(),
                                        old.toolRetrySafety(),
                                        null,
                                        Long.MAX_VALUE)))
                        .open();
                HttpWire client = gateway.client()) {
            for (String second : List.of("name", "Name", "n\\u0061me")) {
                String tool = ",\"name\":\"one__echo\",\"" + second + "\":\"fail\",\"arguments\":{}";
                JsonView answer = client.answer(Messages.stateless(1, "tools/call", Messages.PLAIN, tool));
                assertThat(Messages.at(answer, "error", "code").json()).isEqualTo("-32600");
            }
            assertThat(Messages.said(
                            client.answer(Messages.call(2, Messages.PLAIN, "one__count", "{\"tool\":\"fail\"}"))))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void prompts_are_listed_and_filled_under_the_name_of_their_server(Manner manner) {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient gatewayClient = at(gateway, manner);
            assertThat(gatewayClient.names("prompts/list", "prompts", "name"))
                    .contains("old__test_simple_prompt", "new__test_simple_prompt");
            JsonView filled = gatewayClient.ask(
                    "prompts/get",
                    ",\"name\":\"new__test_prompt_with_arguments\","
                            + "\"arguments\":{\"arg1\":\"eins\",\"arg2\":\"zwei\"}");
            assertThat(filled.json()).contains("arg1='eins', arg2='zwei'");
            assertThat(gatewayClient
                            .ask("prompts/get", ",\"name\":\"new__none\"")
                            .member("error"))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_completes_an_argument_is_asked_of_the_server_that_has_the_prompt_or_the_template(Manner manner) {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient gatewayClient = at(gateway, manner);
            String typed = ",\"argument\":{\"name\":\"arg1\",\"value\":\"par\"}";
            String prompt = ",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"new__test_prompt_with_arguments\"}";
            String template = ",\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://template/{id}/data\"}";
            for (String ref : List.of(prompt, template)) {
                JsonView answer = gatewayClient.ask("completion/complete", ref + typed);
                assertThat(Messages.at(answer, "result", "completion", "values").json())
                        .as(answer.json())
                        .isEqualTo("[\"park\",\"party\"]");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void uri_of_two_servers_belongs_to_the_first_and_is_explicit_for_the_second(Manner manner) {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient gatewayClient = at(gateway, manner);
            assertThat(gatewayClient.names("resources/list", "resources", "uri"))
                    .contains(TEXT, OF_NEW)
                    .doesNotHaveDuplicates();
            assertThat(read(gatewayClient, TEXT)).contains("the static text resource");
            assertThat(read(gatewayClient, OF_NEW)).contains("the static text resource");
            assertThat(read(gatewayClient, "test://template/7/data")).contains("Data for ID: 7");
            JsonView missing = gatewayClient.ask("resources/read", ",\"uri\":\"test://nowhere\"");
            assertThat(Messages.text(missing, "error", "message")).contains("test://nowhere");
        }
    }

    private static String read(GatewayClient gatewayClient, String uri) {
        return Messages.at(gatewayClient.ask("resources/read", ",\"uri\":\"" + uri + "\""), "result")
                .json();
    }

    @Test
    void subscriber_receives_updates_of_its_server_only() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient gatewayClient = at(gateway, Manner.STATELESS);
            GatewayClient other = GatewayClient.of(gateway);
            try (Wire.Stream stream = watching(gatewayClient, "fusebox://new/test%3A%2F%2Fwatched-resource")) {
                other.call("old__touch", "{\"uri\":\"test://watched-resource\"}");
                other.call("new__touch", "{\"uri\":\"test://watched-resource\"}");
                JsonView told = Objects.requireNonNull(stream.next());
                assertThat(Messages.text(told, "params", "uri"))
                        .isEqualTo("fusebox://new/test%3A%2F%2Fwatched-resource");
                // The gateway listens, too, under an id of its own, which is none of the client's.
                assertThat(Messages.at(told, "params", "_meta").json()).containsOnlyOnce("subscriptionId");
            }
        }
    }

    /// Listens for these, once the last of them is granted: a busy machine may need more than the second there is.
    private static Wire.Stream watching(GatewayClient gatewayClient, String... addresses) {
        String last = addresses[addresses.length - 1];
        String filter = "{\"resourceSubscriptions\":[\"" + String.join("\",\"", addresses) + "\"]}";
        for (int attempt = 0; attempt < 20; attempt++) {
            Wire.Stream stream = gatewayClient.wire().open(Messages.listen(900 + attempt, filter));
            String agreed = Objects.requireNonNull(stream.next()).json();
            assertThat(agreed).contains("notifications/subscriptions/acknowledged");
            if (agreed.contains("\"resourceSubscriptions\":[\"" + last + "\"]")) {
                return stream;
            }
            stream.close();
        }
        throw new AssertionError(last + " is not granted");
    }

    @Test
    void hanging_server_does_not_delay_lists_of_other_servers() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server("mute", SingleServerHarness.script(Era.LEGACY, "hang-on-initialize"))
                .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            gatewayClient.eventuallySees("good__echo");
            String good = "fusebox://good/test%3A%2F%2Fwatched-resource";
            watching(gatewayClient, good).close();
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            watching(gatewayClient, "fusebox://mute/a%3Ab", good).close();
            // A second, with room for a busy machine; the server itself has twenty.
            assertThat(Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun))
                    .isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void a_server_that_counts_as_down_is_not_started_to_be_listened_to() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("down", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            gateway.breakers().breaker("down").forceOpen("maintenance");
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            String filter = "{\"resourceSubscriptions\":[\"fusebox://down/a%3Ab\"]}";
            try (Wire.Stream stream = gatewayClient.wire().open(Messages.listen(900, filter))) {
                assertThat(Objects.requireNonNull(stream.next()).json())
                        .contains("acknowledged")
                        .doesNotContain("down");
                assertThat(gateway.processes()).isEmpty();
            }
        }
    }

    @Test
    void resource_update_is_sent_for_each_subscribed_uri() {
        try (GatewayHarness gateway = two().open()) {
            GatewayClient gatewayClient = at(gateway, Manner.STATELESS);
            GatewayClient other = GatewayClient.of(gateway);
            String explicit = "fusebox://old/test%3A%2F%2Fwatched-resource";
            for (String address : List.of("test://watched-resource", explicit)) {
                try (Wire.Stream stream = watching(gatewayClient, address)) {
                    other.call("old__touch", "{\"uri\":\"test://watched-resource\"}");
                    assertThat(Messages.text(Objects.requireNonNull(stream.next()), "params", "uri"))
                            .isEqualTo(address);
                }
            }
        }
    }

    @Test
    void a_server_that_cannot_be_called_answers_why_and_one_that_there_is_not_is_named() {
        String awaiting = "waiting needs variables that are not set: TOKEN";
        try (GatewayHarness gateway = two().absent(new UnavailableServer(
                        "off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled in the configuration")))
                .absent(new UnavailableServer("waiting", CallFailure.policy(ErrorId.SERVER_DISABLED, awaiting)))
                .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            assertThat(Messages.kind(gatewayClient.call("off__any", "{}")))
                    .isEqualTo("server_disabled policy not_sent");
            assertThat(Messages.said(gatewayClient.call("off__any", "{}"))).contains("disabled in the configuration");
            assertThat(Messages.said(gatewayClient.call("waiting__any", "{}"))).isEqualTo(awaiting);
            assertThat(Messages.kind(gatewayClient.call("nobody__any", "{}")))
                    .isEqualTo("unknown_server policy not_sent");
            assertThat(Messages.said(gatewayClient.call("nobody__any", "{}"))).contains("\"nobody\"");
            for (String server : List.of("off", "waiting", "nobody")) {
                JsonView named =
                        Messages.at(gatewayClient.call(server + "__any", "{}"), "result", "_meta", "fusebox/error");
                assertThat(named.string("server")).isEqualTo(server);
                assertThat(named.string("tool")).isEqualTo("any");
            }
            gatewayClient.eventuallySees("old__echo");
            assertThat(Messages.kind(gatewayClient.call("old__any", "{}"))).isEqualTo("unknown_tool policy not_sent");
            assertThat(Messages.at(gatewayClient.call("old__any", "{}"), "result", "_meta", "fusebox/error", "tool"))
                    .hasToString("\"any\"");
            assertThat(Messages.kind(gatewayClient.call("no-server-at-all", "{}")))
                    .isEqualTo("unknown_tool policy not_sent");
            assertThat(gatewayClient.ask("tools/call", ",\"arguments\":{}").member("error"))
                    .isNotNull();
        }
    }

    @Test
    void a_tool_is_never_unknown_only_because_its_server_is_just_saying_what_it_has() {
        for (int round = 0; round < 50; round++) {
            try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                    GatewayHarness gateway = GatewayHarness.plan()
                            .server(TestServer.at("shop", controlledServer.uri()))
                            .open()) {
                GatewayClient gatewayClient = GatewayClient.of(gateway);
                for (int call = 0; call < 5; call++) {
                    assertThat(Messages.said(gatewayClient.call("shop__work", "{}")))
                            .as("round %d, call %d", round, call)
                            .isEqualTo("done");
                }
            }
        }
    }

    @Test
    void arguments_are_checked_and_tools_are_judged_though_no_client_has_asked_for_a_list() {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("shop", controlledServer.uri()))
                        .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            assertThat(Messages.said(gatewayClient.call("shop__work", "{}"))).isEqualTo("done");
            eventually("the arguments are refused by the new schema", () -> {
                JsonView answer = gatewayClient.call("shop__work", "{\"n\":\"one\"}");
                return answer.json().contains("invalid_arguments");
            });
            gatewayClient.call("shop__work", "{\"n\":1}");
            assertThat(gateway.breakers().find(BreakerName.of("shop").tool("work")))
                    .isPresent();
        }
    }
}
