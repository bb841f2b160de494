package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.PoolRules;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that have to share few places. Who has one, and for how long, is decided in a time that the tests move;
/// the servers are real, and live in real time.
@Tag("process")
@Timeout(120)
class PoolScenarioTest {
    private static final Duration QUEUE = Duration.ofSeconds(10);
    private static final Duration IDLE = Duration.ofMinutes(5);

    /// A server that started at once is idle when it has been unused for so long.
    private static final Duration UNUSED = Duration.ofMillis(500);

    private final ManualTime time = new ManualTime();

    private static PoolRules rules(int size, int reserve, int least) {
        return new PoolRules(
                size,
                new PoolRules.Reserve(reserve, Duration.ofMillis(500)),
                new PoolRules.IdleRules(least, IDLE),
                new PoolRules.Waiting(100, QUEUE));
    }

    private GatewayHarness.Plan plan(PoolRules rules, String... servers) {
        GatewayHarness.Plan plan = GatewayHarness.plan().pool(rules).poolIn(time);
        for (String server : servers) {
            plan.server(server, SingleServerHarness.script(Era.MODERN));
        }
        return plan;
    }

    private static UpstreamServer server(GatewayHarness gateway, String server) {
        return gateway.server(server);
    }

    /// Whoever is telling what it offers just now is looked at again a moment later.
    private void eventuallyRests(GatewayHarness gateway, String server) {
        eventually("%s is idle".formatted(server), () -> {
            time.advance(Duration.ofSeconds(1));
            return server(gateway, server).health().status() == ServerStatus.IDLE;
        });
    }

    /// Says something, and nothing is read any more afterwards.
    private static void use(GatewayHarness gateway, String server) {
        GatewayClient client = GatewayClient.of(gateway);
        assertThat(Messages.said(client.call(server + "__echo", "{\"text\":\"here\"}")))
                .isEqualTo("here");
        gateway.eventuallyIs(server, ServerStatus.ONLINE);
        eventually("the server is at rest", () -> server(gateway, server).isAtRest());
    }

    private static Future<JsonView> begun(GatewayHarness gateway, String tool, String arguments) {
        GatewayClient client = GatewayClient.of(gateway);
        FutureTask<JsonView> call = new FutureTask<>(() -> client.call(tool, arguments));
        Thread.ofVirtual().start(call);
        return call;
    }

    /// A call that is under way at the server, unless the machine stood still.
    private static Future<JsonView> busy(GatewayHarness gateway, String server, long millis) {
        use(gateway, server);
        int before = server(gateway, server).inFlight();
        Future<JsonView> call = begun(gateway, server + "__slow", "{\"ms\":" + millis + "}");
        eventually("one more call is in flight", () -> server(gateway, server).inFlight() > before || call.isDone());
        return call;
    }

    private static JsonView answer(Future<JsonView> call) throws Exception {
        return call.get(60, TimeUnit.SECONDS);
    }

    /// One more waits for a place, and the time may be moved.
    private void awaitWaiting(GatewayHarness gateway, int timers) throws InterruptedException {
        eventually(
                "one call is waiting for a connection",
                () -> assertThat(gateway.pool().snapshot().waiting()).isEqualTo(1));
        time.awaitPending(timers + 1);
    }

    @Test
    void f61_call_without_a_free_slot_waits_and_is_then_rejected_as_overloaded() throws Exception {
        try (GatewayHarness gateway = plan(rules(1, 0, 0), "a", "b").open()) {
            Future<JsonView> slow = busy(gateway, "a", 60_000);
            List<Long> processes = gateway.processes();
            int timers = time.pending();
            Future<JsonView> refused = begun(gateway, "b__echo", "{\"text\":\"x\"}");
            awaitWaiting(gateway, timers);
            time.advance(QUEUE.minusMillis(1));
            assertThat(gateway.pool().snapshot().waiting()).isEqualTo(1);
            time.advance(Duration.ofMillis(1));
            JsonView error = Messages.at(answer(refused), "result", "_meta", "fusebox/error");
            assertThat(error.string("code")).isEqualTo("overloaded");
            assertThat(error.string("outcome")).isEqualTo("not_sent");
            assertThat(Messages.at(error, "retryAfterMs").json()).isNotEqualTo("null");
            assertThat(gateway.processes()).isEqualTo(processes);
            assertThat(slow.isDone()).isFalse();
        }
    }

