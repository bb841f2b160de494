package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Several real servers behind one address, and clients of both eras before it. Over five seconds: five calls in a
/// row take all the time that they have.
@Tag("process")
@Timeout(120)
class ManyServersTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    /// Who calls.
    enum Client {
        SESSION,
        STATELESS;

        HttpWire at(GatewayHarness gateway) {
            HttpWire wire = gateway.client();
            if (this == SESSION) {
                wire.hello(Messages.PLAIN);
            }
            return wire;
        }

        String call(int id, String tool, String arguments) {
            return this == SESSION
                    ? Messages.sessionCall(id, tool, arguments)
                    : Messages.call(id, Messages.PLAIN, tool, arguments);
        }

        String request(int id, String method, String members) {
            return this == SESSION
                    ? Messages.request(id, method, "{" + (members.isEmpty() ? "" : members.substring(1)) + "}")
                    : Messages.stateless(id, method, Messages.PLAIN, members);
        }
    }

    private static List<String> names(JsonView answer, String list, String key) {
        return Messages.at(answer, "result", list).elements().stream()
                .map(item -> Objects.requireNonNull(item.string(key)))
                .toList();
    }

    private static List<String> tools(Client kind, HttpWire client) {
        return names(client.answer(kind.request(1, "tools/list", "")), "tools", "name");
    }

    @ParameterizedTest
    @EnumSource
    void tools_of_all_servers_are_listed_and_called_under_the_name_of_their_server(Client kind) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .server("new", SingleServerHarness.script(Era.MODERN))
                .open()) {
            HttpWire client = kind.at(gateway);
            // A list waits for slow servers for a second at most, which a busy machine may need to start them.
            eventually(
                    "tools old__echo and new__echo are listed",
                    () -> assertThat(tools(kind, client)).containsAll(List.of("old__echo", "new__echo")));
            for (String server : List.of("old", "new")) {
                JsonView answer = client.answer(kind.call(2, server + "__echo", "{\"text\":\"to " + server + "\"}"));
                assertThat(Messages.said(answer)).contains("to " + server);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void hanging_server_trips_only_its_own_breaker(Client kind) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server("bad", SingleServerHarness.script(Era.LEGACY, "hang"), ManyServersTest::patient, SHORT)
                .open()) {
            HttpWire client = kind.at(gateway);
            // Its process is there: on a busy machine the start alone takes longer than a call may.
            eventually(
                    "tool bad__echo is listed",
                    () -> assertThat(tools(kind, client)).contains("bad__echo"));
            for (int i = 0; i < 5; i++) {
                String call = kind.call(10 + i, "bad__echo", "{\"text\":\"x\"}");
                // A busy machine may need all of its time before it sends the call, which then counts nowhere.
                eventually(
                        "a call that was sent times out",
                        () -> assertThat(Messages.kind(client.answer(call))).isEqualTo("timeout offline unknown"));
                assertThat(Messages.said(client.answer(kind.call(20 + i, "good__echo", "{\"text\":\"x\"}"))))
                        .contains("x");
            }
            assertThat(gateway.state("good")).isEqualTo(State.CLOSED);
        }
    }

    /// A busy machine takes its time to answer a ping, and a server that does not is ended.
    private static PipelineRules patient(PipelineRules usual) {
        return usual.withPing(SingleServerHarness.SOON);
    }

    @ParameterizedTest
    @EnumSource
    void server_that_crashes_at_start_is_started_as_often_as_the_breaker_allows(Client kind, @TempDir Path folder)
            throws IOException {
        Path starts = folder.resolve("starts");
        ChildSpec dead = ChildSpec.of("/bin/sh", "-c", "echo start >> '" + starts + "'; exit 3");
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server(TestServer.of("dead", dead).restartedByCalls())
                .open()) {
            HttpWire client = kind.at(gateway);
            int calls = 0;
            while (gateway.state("dead") != State.OPEN) {
                assertThat(Messages.kind(client.answer(kind.call(10 + calls, "dead__echo", "{}"))))
                        .isEqualTo("server_crashed stdio-exit not_sent");
                assertThat(++calls).isLessThanOrEqualTo(5);
            }
            // A call starts it once without and once with a handshake, as long as it is not known which it wants;
            // a death that a busy machine notices too late is counted by nobody.
            int started = Files.readAllLines(starts).size();
            assertThat(started).isBetween(5, 2 * calls);
            JsonView refused = client.answer(kind.call(20, "dead__echo", "{}"));
            assertThat(Messages.kind(refused)).isEqualTo("breaker_open stdio-exit not_sent");
            assertThat(Files.readAllLines(starts)).hasSize(started);
            eventually(
                    "tool good__echo is listed",
                    () -> assertThat(tools(kind, client)).contains("good__echo"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_failed_call_names_the_others_with_such_a_tool_in_their_order(Client kind) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .process("dead", ChildSpec.of("/bin/sh", "-c", "exit 3"))
                .server("second", SingleServerHarness.script(Era.LEGACY))
                .server("third", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            HttpWire client = kind.at(gateway);
            eventually(
                    "tools second__echo and third__echo are listed",
                    () -> assertThat(tools(kind, client)).containsAll(List.of("second__echo", "third__echo")));
            assertThat(alternatives(client.answer(kind.call(2, "dead__echo", "{}"))))
                    .containsExactly("second", "third");
            assertThat(alternatives(client.answer(kind.call(3, "dead__unheard-of", "{}"))))
                    .isEmpty();
        }
    }

    /// The servers outlive a session, so nothing else would end what it left behind.
    @Test
    void calls_of_a_session_that_has_ended_give_their_places_back(@TempDir Path folder) throws Exception {
        Path journal = folder.resolve("journal");
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(
                        "narrow",
                        SingleServerHarness.noting(journal, Era.LEGACY, "hang@1"),
                        ManyServersTest::oneAtOnce,
                        SingleServerHarness.SOON.multipliedBy(3))
                .open()) {
            HttpWire leaving = Client.SESSION.at(gateway);
            HttpWire staying = Client.SESSION.at(gateway);
            Thread left = Thread.ofVirtual()
                    .start(() -> leaving.open(Client.SESSION.call(1, "narrow__echo", "{\"text\":\"x\"}"))
                            .close());
            String call = Client.SESSION.call(2, "narrow__echo", "{\"text\":\"y\"}");
            eventually(
                    "the call is executed once",
                    () -> assertThat(executed(journal)).isEqualTo(1));
            assertThat(Messages.kind(staying.answer(call))).isEqualTo("overloaded local not_sent");
            leaving.leave();
            eventually(
                    "the client that stays is answered",
                    () -> assertThat(Messages.said(staying.answer(call))).contains("y"));
            assertThat(left.join(SingleServerHarness.SOON)).isTrue();
        }
    }

    private static long executed(Path journal) {
        try {
            return Files.exists(journal) ? Files.readAllLines(journal).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PipelineRules oneAtOnce(PipelineRules usual) {
        return usual.with(new FairBulkhead.Limits(1, 0, 1 << 20));
    }

    private static List<String> alternatives(JsonView answer) {
        JsonView named = Messages.at(answer, "result", "_meta", "fusebox/error").member("alternatives");
        return named == null
                ? List.of()
                : named.elements().stream()
                        .map(other -> Objects.requireNonNull(other.string("server")))
                        .toList();
    }

    @Test
    void server_that_crashes_with_every_call_of_a_tool_stays_in_use_and_the_tool_is_rejected() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("fragile", SingleServerHarness.script(Era.LEGACY, "crash-before"))
                        .crashing())
                .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            gatewayClient.eventuallySees("fragile__echo");
            // A call that only reads is made again on a fresh process, which dies as well.
            for (int i = 0; i < 2; i++) {
                assertThat(gatewayClient.failure("fragile__echo")).startsWith("server_crashed stdio-exit");
            }
            assertThat(gatewayClient.failure("fragile__echo")).startsWith("tool_breaker_open stdio-exit");
            assertThat(gateway.state("fragile")).isEqualTo(State.CLOSED);
        }
    }

    @Test
    void parameters_that_are_no_object_are_an_error_of_the_client() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            HttpWire client = Client.SESSION.at(gateway);
            JsonView answer = client.answer(Messages.request(1, "tools/call", "[1]"));
            assertThat(Messages.at(answer, "error", "code").json()).isEqualTo("-32602");
        }
    }
}
