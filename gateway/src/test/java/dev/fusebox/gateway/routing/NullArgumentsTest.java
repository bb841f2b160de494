package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.NullPolicy;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A client of either era writes null for an argument that it leaves out; servers of both eras refuse that.
@Tag("process")
@Timeout(60)
class NullArgumentsTest {
    private static final ExposurePolicy BOTH = new ExposurePolicy(true, Set.of(), List.of(new CallTool()));

    /// Answers a call with the arguments that it came with.
    private static ChildSpec mirror() {
        return EitherClient.server(
                "[{\"name\":\"mirror\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
                        + "\"q\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"},"
                        + "\"free\":{\"type\":[\"string\",\"null\"]}},\"required\":[\"q\"]}}]",
                "say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content':"
                        + " [{'type': 'text', 'text': json.dumps(m['params']['arguments'])}]}})");
    }

    private static GatewayHarness open(ControlledServer controlledServer) {
        return GatewayHarness.plan()
                .process("old", mirror())
                .server(TestServer.at("new", controlledServer.uri()))
                .exposure(BOTH)
                .open();
    }

    /// Before its list is known a server judges its arguments alone.
    private static void awaitLists(EitherClient client) {
        eventually(
                "both servers have listed their tools",
                () -> assertThat(client.ask("tools/list", ",\"x\":1").json()).contains("old__mirror", "new__work"));
    }

    private static String code(JsonView answer) {
        return String.valueOf(
                Messages.at(answer, "result", "_meta", "fusebox/error").string("code"));
    }

    @ParameterizedTest
    @EnumSource
    void it_is_left_out_of_the_call(EitherClient.Way way) {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = open(controlledServer);
                EitherClient client = new EitherClient(gateway, way)) {
            awaitLists(client);
            String given = "{\"q\":\"x\",\"n\":null,\"free\":null}";
            String left = "{\"q\": \"x\", \"free\": null}";
            assertThat(Messages.said(client.call("old__mirror", given))).isEqualTo(left);
            assertThat(Messages.said(client.callThrough("old", "mirror", given)))
                    .isEqualTo(left);

            assertThat(Messages.said(client.call("new__work", "{\"n\":null}"))).isEqualTo("done");
            assertThat(Messages.at(Messages.read(controlledServer.called()), "params", "arguments"))
                    .hasToString("{}");
            assertThat(Messages.said(client.callThrough("new", "think", "{\"n\":null,\"more\":1}")))
                    .isEqualTo("done");
            assertThat(Messages.at(Messages.read(controlledServer.called()), "params", "arguments"))
                    .hasToString("{\"more\":1}");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_required_argument_is_no_null_and_where_the_operator_is_strict_no_other_is(EitherClient.Way way) {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = open(controlledServer);
                EitherClient client = new EitherClient(gateway, way)) {
            awaitLists(client);
            assertThat(Messages.said(client.call("old__mirror", "{\"q\":\"x\"}")))
                    .isEqualTo("{\"q\": \"x\"}");
            assertThat(code(client.call("old__mirror", "{\"q\":null}"))).isEqualTo("invalid_arguments");

            gateway.servers().setNullPolicy(NullPolicy.STRICT);
            assertThat(code(client.call("old__mirror", "{\"q\":\"x\",\"n\":null}")))
                    .isEqualTo("invalid_arguments");
            assertThat(code(client.callThrough("new", "work", "{\"n\":null}"))).isEqualTo("invalid_arguments");
            assertThat(controlledServer.calls()).isZero();
        }
    }
}
