package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// F101: calls during which the gateway itself fails, in front of a healthy server.
@Tag("process")
@Timeout(60)
class OwnFaultsTest {
    /// A connection that runs out of stack at calls of the tool `count`.
    private record Deep(Connection real) implements Connection {
        @Override
        public Outcome call(Call call) {
            JsonView tool = call.request().frame().path("params", "name");
            return tool != null && "count".equals(tool.string()) ? deeper(call, 0) : real.call(call);
        }

        private Outcome deeper(Call call, int depth) {
            return depth < 0 ? real.call(call) : deeper(call, depth + 1);
        }

        @Override
        public void sendOneWay(byte[] notification) {
            real.sendOneWay(notification);
        }

        @Override
        public void answer(JsonView answer, RequestId question) {
            real.answer(answer, question);
        }

        @Override
        public boolean isAlive() {
            return real.isAlive();
        }

        @Override
        public long lastReceivedAt() {
            return real.lastReceivedAt();
        }

        @Override
        public long dropped() {
            return real.dropped();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    private static Connector deep(ChildProcesses children) {
        List<String> command = ScriptedServer.stdio(ServerScript.faultless());
        ChildSpec spec = ChildSpec.of(
                command.getFirst(), command.subList(1, command.size()).toArray(String[]::new));
        Connector real = new StdioConnector(PLATFORM, "server", children, spec);
        return (ServerMessageHandler serverMessageHandler) -> switch (real.open(serverMessageHandler)) {
            case Connector.Opened.Connected(Connection connection) ->
                new Connector.Opened.Connected(new Deep(connection));
            case Connector.Opened.Refused refused -> refused;
        };
    }

    @Test
    void stack_overflow_fails_only_its_own_call() {
        try (StdioClient client = StdioClient.over(OwnFaultsTest::deep)) {
            assertThat(Frame.kind(client.call("1", "count", "{}"))).isEqualTo("internal local unknown");
            assertThat(client.echo("2", "still here")).isEqualTo("still here");
            assertThat(Frame.kind(client.ask("3", Frame.statelessCall("3", "", "count", "{}"))))
                    .isEqualTo("internal local unknown");
            assertThat(Frame.text(client.ask("4", Frame.statelessCall("4", "", "echo", "{\"text\":\"still here\"}"))))
                    .isEqualTo("still here");
            assertThat(client.hasLeft()).isFalse();
        }
    }
}
