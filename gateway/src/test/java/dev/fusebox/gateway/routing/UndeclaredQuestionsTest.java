package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.routing.ControlledServer.Reply;
import dev.fusebox.gateway.routing.EitherClient.Way;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A client is asked only what it declared that it answers, whatever a server asks; and the failure of a call
/// between its questions names server and tool, as every failure does.
///
/// Over five seconds: servers are processes.
@Tag("process")
@Timeout(60)
@ParameterizedClass
@EnumSource(
        value = Isolation.class,
        names = {"SESSION", "ADAPTIVE"})
class UndeclaredQuestionsTest {
    @Parameter
    Isolation isolation = Isolation.SESSION;

    private static final String ONLY_ROOTS = "{\"roots\":{}}";
    private static final String ASKS =
            "{\"resultType\":\"input_required\",\"requestState\":\"mine\",\"inputRequests\":{\"q\":{\"method\":"
                    + "\"elicitation/create\",\"params\":{\"message\":\"password?\",\"requestedSchema\":"
                    + "{\"type\":\"object\",\"properties\":{}}}}}}";

    /// Asks when it is called, and gives the answer as its result.
    private static final String ASKS_WHEN_CALLED = """
            if method == 'tools/call':
                state['call'] = m['id']
                say({'jsonrpc': '2.0', 'id': 'q', 'method': 'elicitation/create', 'params': {'message': 'password?',
                    'requestedSchema': {'type': 'object', 'properties': {}}}})
            else:
                say({'jsonrpc': '2.0', 'id': state['call'], 'result': {'content': [
                    {'type': 'text', 'text': json.dumps(m.get('error', m.get('result')))}]}})
            """;

    private final List<JsonView> asked = new ArrayList<>();

    private EitherClient client(GatewayHarness gateway, Way way) {
        EitherClient client = new EitherClient(gateway, way, ONLY_ROOTS);
        client.wire().answering(question -> {
            asked.add(question);
            return "{\"action\":\"accept\",\"content\":{}}";
        });
        return client;
    }

    private GatewayHarness.Plan plan() {
        return GatewayHarness.plan()
                .connectionSharing("jira", new ConnectionSharing(isolation, 1))
                .exposure(new ExposurePolicy(true, Set.of(), List.of(new CallTool())));
    }

    private static JsonView said(JsonView answer) {
        return Messages.at(answer, "result", "_meta", "fusebox/error");
    }

    @ParameterizedTest
    @EnumSource
    void session_server_gets_an_error_if_the_client_lacks_the_capability(Way way) {
        try (GatewayHarness gateway = plan().process(
                                "jira", EitherClient.server("[" + EitherClient.tool("work") + "]", ASKS_WHEN_CALLED))
                        .open();
                EitherClient client = client(gateway, way)) {
            JsonView answer = client.call("jira__work", "{}");
            assertThat(Messages.said(answer)).contains("-32601");
            assertThat(asked).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void call_of_a_stateless_server_that_asks_a_client_what_it_did_not_declare_is_ended(Way way) {
        try (ControlledServer controlledServer = ControlledServer.of(Reply.result(ASKS));
                GatewayHarness gateway = plan().server(TestServer.at("jira", controlledServer.uri()))
                        .open();
                EitherClient client = client(gateway, way)) {
            for (JsonView answer : List.of(client.call("jira__work", "{}"), client.callThrough("jira", "work", "{}"))) {
                assertThat(Messages.kind(answer)).isEqualTo("protocol_violation policy rejected");
                assertThat(Messages.text(said(answer), "server")).isEqualTo("jira");
                assertThat(Messages.text(said(answer), "tool")).isEqualTo("work");
                assertThat(Messages.said(answer))
                        .contains("\"elicitation/create\"")
                        .contains("did not declare");
            }
            assertThat(asked).isEmpty();
            assertThat(controlledServer.calls()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"SESSION_HTTP", "SESSION_STDIO"})
    void failure_between_questions_names_server_and_tool(Way way) {
        try (ControlledServer controlledServer = ControlledServer.of(Reply.result("{\"resultType\":\"strange\"}"));
                GatewayHarness gateway = plan().server(TestServer.at("jira", controlledServer.uri()))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            for (JsonView answer : List.of(client.call("jira__work", "{}"), client.callThrough("jira", "work", "{}"))) {
                assertThat(Messages.kind(answer)).isEqualTo("protocol_violation protocol rejected");
                assertThat(Messages.text(said(answer), "server")).isEqualTo("jira");
                assertThat(Messages.text(said(answer), "tool")).isEqualTo("work");
            }
        }
    }
}