    @Test
    void f62_reserve_is_used_after_its_timeout_logged_once_and_returned_when_idle() throws Exception {
        try (CapturedLog log = CapturedLog.of(Pool.class);
                GatewayHarness gateway = plan(rules(1, 1, 0), "a", "b").open()) {
            Future<JsonView> slow = busy(gateway, "a", 60_000);
            int timers = time.pending();
            Future<JsonView> other = begun(gateway, "b__echo", "{\"text\":\"reserve\"}");
            awaitWaiting(gateway, timers);
            time.advance(Duration.ofMillis(499));
            assertThat(gateway.pool().snapshot().taken()).isEqualTo(1);
            time.advance(Duration.ofMillis(1));
            assertThat(Messages.said(answer(other))).isEqualTo("reserve");
            eventually(
                    "one connection is taken",
                    () -> assertThat(gateway.pool().snapshot().taken()).isEqualTo(1));
            assertThat(gateway.pool().snapshot().totals().reserved()).isEqualTo(1);
            Future<JsonView> again = begun(gateway, "b__echo", "{\"text\":\"again\"}");
            awaitWaiting(gateway, timers);
            time.advance(Duration.ofMillis(500));
            assertThat(Messages.said(answer(again))).isEqualTo("again");
            assertThat(gateway.pool().snapshot().totals().reserved()).isEqualTo(2);
            assertThat(log.lines().stream().filter(line -> line.contains("the reserve of")))
                    .hasSize(1);
            assertThat(slow.isDone()).isFalse();
        }
    }

    @Test
    void f63_an_unused_one_is_gone_before_another_starts_and_its_tools_stay() throws Exception {
        try (GatewayHarness gateway = plan(rules(2, 0, 0), "a", "b", "c").open()) {
            use(gateway, "a");
            use(gateway, "b");
            List<Integer> most = new ArrayList<>();
            Watch watch = new Watch(gateway, most);
            int timers = time.pending();
            Future<JsonView> third = begun(gateway, "c__echo", "{\"text\":\"room\"}");
            awaitWaiting(gateway, timers);
            time.advance(UNUSED);
            assertThat(Messages.said(answer(third))).isEqualTo("room");
            watch.end();
            assertThat(most).allMatch(running -> running <= 2);
            assertThat(gateway.pool().snapshot().totals().evicted()).isPositive();
            eventually("a server is idle", () -> isAnyServerIdle(gateway));
            gateway.eventuallyKnows("c");
            assertThat(GatewayClient.of(gateway).tools()).contains("a__echo", "b__echo", "c__echo");
        }
    }

    private static boolean isAnyServerIdle(GatewayHarness gateway) {
        return Stream.of("a", "b", "c")
                .anyMatch(server -> server(gateway, server).health().status() == ServerStatus.IDLE);
    }

    /// Counts the processes all the time. Has a thread of its own until it is ended.
    private static final class Watch {
        private final Thread thread;
        private volatile boolean over;

        Watch(GatewayHarness gateway, List<Integer> seen) {
            thread = Thread.ofPlatform().start(() -> {
                while (!over) {
                    seen.add(gateway.processes().size());
                    Thread.onSpinWait();
                }
            });
        }

        void end() {
            over = true;
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }
    }

