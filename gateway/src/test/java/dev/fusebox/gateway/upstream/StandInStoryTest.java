package dev.fusebox.gateway.upstream;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.State;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.gateway.era.Gate;
import dev.fusebox.gateway.era.Words;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.session.EraPolicy;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.upstream.Guest.Manner;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import dev.fusebox.testkit.server.Era;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that step in for others, and servers that are the same.
@Tag("process")
@Timeout(120)
class StandInStoryTest {
    private static final String LOST = "server_crashed stdio-exit unknown";

    @TempDir
    private Path folder = Path.of("");

    /// A process whose environment says which it is.
    private static House house(String name) {
        return House.of(name, Gate.server(Gate.script(Era.BOTH)).withEnv(Map.of("WHO", name)));
    }

    private static String who(Guest guest, String server) {
        return Words.said(guest.call(server + "__env", "{\"name\":\"WHO\"}"));
    }

    private static @Nullable String named(JsonView answer) {
        JsonView name = answer.path("result", "_meta", "fusebox/server");
        return name == null ? null : name.string();
    }

    private static void close(Street street, String server) {
        street.breakers().find(BreakerName.of(server)).orElseThrow().forceOpen("maintenance");
    }

    private static void open(Street street, String server) {
        street.breakers().find(BreakerName.of(server)).orElseThrow().reset();
    }

    // ---- A backup

    @Test
    void while_a_server_is_down_its_backup_answers_and_says_so() {
        try (Street street = Street.plan()
                .house(house("one").rules(old -> old.backedBy("two")))
                .house(house("two"))
                .open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("one__env", "two__env");
            close(street, "one");
            JsonView answer = guest.call("one__env", "{\"name\":\"WHO\"}");
            assertThat(Words.said(answer)).isEqualTo("two");
            assertThat(named(answer)).isEqualTo("two");
            assertThat(named(guest.call("two__env", "{}"))).isNull();
            open(street, "one");
            JsonView again = guest.call("one__env", "{\"name\":\"WHO\"}");
            assertThat(Words.said(again)).isEqualTo("one");
            assertThat(named(again)).isNull();
        }
    }

    @Test
    void a_server_that_cannot_be_started_is_stood_in_for_though_nobody_has_asked_the_backup_before() {
        try (Street street = Street.plan()
                .house(House.of("one", Gate.server(Gate.script(Era.LEGACY, "exit-at-start=3")))
                        .rules(old -> old.backedBy("two")))
                .house(house("two"))
                .open()) {
            for (Manner manner : Manner.values()) {
                assertThat(who(Guest.of(street, manner), "one")).isEqualTo("two");
            }
        }
    }

    @Test
    void what_may_have_run_is_not_made_again_elsewhere() throws Exception {
        Path journal = folder.resolve("two");
        try (Street street = Street.plan()
                .house(House.of("one", Gate.script(Era.LEGACY, "crash-before=3"))
                        .rules(old -> old.backedBy("two")))
                .house(House.of("two", Gate.noting(journal, Era.LEGACY)))
                .open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("one__fail", "two__fail");
            assertThat(Words.kind(guest.call("one__fail", "{}"))).isEqualTo(LOST);
            assertThat(Files.exists(journal) ? Files.readString(journal) : "").doesNotContain("fail");
        }
    }

    @Test
    void what_was_refused_goes_elsewhere_only_if_it_may_be_made_twice() {
        try (Booth sick = Booth.of(Booth.Reply.of(503));
                Booth well = Booth.of(Booth.DONE);
                Street street = Street.plan()
                        .house(House.at("one", sick.uri())
                                .lane(lane -> lane.with(RetryRules.of(1, List.of(Duration.ofMillis(1)), 0.1, true)))
                                .rules(old -> old.backedBy("two")))
                        .house(House.at("two", well.uri()))
                        .open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("one__look", "two__look");
            assertThat(named(guest.call("one__look", "{}"))).isEqualTo("two");
            assertThat(Words.kind(guest.call("one__work", "{}"))).isEqualTo("http_error http rejected");
            assertThat(well.calls()).isEqualTo(1);
        }
    }

    @Test
    void a_backup_without_such_a_tool_or_that_is_down_itself_changes_nothing() {
        try (Booth other = Booth.of(Booth.DONE);
                Street street = Street.plan()
                        .house(house("one").rules(old -> old.backedBy("two")))
                        .house(House.at("two", other.uri()))
                        .house(house("three").rules(old -> old.backedBy("one")))
                        .open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("one__env", "two__work", "three__env");
            close(street, "one");
            close(street, "three");
            assertThat(guest.failure("one__env")).startsWith("breaker_open").endsWith("not_sent");
            JsonView answer = guest.call("three__env", "{}");
            assertThat(Words.text(answer, "result", "_meta", "fusebox/error", "server"))
                    .isEqualTo("three");
            assertThat(other.calls()).isZero();
        }
    }

    @Test
    void a_tool_of_our_own_finds_who_stands_in_and_who_shares_a_name() {
        ExposurePolicy exposurePolicy = new ExposurePolicy(false, Set.of(), List.of(new CallTool()));
        try (Street street = Street.plan()
                .house(House.of("one", Gate.server(Gate.script(Era.LEGACY, "exit-at-start=3")))
                        .rules(old -> old.backedBy("two")))
                .house(house("two"))
                .house(house("three"))
                .team("all", "two", "three")
                .menu(exposurePolicy)
                .open()) {
            Guest guest = Guest.of(street);
            for (String server : List.of("one", "all")) {
                String given = "{\"server\":\"" + server + "\",\"tool\":\"env\",\"args\":{\"name\":\"WHO\"}}";
                JsonView answer = guest.call("mcp_call", given);
                assertThat(Words.said(answer)).isIn("two", "three");
                assertThat(named(answer)).isEqualTo(Words.said(answer));
            }
        }
    }

