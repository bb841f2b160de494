package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.PoolRules;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What goes wrong with places and with those who wait for them, before real servers in real time.
///
/// Over five seconds: many processes are started.
@Tag("process")
@Timeout(120)
class PoolFaultsTest {
    /// Of a caller in a crowd.
    private static final int CALLS = 10;

    @TempDir
    private Path folder = Path.of("");

    private static <T> Future<T> begun(Supplier<T> what) {
        FutureTask<T> task = new FutureTask<>(what::get);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static Future<String> failure(GatewayHarness gateway, String tool, String arguments) {
        GatewayClient client = GatewayClient.of(gateway);
        return begun(() -> {
            JsonView answer = client.call(tool, arguments);
            return answer.path("result", "_meta", "fusebox/error") == null ? "done" : Messages.kind(answer);
        });
    }

    // ---- F59

    @Test
    void f59_two_hundred_first_calls_to_a_server_that_is_cold_start_it_once_and_are_all_served() throws Exception {
        Path starts = Files.createFile(folder.resolve("starts"));
        TestServer testServer =
                TestServer.of("one", sick(folder.resolve("well"), starts)).with(EraPolicy.SESSION);
        try (GatewayHarness gateway = GatewayHarness.plan().server(testServer).open()) {
            List<Future<String>> calls = new ArrayList<>(Collections.nCopies(200, null));
            calls.replaceAll(none -> failure(gateway, "one__echo", "{}"));
            for (Future<String> call : calls) {
                assertThat(call.get()).isEqualTo("done");
            }
            assertThat(Files.readAllLines(starts)).hasSize(1);
        }
    }

    // ---- F60

    /// A server that dies at once as long as a file is there, and writes a line for each start.
    private ChildSpec sick(Path sickness, Path starts) {
        return sick(Era.LEGACY, sickness, starts);
    }

    private static ChildSpec sick(Era era, Path sickness, Path starts) {
        List<String> words = new ArrayList<>(
                List.of("-c", "echo >> \"$1\"; sleep 0.3; test -e \"$0\" && exit 3; shift; exec \"$@\""));
        words.add(sickness.toString());
        words.add(starts.toString());
        words.addAll(ScriptedServer.stdio(SingleServerHarness.script(era)));
        return ChildSpec.of("sh", words.toArray(String[]::new));
    }

    @Test
    void f60_failed_first_start_fails_all_waiters_and_the_next_call_starts_again() throws Exception {
        Path sickness = Files.createFile(folder.resolve("sick"));
        Path starts = Files.createFile(folder.resolve("starts"));
        BreakerPolicy patient = BreakerPolicy.defaults().with(new TripRule.Consecutive(1_000));
        TestServer testServer =
                TestServer.of("one", sick(sickness, starts)).pipeline(pipeline -> pipeline.with(patient));
        try (GatewayHarness gateway =
                GatewayHarness.plan().server(testServer.crashing()).open()) {
            List<Future<String>> calls = new ArrayList<>(Collections.nCopies(200, null));
            calls.replaceAll(none -> failure(gateway, "one__echo", "{}"));
            for (Future<String> call : calls) {
                assertThat(call.get()).startsWith("server_crashed stdio-exit not_sent");
            }
            // Some came when the first attempt was over, and made the next one together.
            assertThat(Files.readAllLines(starts).size()).isLessThan(20);
            Files.delete(sickness);
            assertThat(failure(gateway, "one__echo", "{}").get()).isEqualTo("done");
        }
    }

    // ---- F65

    private GatewayHarness.Plan brief(Path starts, Duration linger) {
        TestServer testServer =
                TestServer.of("one", sick(folder.resolve("well"), starts)).with(EraPolicy.SESSION);
        return GatewayHarness.plan().server(testServer).idlePolicy("one", new IdlePolicy.Ephemeral(linger));
    }

    @Test
    void f65_a_brief_server_that_lingers_is_started_once_for_a_stream_of_calls() throws Exception {
        Path starts = Files.createFile(folder.resolve("starts"));
        Duration linger = Duration.ofSeconds(3);
        long longestGap = 0;
        try (GatewayHarness gateway = brief(starts, linger).open()) {
            List<Future<String>> calls = new ArrayList<>();
            long last = SingleServerHarness.PLATFORM.ticker().nanos();
            for (int i = 0; i < 100; i++) {
                calls.add(failure(gateway, "one__echo", "{}"));
                throughout(
                        "no call fails",
                        Duration.ofMillis(20),
                        () -> calls.stream()
                                .filter(Future::isDone)
                                .allMatch(call -> call.resultNow().equals("done")));
                long now = SingleServerHarness.PLATFORM.ticker().nanos();
                longestGap = Math.max(longestGap, now - last);
                last = now;
            }
            for (Future<String> call : calls) {
                assertThat(call.get()).isEqualTo("done");
            }
        }
        assumeTrue(longestGap < linger.toNanos() / 2, "skipped: this machine stood still, and that was no stream");
        assertThat(Files.readAllLines(starts)).hasSize(1);
    }

    @Test
    void f65_a_brief_server_is_not_started_for_each_call_of_fifty_callers() throws Exception {
        Path starts = Files.createFile(folder.resolve("starts"));
        try (GatewayHarness gateway = brief(starts, Duration.ZERO).open()) {
            List<Future<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                List<GatewayClient> clients = List.of(GatewayClient.of(gateway), GatewayClient.of(gateway));
                int millis = 40 + i;
                callers.add(begun(() -> served(clients, millis)));
            }
            for (Future<Integer> caller : callers) {
                assertThat(caller.get()).isEqualTo(CALLS);
            }
        }
        // One, unless a machine is so busy that at some moment none of the overlapping calls is under way.
        assertThat(Files.readAllLines(starts)).hasSizeLessThan(5);
    }