    @Test
    void f64_calls_in_flight_are_never_ended_regardless_of_their_number() throws Exception {
        try (GatewayHarness gateway = plan(rules(1, 0, 0), "a", "b").open()) {
            Future<JsonView> first = busy(gateway, "a", 2_000);
            Future<JsonView> second = begun(gateway, "a__slow", "{\"ms\":3000}");
            // On a machine that stood still the first has been answered by now, which is as well.
            eventually(
                    "two calls are in flight, or the first is answered",
                    () -> server(gateway, "a").inFlight() == 2 || first.isDone());
            int timers = time.pending();
            Future<JsonView> other = begun(gateway, "b__echo", "{\"text\":\"then\"}");
            awaitWaiting(gateway, timers);
            gateway.reload(
                    List.of(new ReloadAction.Unchanged("a"), new ReloadAction.Unchanged("b")), Duration.ofSeconds(60));
            assertThat(Messages.said(answer(first))).isEqualTo("waited 2000 ms");
            assertThat(Messages.said(answer(second))).isEqualTo("waited 3000 ms");
            eventually("no call is on a", () -> server(gateway, "a").inFlight() == 0);
            time.advance(UNUSED);
            assertThat(Messages.said(answer(other))).isEqualTo("then");
        }
    }

    @Test
    void f64_the_sweep_spares_a_call_that_is_under_way() throws Exception {
        try (GatewayHarness gateway = plan(rules(5, 0, 0), "a").open()) {
            Future<JsonView> slow = busy(gateway, "a", 1_000);
            time.advance(IDLE.multipliedBy(3));
            assertThat(Messages.said(answer(slow))).isEqualTo("waited 1000 ms");
            time.advance(IDLE);
            eventuallyRests(gateway, "a");
        }
    }

    @Test
    void idle_connections_end_except_the_minimum_and_kept_alive_ones() {
        GatewayHarness.Plan plan =
                plan(rules(5, 0, 1), "a", "b", "kept").idlePolicy("kept", new IdlePolicy.KeepAlive(null, false));
        try (GatewayHarness gateway = plan.open()) {
            use(gateway, "kept");
            time.advance(Duration.ofSeconds(1));
            use(gateway, "a");
            time.advance(Duration.ofSeconds(1));
            use(gateway, "b");
            time.advance(IDLE);
            eventuallyRests(gateway, "a");
            eventually(
                    "two connections are taken",
                    () -> assertThat(gateway.pool().snapshot().taken()).isEqualTo(2));
            time.advance(IDLE.multipliedBy(10));
            assertThat(gateway.pool().snapshot().taken()).isEqualTo(2);
            assertThat(gateway.pool().snapshot().totals().expired()).isEqualTo(1);
            assertThat(GatewayClient.of(gateway).tools()).contains("a__echo");
            use(gateway, "a");
        }
    }

    /// Answers the first calls of a process when they are so many, and all others at once.
    private static TestServer answeringTogether(int calls) {
        String onCall = """
                waiting = state.setdefault('waiting', [])
                waiting.append(m['id'])
                for id in waiting if m['params']['name'] == 'echo' or len(waiting) == %d else []:
                    say({'jsonrpc': '2.0', 'id': id, 'result': {'content': [{'type': 'text', 'text': 'here'}]}})
                """.formatted(calls);
        String tools = "[" + EitherClient.tool("together") + "," + EitherClient.tool("echo") + "]";
        return TestServer.of("brief", EitherClient.server(tools, onCall)).with(EraPolicy.SESSION);
    }

