package dev.fusebox.gateway.upstream;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.gateway.era.Gate;
import dev.fusebox.gateway.era.Words;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.observe.Told;
import dev.fusebox.gateway.pool.IdlePolicy;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.gateway.pool.PoolRules;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import dev.fusebox.testkit.server.Era;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

/// Servers that have to share few places. Who has one, and for how long, is decided in a time that the tests move;
/// the servers are real, and live in real time.
@Tag("process")
@Timeout(120)
class PoolStoryTest {
    private static final Duration QUEUE = Duration.ofSeconds(10);
    private static final Duration IDLE = Duration.ofMinutes(5);

    /// A server that started at once is idle when it has been unused for so long.
    private static final Duration UNUSED = Duration.ofMillis(500);

    private final ManualTime time = new ManualTime();

    private static PoolRules rules(int size, int reserve, int least) {
        return new PoolRules(
                size,
                new PoolRules.Reserve(reserve, Duration.ofMillis(500)),
                new PoolRules.Keeping(least, IDLE),
                new PoolRules.Waiting(100, QUEUE));
    }

    private Street.Plan plan(PoolRules rules, String... servers) {
        Street.Plan plan = Street.plan().pool(rules).poolIn(time);
        for (String server : servers) {
            plan.server(server, Gate.script(Era.MODERN));
        }
        return plan;
    }

    private static UpstreamServer server(Street street, String server) {
        return Objects.requireNonNull(street.servers().server(server));
    }

    /// Whoever is telling what it offers just now is looked at again a moment later.
    private void eventuallyRests(Street street, String server) {
        eventually("%s is idle".formatted(server), () -> {
            time.advance(Duration.ofSeconds(1));
            return server(street, server).health().status() == ServerStatus.IDLE;
        });
    }

    /// Says something, and nothing is read any more afterwards.
    private static void use(Street street, String server) {
        Guest guest = Guest.of(street);
        assertThat(Words.said(guest.call(server + "__echo", "{\"text\":\"here\"}")))
                .isEqualTo("here");
        street.eventuallyIs(server, ServerStatus.ONLINE);
        eventually("the server is at rest", () -> server(street, server).isAtRest());
    }

    private static Future<JsonView> begun(Street street, String tool, String arguments) {
        Guest guest = Guest.of(street);
        FutureTask<JsonView> call = new FutureTask<>(() -> guest.call(tool, arguments));
        Thread.ofVirtual().start(call);
        return call;
    }

    /// A call that is under way at the server.
    private static Future<JsonView> busy(Street street, String server, long millis) {
        use(street, server);
        int before = server(street, server).inside();
        Future<JsonView> call = begun(street, server + "__slow", "{\"ms\":" + millis + "}");
        eventually(
                "one more call is in flight",
                () -> assertThat(server(street, server).inside()).isGreaterThan(before));
        return call;
    }

    private static JsonView answer(Future<JsonView> call) throws Exception {
        return call.get(60, TimeUnit.SECONDS);
    }

    /// One more waits for a place, and the time may be moved.
    private void awaitWaiting(Street street, int timers) throws InterruptedException {
        eventually(
                "one call is waiting for a connection",
                () -> assertThat(street.pool().sight().waiting()).isEqualTo(1));
        time.awaitPending(timers + 1);
    }

    @Test
    void f61_who_finds_all_places_busy_waits_its_time_and_is_refused_with_another() throws Exception {
        try (Street street = plan(rules(1, 0, 0), "a", "b").open()) {
            Future<JsonView> slow = busy(street, "a", 60_000);
            List<Long> processes = street.processes();
            int timers = time.pending();
            Future<JsonView> refused = begun(street, "b__echo", "{\"text\":\"x\"}");
            awaitWaiting(street, timers);
            time.advance(QUEUE.minusMillis(1));
            assertThat(street.pool().sight().waiting()).isEqualTo(1);
            time.advance(Duration.ofMillis(1));
            JsonView error = Words.at(answer(refused), "result", "_meta", "fusebox/error");
            assertThat(error.string("code")).isEqualTo("overloaded");
            assertThat(error.string("outcome")).isEqualTo("not_sent");
            assertThat(Words.at(error, "retryAfterMs").json()).isNotEqualTo("null");
            assertThat(street.processes()).isEqualTo(processes);
            assertThat(slow.isDone()).isFalse();
        }
    }

