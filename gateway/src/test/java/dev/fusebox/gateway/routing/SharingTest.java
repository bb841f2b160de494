package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.config.PoolRules;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Several processes of one server, for calls at the same time and for clients that want one to themselves.
///
/// Over five seconds: many processes are started.
@Tag("process")
@Timeout(120)
class SharingTest {
    private static final ConnectionSharing APART = new ConnectionSharing(Isolation.SESSION, 1);
    private static final String ACCEPTED = "{\"action\":\"accept\",\"content\":{\"answer\":\"%s\"}}";

    private static ConnectionSharing instances(int most) {
        return new ConnectionSharing(Isolation.SHARED, most);
    }

    private static GatewayHarness.Plan one(Era era, ConnectionSharing connectionSharing) {
        return GatewayHarness.plan()
                .server("one", SingleServerHarness.script(era))
                .connectionSharing("one", connectionSharing);
    }

    private static Future<JsonView> begun(GatewayHarness gateway, String tool, String arguments) {
        GatewayClient gatewayClient = GatewayClient.of(gateway);
        FutureTask<JsonView> call = new FutureTask<>(() -> gatewayClient.call(tool, arguments));
        Thread.ofVirtual().start(call);
        return call;
    }

    /// Calls that are under way together, when so many processes have them.
    private static List<Future<JsonView>> busy(GatewayHarness gateway, int calls, int processes) {
        List<Future<JsonView>> begun = new ArrayList<>();
        for (int i = 1; i <= calls; i++) {
            int together = i;
            eventually("enough processes are running", () -> {
                // On a machine that stood still some may be answered before they are as many as they should be.
                if (begun.stream().filter(call -> !call.isDone()).count() < together) {
                    begun.add(begun(gateway, "one__slow", "{\"ms\":2000}"));
                }
                assertThat(gateway.processes()).hasSizeGreaterThanOrEqualTo(Math.min(together, processes));
            });
        }
        return begun;
    }

    private static void awaitDone(List<Future<JsonView>> calls) throws InterruptedException, ExecutionException {
        for (Future<JsonView> call : calls) {
            assertThat(Messages.said(call.get())).isEqualTo("waited 2000 ms");
        }
    }

    private static void know(GatewayHarness gateway) {
        assertThat(Messages.said(GatewayClient.of(gateway).call("one__echo", "{\"text\":\"here\"}")))
                .isEqualTo("here");
        gateway.eventuallyKnows("one");
        UpstreamServer server = gateway.server("one");
        eventually("the server is at rest", server::isAtRest);
    }