    /// How many of a caller's calls are answered. Each begins in the middle of the one before.
    ///
    /// @param clients who take turns, as each has one call at a time
    private static int served(List<GatewayClient> clients, int millis) {
        int done = 0;
        Future<Boolean> last = begun(() -> isServed(clients.getFirst(), millis / 2));
        for (int call = 1; call < CALLS; call++) {
            GatewayClient client = clients.get(call % 2);
            Future<Boolean> next = begun(() -> isServed(client, millis));
            done += isTrue(last) ? 1 : 0;
            last = next;
        }
        return done + (isTrue(last) ? 1 : 0);
    }

    private static boolean isServed(GatewayClient client, int millis) {
        return Messages.said(client.call("one__slow", "{\"ms\":" + millis + "}"))
                .equals("waited " + millis + " ms");
    }

    private static boolean isTrue(Future<Boolean> answer) {
        try {
            return answer.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    // ---- F66

    @Test
    void f66_a_process_that_is_kept_comes_back_by_itself_and_as_many_stay_as_should() throws IOException {
        PoolRules least = new PoolRules(
                3,
                PoolRules.USUAL.reserve(),
                new PoolRules.IdleRules(1, Duration.ofMillis(200)),
                PoolRules.USUAL.waiting());
        TestServer kept = TestServer.of("kept", SingleServerHarness.script(Era.LEGACY));
        TestServer other = TestServer.of("other", SingleServerHarness.script(Era.LEGACY));
        GatewayHarness.Plan plan = GatewayHarness.plan()
                .pool(least)
                .server(kept.lifecycle(life -> life.withDelays(List.of(Duration.ofMillis(50)))))
                .server(other.lifecycle(life -> life.withDelays(List.of(Duration.ofMillis(50)))))
                .idlePolicy("kept", new IdlePolicy.KeepAlive(null, false));
        try (GatewayHarness gateway = plan.open()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (String server : List.of("other", "kept")) {
                assertThat(Messages.said(client.call(server + "__echo", "{\"text\":\"up\"}")))
                        .isEqualTo("up");
                gateway.eventuallyIs(server, ServerStatus.ONLINE);
                client.call(server + "__crash", "{}");
                gateway.eventuallyIs(server, ServerStatus.ONLINE);
            }
            // The one that is not kept ends when nobody uses it, because another one is there.
            gateway.eventuallyIs("other", ServerStatus.IDLE);
            gateway.eventuallyIs("kept", ServerStatus.ONLINE);
            // A connection is idle a moment before its process has ended.
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.processes()).hasSize(1));
        }
    }

    // ---- F68