    // ---- Replicas

    private static Street threefold() {
        return threefold(Street.plan());
    }

    private static Street threefold(Street.Plan plan) {
        return plan.house(house("a"))
                .house(house("b"))
                .house(house("c"))
                .team("all", "a", "b", "c")
                .open();
    }

    /// A call that is under way until the street is closed.
    private static void slow(Street street, String tool) {
        Guest guest = Guest.of(street);
        Thread.ofVirtual().start(() -> guest.call(tool, "{\"ms\":600000}"));
    }

    private static boolean isIdle(Street street, String server) {
        UpstreamServer upstreamServer = Objects.requireNonNull(street.servers().server(server));
        return upstreamServer.isKnown() && upstreamServer.load() == 0;
    }

    private static boolean hasLists(Street street, String server) {
        return !Objects.requireNonNull(street.servers().server(server))
                .contents()
                .equals(CatalogContents.NOTHING);
    }

    private static int load(Street street, String server) {
        return Objects.requireNonNull(street.servers().server(server)).load();
    }

    @Test
    void servers_that_are_the_same_are_listed_once_and_each_may_be_called_by_its_own_name() {
        try (Street street = threefold()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("all__env");
            assertThat(guest.tools()).allMatch(tool -> tool.startsWith("all__"));
            assertThat(who(guest, "b")).isEqualTo("b");
            JsonView answer = guest.call("all__env", "{\"name\":\"WHO\"}");
            assertThat(named(answer)).isEqualTo(Words.said(answer));
            assertThat(guest.names("prompts/list", "prompts", "name")).allMatch(name -> name.startsWith("all__"));
        }
    }

    @Test
    void calls_at_once_go_to_whoever_has_least_to_do() {
        try (Street street = threefold()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("all__slow");
            List<String> servers = List.of("a", "b", "c");
            // To be asked for lists is something to do, too.
            eventually("all servers are idle", () -> servers.stream().allMatch(each -> isIdle(street, each)));
            for (int i = 0; i < 3; i++) {
                int expected = i + 1;
                slow(street, "all__slow");
                eventually(
                        "the servers carry the expected load",
                        () -> servers.stream()
                                        .mapToInt(each -> load(street, each))
                                        .sum()
                                == expected);
            }
            assertThat(servers).allMatch(each -> load(street, each) == 1);
        }
    }

    @Test
    void who_is_down_gets_no_calls_and_when_all_are_the_one_that_was_asked_is_told() {
        try (Street street = threefold()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("all__env");
            close(street, "a");
            assertThat(who(guest, "all")).isIn("b", "c");
            close(street, "b");
            assertThat(who(guest, "all")).isEqualTo("c");
            close(street, "c");
            JsonView answer = guest.call("all__env", "{}");
            assertThat(Words.kind(answer)).startsWith("breaker_open").endsWith("not_sent");
            assertThat(Words.text(answer, "result", "_meta", "fusebox/error", "server"))
                    .isEqualTo("all");
        }
    }

    /// Its list is what is read first of a process that was started again, and proves nothing.
    @Test
    void one_of_whom_the_first_probe_said_nothing_gets_calls_again() {
        ManualTime time = new ManualTime();
        try (Street street = threefold(Street.plan().breakersIn(time))) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("all__env");
            // A server whose list is being read has more to do than the others, and its breaker has no place free.
            eventually(
                    "all servers were asked what they have",
                    () -> List.of("a", "b", "c").stream()
                            .allMatch(each -> hasLists(street, each) && isIdle(street, each)));
            CircuitBreaker breaker = street.breakers().find(BreakerName.of("a")).orElseThrow();
            while (breaker.state() == State.CLOSED) {
                permit(breaker).failed("offline");
            }
            assertThat(who(guest, "all")).isIn("b", "c");
            time.advance(Duration.ofMinutes(10));
            permit(breaker).abandoned();
            assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
            assertThat(who(guest, "all")).isEqualTo("a");
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
        }
    }

    private static Permit permit(CircuitBreaker breaker) {
        return (Permit) breaker.tryAcquire();
    }

    @Test
    void a_session_stays_where_it_was_and_a_client_without_one_goes_where_there_is_least_to_do() {
        try (Street street = Street.plan()
                .house(house("a").with(EraPolicy.SESSION))
                .house(house("b").with(EraPolicy.SESSION))
                .team("all", "a", "b")
                .open()) {
            Guest lasting = Guest.of(street, Manner.SESSION);
            lasting.eventuallySees("all__env");
            eventually("a and b are idle", () -> isIdle(street, "a") && isIdle(street, "b"));
            String first = who(lasting, "all");
            slow(street, first + "__slow");
            eventually(
                    "the first server carries one call",
                    () -> assertThat(load(street, first)).isEqualTo(1));
            assertThat(who(Guest.of(street), "all")).isNotEqualTo(first);
            assertThat(who(lasting, "all")).isEqualTo(first);
            close(street, first);
            String second = who(lasting, "all");
            assertThat(second).isNotEqualTo(first);
            open(street, first);
            assertThat(who(lasting, "all")).isEqualTo(second);
        }
    }

    @Test
    void a_team_none_of_whose_members_can_be_called_says_so() {
        try (Street street =
                Street.plan().house(house("one")).team("all", "nobody").open()) {
            Guest guest = Guest.of(street);
            assertThat(guest.failure("all__env")).isEqualTo("connect_failed policy not_sent");
            assertThat(street.servers().snapshots())
                    .anyMatch(snapshot -> snapshot.id().equals("all") && snapshot.absent() == ServerStatus.ERROR);
        }
    }
}