    @Test
    void f62_the_reserve_is_used_after_its_time_told_once_and_given_back_when_it_is_idle() throws Exception {
        try (Told told = Told.of(Pool.class);
                Street street = plan(rules(1, 1, 0), "a", "b").open()) {
            Future<JsonView> slow = busy(street, "a", 60_000);
            int timers = time.pending();
            Future<JsonView> other = begun(street, "b__echo", "{\"text\":\"reserve\"}");
            awaitWaiting(street, timers);
            time.advance(Duration.ofMillis(499));
            assertThat(street.pool().sight().taken()).isEqualTo(1);
            time.advance(Duration.ofMillis(1));
            assertThat(Words.said(answer(other))).isEqualTo("reserve");
            eventually(
                    "one connection is taken",
                    () -> assertThat(street.pool().sight().taken()).isEqualTo(1));
            assertThat(street.pool().sight().totals().reserved()).isEqualTo(1);
            Future<JsonView> again = begun(street, "b__echo", "{\"text\":\"again\"}");
            awaitWaiting(street, timers);
            time.advance(Duration.ofMillis(500));
            assertThat(Words.said(answer(again))).isEqualTo("again");
            assertThat(street.pool().sight().totals().reserved()).isEqualTo(2);
            assertThat(told.lines().stream().filter(line -> line.contains("the reserve of")))
                    .hasSize(1);
            assertThat(slow.isDone()).isFalse();
        }
    }

    @Test
    void f63_an_unused_one_is_gone_before_another_starts_and_its_tools_stay() throws Exception {
        try (Street street = plan(rules(2, 0, 0), "a", "b", "c").open()) {
            use(street, "a");
            use(street, "b");
            List<Integer> most = new ArrayList<>();
            Watch watch = new Watch(street, most);
            int timers = time.pending();
            Future<JsonView> third = begun(street, "c__echo", "{\"text\":\"room\"}");
            awaitWaiting(street, timers);
            time.advance(UNUSED);
            assertThat(Words.said(answer(third))).isEqualTo("room");
            watch.end();
            assertThat(most).allMatch(running -> running <= 2);
            assertThat(street.pool().sight().totals().evicted()).isPositive();
            eventually("a server is idle", () -> isAnyServerIdle(street));
            assertThat(Guest.of(street).tools()).contains("a__echo", "b__echo", "c__echo");
        }
    }

    private static boolean isAnyServerIdle(Street street) {
        return Stream.of("a", "b", "c")
                .anyMatch(server -> server(street, server).health().status() == ServerStatus.IDLE);
    }

    /// Counts the processes all the time. Has a thread of its own until it is ended.
    private static final class Watch {
        private final Thread thread;
        private volatile boolean over;