    @Test
    void f68_client_with_many_calls_does_not_delay_a_client_with_few() throws Exception {
        GatewayHarness.Plan plan = GatewayHarness.plan().pool(PoolRules.USUAL.withSize(2));
        for (String server : List.of("a", "b", "c", "d", "polite")) {
            plan.server(server, SingleServerHarness.script(Era.MODERN));
        }
        AtomicInteger greedy = new AtomicInteger();
        try (GatewayHarness gateway = plan.open()) {
            GatewayClient session = GatewayClient.of(gateway, GatewayClient.Manner.SESSION);
            List<Future<String>> many = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String request =
                        session.request("tools/call", Messages.tool("abcd".charAt(i % 4) + "__slow", "{\"ms\":50}"));
                many.add(begun(() -> {
                    String said = Messages.said(session.wire().answer(request));
                    greedy.incrementAndGet();
                    return said;
                }));
            }
            eventually(
                    "a call is waiting for a connection",
                    () -> assertThat(gateway.pool().snapshot().waiting()).isGreaterThan(0));
            assertThat(failure(gateway, "polite__echo", "{}").get()).isEqualTo("done");
            int before = greedy.get();
            awaitAll(many);
            assertThat(before).isLessThan(40);
        }
    }

    private static void awaitAll(List<Future<String>> calls) throws InterruptedException, ExecutionException {
        for (Future<String> call : calls) {
            assertThat(call.get()).isEqualTo("waited 50 ms");
        }
    }

    // ---- F69

    @Test
    void f69_calls_are_admitted_by_their_bytes_and_not_by_their_number_alone() throws Exception {
        FairBulkhead.Limits limits = new FairBulkhead.Limits(1000, 1000, 8 << 20);
        String megabyte = "{\"more\":\"" + "x".repeat(1 << 20) + "\"}";
        try (ControlledServer one = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("one", one.uri()).pipeline(pipeline -> pipeline.with(limits)))
                        .open()) {
            assertThat(failure(gateway, "one__work", "{}").get()).isEqualTo("done");
            List<Future<String>> calls = new ArrayList<>();
            // Seven are inside, and seven wait.
            try (ControlledServer.Held held = one.hold(ControlledServer.DONE)) {
                for (int i = 0; i < 40; i++) {
                    calls.add(failure(gateway, "one__work", megabyte));
                }
                eventually(
                        "26 calls are refused",
                        () -> assertThat(calls).filteredOn(Future::isDone).hasSize(26));
                eventually(
                        "seven calls are held", () -> assertThat(held.waiting()).isEqualTo(7));
            }
            List<String> ends = new ArrayList<>();
            for (Future<String> call : calls) {
                ends.add(call.get());
            }
            assertThat(ends).filteredOn("done"::equals).hasSize(14);
            assertThat(ends).filteredOn("overloaded local not_sent"::equals).hasSize(26);
            assertThat(failure(gateway, "one__work", "{}").get()).isEqualTo("done");
        }
    }

    // ---- F110

    /// Calls wait for a place instead of starting a process each: the server that has it is idle half a second
    /// later.
    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void f110_servers_called_in_turn_with_one_place_too_few_are_not_started_for_each_call(Era era) throws Exception {
        Path starts = Files.createFile(folder.resolve("starts"));
        GatewayHarness.Plan plan = GatewayHarness.plan().pool(PoolRules.USUAL.withSize(2));
        List<String> servers = List.of("a", "b", "c");
        servers.forEach(server -> plan.process(server, sick(era, folder.resolve("well"), starts)));
        try (GatewayHarness gateway = plan.open()) {
            List<Future<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int first = i;
                GatewayClient client = GatewayClient.of(
                        gateway, i % 2 == 0 ? GatewayClient.Manner.SESSION : GatewayClient.Manner.STATELESS);
                callers.add(begun(() -> inTurn(client, servers, first)));
            }
            for (Future<Integer> caller : callers) {
                assertThat(caller.get()).isEqualTo(CALLS);
            }
        }
        assertThat(Files.readAllLines(starts)).hasSizeLessThan(6 * CALLS / 3);
    }

    private static int inTurn(GatewayClient client, List<String> servers, int first) {
        int done = 0;
        for (int call = 0; call < CALLS; call++) {
            String server = servers.get((first + call) % servers.size());
            JsonView answer = client.call(server + "__echo", "{}");
            done += answer.path("result", "_meta", "fusebox/error") == null ? 1 : 0;
        }
        return done;
    }
}