    // ---- Instances

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void calls_one_after_the_other_stay_with_one_of_three_processes(Era era) {
        try (GatewayHarness gateway = one(era, instances(3)).open()) {
            know(gateway);
            Set<Long> seen = new HashSet<>();
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            for (int i = 0; i < 100; i++) {
                gatewayClient.call("one__echo", "{\"text\":\"x\"}");
                seen.addAll(gateway.processes());
            }
            assertThat(seen).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void calls_at_the_same_time_get_as_many_processes_as_there_may_be_and_the_rest_shares(Era era) throws Exception {
        try (GatewayHarness gateway = one(era, instances(3)).open()) {
            know(gateway);
            List<Future<JsonView>> calls = busy(gateway, 5, 3);
            Set<Long> three = Set.copyOf(gateway.processes());
            awaitDone(calls);
            assertThat(three).hasSize(3);
            assertThat(gateway.processes()).containsExactlyInAnyOrderElementsOf(three);
        }
    }

    @Test
    void where_the_pool_has_no_room_the_process_that_is_there_does() throws Exception {
        PoolRules full = PoolRules.USUAL.withSize(1);
        try (GatewayHarness gateway = one(Era.MODERN, instances(3)).pool(full).open()) {
            know(gateway);
            List<Future<JsonView>> calls = busy(gateway, 3, 1);
            awaitDone(calls);
            assertThat(gateway.processes()).hasSize(1);
            assertThat(gateway.pool().snapshot().totals().refused()).isZero();
        }
    }

    @Test
    void a_second_process_that_has_nothing_to_do_makes_room_for_another_server() throws Exception {
        PoolRules two = PoolRules.USUAL.withSize(2);
        GatewayHarness.Plan plan =
                one(Era.MODERN, instances(2)).server("other", SingleServerHarness.script(Era.MODERN));
        try (GatewayHarness gateway = plan.pool(two).open()) {
            know(gateway);
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            List<Future<JsonView>> calls = busy(gateway, 2, 2);
            awaitDone(calls);
            assertThat(Messages.said(gatewayClient.call("other__echo", "{\"text\":\"room\"}")))
                    .isEqualTo("room");
            assertThat(Messages.said(gatewayClient.call("one__echo", "{\"text\":\"still\"}")))
                    .isEqualTo("still");
            assertThat(gateway.processes().size()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void silent_process_is_ended_and_the_other_continues() throws Exception {
        TestServer testServer =
                TestServer.of("one", SingleServerHarness.script(Era.MODERN)).within(Duration.ofSeconds(8));
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(testServer)
                .connectionSharing("one", instances(2))
                .open()) {
            know(gateway);
            Set<Long> first = Set.copyOf(gateway.processes());
            awaitDone(busy(gateway, 2, 2));
            List<Long> both = gateway.processes();
            assertThat(both).hasSize(2);
            long second = both.stream()
                    .filter(pid -> !first.contains(pid))
                    .findFirst()
                    .orElseThrow();
            stop(second);
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            eventually("the second process has ended while calls go on", () -> {
                gatewayClient.call("one__echo", "{}");
                return !gateway.processes().contains(second);
            });
            assertThat(gateway.processes()).containsAll(first);
            assertThat(Messages.said(gatewayClient.call("one__echo", "{\"text\":\"on\"}")))
                    .isEqualTo("on");
        }
    }

    /// Others keep the lane busy all the time.
    @Test
    void a_process_that_is_silent_is_ended_though_the_other_has_calls() throws Exception {
        TestServer testServer =
                TestServer.of("one", SingleServerHarness.script(Era.MODERN)).within(Duration.ofSeconds(8));
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(testServer)
                .connectionSharing("one", instances(2))
                .open()) {
            know(gateway);
            Set<Long> first = Set.copyOf(gateway.processes());
            awaitDone(busy(gateway, 2, 2));
            long second = gateway.processes().stream()
                    .filter(pid -> !first.contains(pid))
                    .findFirst()
                    .orElseThrow();
            AtomicBoolean over = new AtomicBoolean();
            List<Future<?>> others = callingUntil(over, gateway);
            stop(second);
            eventually(
                    "the second process has ended",
                    () -> assertThat(gateway.processes()).doesNotContain(second));
            over.set(true);
            for (Future<?> other : others) {
                other.get();
            }
            assertThat(gateway.processes()).containsAll(first);
        }
    }

    /// Three, each with a client of its own.
    private static List<Future<?>> callingUntil(AtomicBoolean over, GatewayHarness gateway) {
        List<Future<?>> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            FutureTask<?> calls = new FutureTask<>(() -> callUntil(over, gatewayClient), null);
            callers.add(calls);
            Thread.ofVirtual().start(calls);
        }
        return callers;
    }

    private static void callUntil(AtomicBoolean over, GatewayClient gatewayClient) {
        while (!over.get()) {
            gatewayClient.call("one__slow", "{\"ms\":200}");
        }
    }

    private static void stop(long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    // ---- Isolation

    private static HttpWire able(GatewayHarness gateway, String answer) {
        HttpWire client = gateway.client();
        client.hello(Messages.ABLE);
        client.answering(question -> ACCEPTED.formatted(answer));
        return client;
    }

    private static String said(Wire client, int id, String tool, String arguments) {
        return Messages.said(client.answer(Messages.sessionCall(id, tool, arguments)));
    }

    @ParameterizedTest
    @EnumSource
    void each_session_has_a_server_of_its_own_that_ends_with_it(Era era) {
        try (GatewayHarness gateway = one(era, APART).open();
                HttpWire ada = able(gateway, "Ada");
                HttpWire ben = able(gateway, "Ben")) {
            said(ada, 1, "one__echo", "{}");
            said(ada, 2, "one__echo", "{}");
            said(ben, 1, "one__echo", "{}");
            assertThat(said(ada, 3, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("2");
            assertThat(said(ben, 2, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("1");
            assertThat(gateway.processes()).hasSize(2);
            ben.leave();
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.processes()).hasSize(1));
            assertThat(said(ada, 4, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_server_that_is_a_sessions_own_asks_the_client_of_that_session(Era era) throws Exception {
        try (GatewayHarness gateway = one(era, APART).open();
                HttpWire ada = able(gateway, "Ada");
                HttpWire ben = able(gateway, "Ben")) {
            FutureTask<String> both = new FutureTask<>(() -> said(ada, 1, "one__ask", "{}"));
            Thread.ofVirtual().start(both);
            assertThat(said(ben, 1, "one__ask", "{}")).contains("Ben");
            assertThat(both.get()).contains("Ada");
        }
    }

    @Test
    void questions_of_calls_that_one_session_makes_at_the_same_time_are_all_answered() throws Exception {
        try (GatewayHarness gateway = one(Era.LEGACY, APART).open();
                HttpWire ada = able(gateway, "Ada")) {
            said(ada, 1, "one__echo", "{}");
            List<FutureTask<String>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int id = 2 + i;
                FutureTask<String> call = new FutureTask<>(() -> said(ada, id, "one__ask", "{}"));
                calls.add(call);
                Thread.ofVirtual().start(call);
            }
            for (FutureTask<String> call : calls) {
                assertThat(call.get()).contains("Ada");
            }
            assertThat(gateway.processes()).hasSize(1);
        }
    }

    /// In the stateless era the server could not send it.
    @Test
    void a_server_of_both_eras_sends_its_requests_to_the_session_that_its_process_belongs_to() {
        try (GatewayHarness gateway = one(Era.BOTH, APART).open();
                HttpWire ada = gateway.client()) {
            Set<String> asked = ConcurrentHashMap.newKeySet();
            ada.hello(Messages.ABLE);
            ada.answering(question -> {
                asked.add(String.valueOf(Messages.method(question)));
                return ACCEPTED.formatted("Ada");
            });
            said(ada, 1, "one__echo", "{\"fault\":\"client-request=sampling/createMessage\"}");
            said(ada, 2, "one__echo", "{\"fault\":\"client-request=elicitation/create\"}");
            assertThat(asked).containsExactlyInAnyOrder("sampling/createMessage", "elicitation/create");
            assertThat(gateway.processes()).hasSize(1);
        }
    }

    @Test
    void client_of_a_shared_server_gets_no_server_requests() {
        try (GatewayHarness gateway = one(Era.LEGACY, ConnectionSharing.ONE).open();
                HttpWire ada = able(gateway, "Ada")) {
            assertThat(said(ada, 1, "one__ask", "{}")).doesNotContain("Ada");
        }
    }

    // ---- The only client

    @ParameterizedTest
    @EnumSource
    void the_only_client_is_asked_by_the_only_process(Era era) throws Exception {
        try (GatewayHarness gateway = one(era, APART).open();
                PipedClient only = gateway.onlyClient()) {
            only.wire().hello(Messages.ABLE);
            only.wire().answering(question -> ACCEPTED.formatted("Ada"));
            eventually(
                    "tool one__ask is listed",
                    () -> assertThat(only.wire()
                                    .answer(Messages.request(1, "tools/list", "{}"))
                                    .json())
                            .contains("one__ask"));
            assertThat(said(only.wire(), 2, "one__ask", "{}")).contains("Ada");
            assertThat(gateway.processes()).hasSize(1);
        }
    }

    /// As clients do that speak both eras, before a server that takes no discovery.
    @Test
    void an_only_client_that_discovers_first_and_begins_a_session_then_has_one_process() throws Exception {
        try (GatewayHarness gateway = one(Era.LEGACY, APART).open();
                PipedClient only = gateway.onlyClient()) {
            Wire client = only.wire();
            assertThat(client.answer(Messages.stateless(1, "server/discover", Messages.ABLE, ""))
                            .member("result"))
                    .isNotNull();
            client.hello(Messages.ABLE);
            client.answering(question -> ACCEPTED.formatted("Ada"));
            client.answer(Messages.request(2, "tools/list", "{}"));
            assertThat(said(client, 3, "one__ask", "{}")).contains("Ada");
            assertThat(gateway.processes()).hasSize(1);
        }
    }

    @Test
    void the_only_client_of_the_stateless_era_is_asked_by_the_only_process() throws Exception {
        try (GatewayHarness gateway = one(Era.LEGACY, APART).open();
                PipedClient only = gateway.onlyClient()) {
            Wire client = only.wire();
            JsonView asked = client.answer(Messages.call(1, Messages.ABLE, "one__ask", "{}"));
            assertThat(Messages.text(asked, "result", "resultType")).isEqualTo("input_required");
            List<String> keys = new ArrayList<>();
            Messages.at(asked, "result", "inputRequests").forEachMember((key, question) -> keys.add(key));
            String responses = "{\"" + keys.getFirst() + "\":" + ACCEPTED.formatted("Ada") + "}";
            JsonView done = client.answer(Messages.again(2, "one__ask", Messages.ticket(asked), responses));
            assertThat(Messages.said(done)).contains("Ada");
            assertThat(gateway.processes()).hasSize(1);
        }
    }
}