    @Test
    void f59_f65_ephemeral_server_serves_concurrent_calls_with_one_process_and_ends() throws Exception {
        GatewayHarness.Plan plan = plan(rules(5, 0, 0))
                .server(answeringTogether(50))
                .idlePolicy("brief", new IdlePolicy.Ephemeral(Duration.ZERO));
        try (GatewayHarness gateway = plan.open()) {
            Set<Long> seen = ConcurrentHashMap.newKeySet();
            List<Future<JsonView>> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                calls.add(begun(gateway, "brief__together", "{}"));
            }
            eventually("all calls are done", () -> {
                seen.addAll(gateway.processes());
                return calls.stream().allMatch(Future::isDone);
            });
            for (Future<JsonView> call : calls) {
                assertThat(Messages.said(answer(call))).isEqualTo("here");
            }
            assertThat(seen).hasSize(1);
            eventually(
                    "no server process is running",
                    () -> assertThat(gateway.processes()).isEmpty());
            gateway.eventuallyIs("brief", ServerStatus.IDLE);
            assertThat(Messages.said(GatewayClient.of(gateway).call("brief__echo", "{}")))
                    .isEqualTo("here");
        }
    }

    /// Answers no call before this file is there.
    private static TestServer answeringOnce(Path door) {
        String onCall = """
                import os, time
                while not os.path.exists('%s'):
                    time.sleep(0.01)
                say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content': [{'type': 'text', 'text': 'here'}]}})
                """.formatted(door);
        return TestServer.of("brief", EitherClient.server("[" + EitherClient.tool("wait") + "]", onCall))
                .with(EraPolicy.SESSION);
    }

    @Test
    void f65_a_brief_server_is_not_ended_while_a_call_still_waits_for_its_turn(@TempDir Path folder) throws Exception {
        Path door = folder.resolve("door");
        TestServer narrow =
                answeringOnce(door).pipeline(pipeline -> pipeline.with(new FairBulkhead.Limits(1, 100, 8 << 20)));
        GatewayHarness.Plan plan =
                plan(rules(5, 0, 0)).server(narrow).idlePolicy("brief", new IdlePolicy.Ephemeral(Duration.ZERO));
        try (GatewayHarness gateway = plan.open()) {
            Set<Long> seen = ConcurrentHashMap.newKeySet();
            List<Future<JsonView>> calls = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                calls.add(begun(gateway, "brief__wait", "{}"));
            }
            UpstreamServer brief = server(gateway, "brief");
            // Its lists are read between calls.
            eventually(
                    "all calls are on their way",
                    () -> assertThat(brief.load()).isGreaterThanOrEqualTo(brief.isAtRest() ? 10 : 11));
            Files.createFile(door);
            eventually("all calls are done", () -> {
                seen.addAll(gateway.processes());
                return calls.stream().allMatch(Future::isDone);
            });
            for (Future<JsonView> call : calls) {
                assertThat(Messages.said(answer(call))).isEqualTo("here");
            }
            assertThat(seen).hasSize(1);
            eventually(
                    "no server process is running",
                    () -> assertThat(gateway.processes()).isEmpty());
        }
    }

    @Test
    void f65_a_brief_server_that_lingers_waits_for_the_next_call() {
        Duration linger = Duration.ofSeconds(1);
        GatewayHarness.Plan plan = plan(rules(5, 0, 0), "brief").idlePolicy("brief", new IdlePolicy.Ephemeral(linger));
        try (GatewayHarness gateway = plan.open()) {
            use(gateway, "brief");
            List<Long> first = gateway.processes();
            time.advance(linger.minusMillis(1));
            use(gateway, "brief");
            assertThat(gateway.processes()).isEqualTo(first);
            eventuallyRests(gateway, "brief");
            eventually(
                    "no server process is running",
                    () -> assertThat(gateway.processes()).isEmpty());
        }
    }

    @Test
    void kept_alive_connection_is_not_evicted() throws Exception {
        GatewayHarness.Plan plan =
                plan(rules(1, 0, 0), "kept", "b").idlePolicy("kept", new IdlePolicy.KeepAlive(null, false));
        try (GatewayHarness gateway = plan.open()) {
            use(gateway, "kept");
            int timers = time.pending();
            Future<JsonView> refused = begun(gateway, "b__echo", "{\"text\":\"x\"}");
            awaitWaiting(gateway, timers);
            // A second time if the first call's timers, which may end late, were taken for that of the queue.
            time.advance(QUEUE);
            if (!isDoneSoon(refused)) {
                time.advance(QUEUE);
            }
            assertThat(Messages.kind(answer(refused))).contains("overloaded");
        }
    }

    private static boolean isDoneSoon(Future<JsonView> answer) throws Exception {
        try {
            answer.get(5, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        }
    }

    @Test
    void one_place_is_enough_to_find_out_the_era_of_a_server() {
        GatewayHarness.Plan plan = GatewayHarness.plan().pool(rules(1, 0, 0));
        try (GatewayHarness gateway =
                plan.server("old", SingleServerHarness.script(Era.LEGACY)).open()) {
            List<Integer> most = new ArrayList<>();
            Watch watch = new Watch(gateway, most);
            use(gateway, "old");
            watch.end();
            assertThat(most).allMatch(running -> running <= 1);
        }
    }
}