        Watch(Street street, List<Integer> seen) {
            thread = Thread.ofPlatform().start(() -> {
                while (!over) {
                    seen.add(street.processes().size());
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
    void f64_calls_that_are_under_way_are_never_cut_however_many_there_are() throws Exception {
        try (Street street = plan(rules(1, 0, 0), "a", "b").open()) {
            Future<JsonView> first = busy(street, "a", 2_000);
            Future<JsonView> second = begun(street, "a__slow", "{\"ms\":3000}");
            eventually(
                    "two calls are in flight",
                    () -> assertThat(server(street, "a").inside()).isEqualTo(2));
            int timers = time.pending();
            Future<JsonView> other = begun(street, "b__echo", "{\"text\":\"then\"}");
            awaitWaiting(street, timers);
            street.become(List.of(new ReloadAction.Stays("a"), new ReloadAction.Stays("b")), Duration.ofSeconds(60));
            assertThat(Words.said(answer(first))).isEqualTo("waited 2000 ms");
            assertThat(Words.said(answer(second))).isEqualTo("waited 3000 ms");
            eventually("no call is on a", () -> server(street, "a").inside() == 0);
            time.advance(UNUSED);
            assertThat(Words.said(answer(other))).isEqualTo("then");
        }
    }

    @Test
    void f64_the_sweep_spares_a_call_that_is_under_way() throws Exception {
        try (Street street = plan(rules(5, 0, 0), "a").open()) {
            Future<JsonView> slow = busy(street, "a", 1_000);
            time.advance(IDLE.multipliedBy(3));
            assertThat(Words.said(answer(slow))).isEqualTo("waited 1000 ms");
            time.advance(IDLE);
            eventuallyRests(street, "a");
        }
    }

    @Test
    void whoever_nobody_used_for_long_is_idle_but_for_the_last_and_for_those_that_are_kept() {
        Street.Plan plan = plan(rules(5, 0, 1), "a", "b", "kept").stays("kept", new IdlePolicy.KeepAlive(null, false));
        try (Street street = plan.open()) {
            use(street, "kept");
            time.advance(Duration.ofSeconds(1));
            use(street, "a");
            time.advance(Duration.ofSeconds(1));
            use(street, "b");
            time.advance(IDLE);
            eventuallyRests(street, "a");
            eventually(
                    "two connections are taken",
                    () -> assertThat(street.pool().sight().taken()).isEqualTo(2));
            time.advance(IDLE.multipliedBy(10));
            assertThat(street.pool().sight().taken()).isEqualTo(2);
            assertThat(street.pool().sight().totals().expired()).isEqualTo(1);
            assertThat(Guest.of(street).tools()).contains("a__echo");
            use(street, "a");
        }
    }

    @Test
    void f59_f65_a_brief_server_serves_all_who_call_at_once_with_one_process_and_is_gone_then() throws Exception {
        Street.Plan plan = plan(rules(5, 0, 0), "brief").stays("brief", new IdlePolicy.Ephemeral(Duration.ZERO));
        try (Street street = plan.open()) {
            Set<Long> seen = ConcurrentHashMap.newKeySet();
            List<Future<JsonView>> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                calls.add(begun(street, "brief__slow", "{\"ms\":" + (300 + i) + "}"));
            }
            eventually("all calls are done", () -> {
                seen.addAll(street.processes());
                return calls.stream().allMatch(Future::isDone);
            });
            for (Future<JsonView> call : calls) {
                assertThat(Words.said(answer(call))).startsWith("waited");
            }
            assertThat(seen).hasSize(1);
            eventually(
                    "no server process is running",
                    () -> assertThat(street.processes()).isEmpty());
            street.eventuallyIs("brief", ServerStatus.IDLE);
            assertThat(Words.said(Guest.of(street).call("brief__echo", "{\"text\":\"again\"}")))
                    .isEqualTo("again");
        }
    }

    @Test
    void f65_a_brief_server_is_not_ended_while_a_call_still_waits_for_its_turn() throws Exception {
        House narrow = House.of("brief", Gate.script(Era.MODERN))
                .lane(lane -> lane.with(new FairBulkhead.Limits(1, 100, 8 << 20)));
        Street.Plan plan = plan(rules(5, 0, 0)).house(narrow).stays("brief", new IdlePolicy.Ephemeral(Duration.ZERO));
        try (Street street = plan.open()) {
            Set<Long> seen = ConcurrentHashMap.newKeySet();
            List<Future<JsonView>> calls = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                calls.add(begun(street, "brief__slow", "{\"ms\":100}"));
            }
            eventually("all calls are done", () -> {
                seen.addAll(street.processes());
                return calls.stream().allMatch(Future::isDone);
            });
            for (Future<JsonView> call : calls) {
                assertThat(Words.said(answer(call))).isEqualTo("waited 100 ms");
            }
            assertThat(seen).hasSize(1);
            eventually(
                    "no server process is running",
                    () -> assertThat(street.processes()).isEmpty());
        }
    }

    @Test
    void f65_a_brief_server_that_lingers_waits_for_the_next_call() {
        Duration linger = Duration.ofSeconds(1);
        Street.Plan plan = plan(rules(5, 0, 0), "brief").stays("brief", new IdlePolicy.Ephemeral(linger));
        try (Street street = plan.open()) {
            use(street, "brief");
            List<Long> first = street.processes();
            time.advance(linger.minusMillis(1));
            use(street, "brief");
            assertThat(street.processes()).isEqualTo(first);
            eventuallyRests(street, "brief");
            eventually(
                    "no server process is running",
                    () -> assertThat(street.processes()).isEmpty());
        }
    }

    @Test
    void what_is_kept_alive_makes_room_for_nobody() throws Exception {
        Street.Plan plan = plan(rules(1, 0, 0), "kept", "b").stays("kept", new IdlePolicy.KeepAlive(null, false));
        try (Street street = plan.open()) {
            use(street, "kept");
            int timers = time.pending();
            Future<JsonView> refused = begun(street, "b__echo", "{\"text\":\"x\"}");
            awaitWaiting(street, timers);
            // A second time if the first call's timers, which may end late, were taken for that of the queue.
            time.advance(QUEUE);
            if (!isDoneSoon(refused)) {
                time.advance(QUEUE);
            }
            assertThat(Words.kind(answer(refused))).contains("overloaded");
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
        Street.Plan plan = Street.plan().pool(rules(1, 0, 0));
        try (Street street = plan.server("old", Gate.script(Era.LEGACY)).open()) {
            List<Integer> most = new ArrayList<>();
            Watch watch = new Watch(street, most);
            use(street, "old");
            watch.end();
            assertThat(most).allMatch(running -> running <= 1);
        }
    }
}
