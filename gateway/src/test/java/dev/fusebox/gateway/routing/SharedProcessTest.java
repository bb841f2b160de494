package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.upstream.ProcessSharing;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process that several sessions share as long as their server asks nothing.
@Tag("process")
@Timeout(120)
class SharedProcessTest {
    private static final ConnectionSharing ADAPTIVE = new ConnectionSharing(Isolation.ADAPTIVE, 1);

    /// Logs an error in each call, whatever level it was told.
    private static final String TALKER = """
            import sys, json
            def say(m): sys.stdout.write(json.dumps(m) + '\\n'); sys.stdout.flush()
            for line in sys.stdin:
                m = json.loads(line)
                method = m.get('method')
                if method == 'initialize':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'protocolVersion': '2025-11-25',
                        'capabilities': {'tools': {}, 'logging': {}}, 'serverInfo': {'name': 'p', 'version': '1'}}})
                elif method == 'tools/list':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'tools': [
                        {'name': 'talk', 'inputSchema': {'type': 'object'}}]}})
                elif method == 'tools/call':
                    say({'jsonrpc': '2.0', 'method': 'notifications/message',
                        'params': {'level': 'error', 'data': 'x'}})
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content': [{'type': 'text', 'text': 'said'}]}})
                elif 'id' in m:
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {}})
            """;

    private static GatewayHarness.Plan shared(Era era) {
        return GatewayHarness.plan()
                .server("one", SingleServerHarness.script(era))
                .connectionSharing("one", ADAPTIVE);
    }

    private static HttpWire session(GatewayHarness gateway, String capabilities) {
        HttpWire client = gateway.client();
        client.hello(capabilities);
        return client;
    }

    private static @Nullable JsonView restarted(HttpWire client, int id) {
        return client.answer(Messages.sessionCall(id, "one__echo", "{}")).path("result", "_meta", "fusebox/restarted");
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void each_session_that_has_used_a_crashed_shared_process_is_told_once_that_state_is_lost(Era era) {
        List<LifecycleEvent> events = new CopyOnWriteArrayList<>();
        GatewayHarness.Plan plan = shared(era).lifecycleListener((server, event) -> events.add(event));
        try (GatewayHarness gateway = plan.open();
                HttpWire ada = session(gateway, Messages.PLAIN);
                HttpWire ben = session(gateway, Messages.PLAIN);
                HttpWire eve = session(gateway, Messages.PLAIN)) {
            assertThat(restarted(ada, 1)).isNull();
            assertThat(restarted(ben, 1)).isNull();
            assertThat(gateway.processes()).hasSize(1);
            ada.answer(Messages.sessionCall(2, "one__crash", "{}"));

            assertThat(restarted(eve, 1)).as("it had used no process").isNull();
            for (HttpWire user : List.of(ada, ben)) {
                JsonView told = Objects.requireNonNull(restarted(user, 3));
                assertThat(told.string("server")).isEqualTo("one");
                assertThat(told.string("reason")).isEqualTo("crashed");
                assertThat(restarted(user, 4)).isNull();
            }
            assertThat(restarted(eve, 2)).isNull();
            assertThat(events.stream().filter(LifecycleEvent.StateLost.class::isInstance))
                    .hasSize(1);
        }
    }

    @Test
    void log_messages_of_a_process_reach_its_only_user_and_no_client_when_there_are_several() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .process("one", ChildSpec.of("python3", "-S", "-E", "-c", TALKER))
                        .connectionSharing("one", ADAPTIVE)
                        .open();
                HttpWire ada = session(gateway, Messages.PLAIN);
                HttpWire ben = session(gateway, Messages.PLAIN)) {
            assertThat(Messages.methods(level(ada, 1))).containsExactly("answer");
            assertThat(Messages.methods(level(ben, 1))).containsExactly("answer");

            assertThat(Messages.methods(talk(ada, 2))).containsExactly("notifications/message", "answer");
            assertThat(Messages.methods(talk(ben, 2))).containsExactly("answer");
            assertThat(Messages.methods(talk(ada, 3))).containsExactly("answer");
            assertThat(gateway.processes()).hasSize(1);
            assertThat(sharing(gateway).getFirst().notOffered()).containsExactly("logging");
            assertThat(level(ada, 4).toString())
                    .contains("log messages outside of calls are not delivered from one: clients share its processes");
        }
    }

    private static List<JsonView> level(HttpWire client, int id) {
        return client.ask(Messages.request(id, "logging/setLevel", "{\"level\":\"error\"}"));
    }

    private static List<JsonView> talk(HttpWire client, int id) {
        return client.ask(Messages.sessionCall(id, "one__talk", "{}"));
    }

    private static List<ProcessSharing> sharing(GatewayHarness gateway) {
        return gateway.servers().snapshots().getFirst().sharing().processes();
    }

    @Test
    void snapshot_names_the_clients_that_have_called_each_process_and_what_it_was_not_offered() {
        try (GatewayHarness gateway = shared(Era.LEGACY).open();
                HttpWire ada = session(gateway, Messages.PLAIN);
                HttpWire ben = session(gateway, "{\"experimental\":{}}");
                HttpWire eve = session(gateway, Messages.PLAIN)) {
            assertThat(restarted(ada, 1)).isNull();
            assertThat(restarted(ben, 1)).isNull();
            assertThat(eve.ask(Messages.request(1, "tools/list", "{}"))).hasSize(1);

            assertThat(sharing(gateway))
                    .containsExactly(new ProcessSharing(2, List.of("test", "test"), List.of("experimental")));
            ben.leave();
            assertThat(sharing(gateway)).containsExactly(new ProcessSharing(1, List.of("test"), List.of()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "SESSION"})
    void snapshot_names_the_clients_that_have_called_a_server_that_is_not_grouped(Isolation isolation) {
        try (GatewayHarness gateway = shared(Era.LEGACY)
                        .connectionSharing("one", new ConnectionSharing(isolation, 1))
                        .open();
                HttpWire ada = session(gateway, Messages.PLAIN);
                HttpWire ben = session(gateway, Messages.PLAIN);
                HttpWire eve = session(gateway, Messages.PLAIN)) {
            assertThat(restarted(ada, 1)).isNull();
            assertThat(restarted(ben, 1)).isNull();
            assertThat(eve.ask(Messages.request(1, "tools/list", "{}"))).hasSize(1);

            ProcessSharing all = new ProcessSharing(2, List.of("test", "test"), List.of());
            ProcessSharing one = new ProcessSharing(1, List.of("test"), List.of());
            assertThat(sharing(gateway)).isEqualTo(isolation == Isolation.SHARED ? List.of(all) : List.of(one, one));
        }
    }
}
