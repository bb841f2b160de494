package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.era.CountingServer;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// An operator restarts a server while it works on a call.
@Tag("process")
@Timeout(60)
class RestartedCallTest {
    private static final String STATS = "{\"server\":\"busy\",\"tool\":\"stats\"}";
    private static final ExposurePolicy BOTH = new ExposurePolicy(true, Set.of(), List.of(new CallTool()));

    @ParameterizedTest
    @EnumSource
    void a_call_that_a_restart_ended_has_the_shape_of_all_failed_calls(EitherClient.Way way) throws Exception {
        JsonView answer = answerTo(way, client -> client.callThrough("busy", "hang", "{\"n\":1}"));

        JsonView result = Messages.at(answer, "result");
        JsonView error = Messages.at(result, "structuredContent", "error");
        assertThat(Messages.kind(answer)).isEqualTo("server_restarted local unknown");
        assertThat(error.string("code")).isEqualTo("server_restarted");
        assertThat(error.string("id")).isEqualTo("server-restarted");
        assertThat(Messages.at(result, "content").elements())
                .as("one sentence, and nothing twice")
                .hasSize(1);
        assertThat(Messages.said(answer)).contains("restarted by an operator", "the call may have been executed");
    }

    /// The structure of its result is the tool's own.
    @ParameterizedTest
    @EnumSource
    void a_call_by_the_name_that_clients_see_has_the_object_in_its_metadata(EitherClient.Way way) throws Exception {
        JsonView answer = answerTo(way, client -> client.call("busy__hang", "{\"n\":1}"));

        assertThat(Messages.kind(answer)).isEqualTo("server_restarted local unknown");
        assertThat(Messages.text(answer, "result", "_meta", "fusebox/error", "id"))
                .isEqualTo("server-restarted");
        assertThat(Messages.at(answer, "result", "isError").isTrue()).isTrue();
        assertThat(Messages.said(answer)).contains("restarted by an operator", "the call may have been executed");
    }

    /// @param hanging calls the tool `hang`, during which the server is restarted
    private static JsonView answerTo(EitherClient.Way way, Function<EitherClient, JsonView> hanging) throws Exception {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .process("busy", CountingServer.spec())
                        .exposure(BOTH)
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            client.callThrough("busy", "stats", "{}");
            UpstreamServer busy = gateway.server("busy");
            FutureTask<JsonView> call = new FutureTask<>(() -> hanging.apply(client));
            Thread.ofVirtual().start(call);
            GatewayClient observer = GatewayClient.of(gateway);
            eventually(
                    "the server has received the call",
                    () -> Messages.said(observer.call("mcp_call", STATS)).equals(CountingServer.inOrder(1)));

            busy.controls().restart();

            return call.get(30, TimeUnit.SECONDS);
        }
    }
}
