package dev.fusebox.gateway.upstream;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.gateway.era.Gate;
import dev.fusebox.gateway.era.Words;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.LifecycleSettings;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.session.EraPolicy;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.server.Era;
import dev.fusebox.testkit.server.Script;
import dev.fusebox.testkit.server.ScriptedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers to which something is done while something else happens to them.
@Tag("process")
@Timeout(120)
class TwoAtOnceTest {
    /// Longer than any test here waits: what ends sooner was not waited for.
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    private Path folder = Path.of("");

    private final List<LifecycleEvent.StatusChanged> told = new CopyOnWriteArrayList<>();

    private Street street(House house) {
        return Street.plan()
                .telling((server, event) -> {
                    if (event instanceof LifecycleEvent.StatusChanged changed) {
                        told.add(changed);
                    }
                })
                .house(house)
                .open();
    }

    private static House house(Script script, UnaryOperator<LifecycleSettings> life) {
        return House.of("one", script).with(EraPolicy.SESSION).life(life);
    }

    /// Well, with a word that says which configuration it was started by.
    private static House well(String version) {
        ChildSpec spec = Gate.server(Gate.script(Era.LEGACY)).withEnv(Map.of("VERSION", version));
        return House.of("one", spec).with(EraPolicy.SESSION);
    }

    private static House hanging() {
        return house(Gate.script(Era.LEGACY, "hang-on-initialize"), life -> life);
    }

    private static UpstreamServer server(Street street) {
        return Objects.requireNonNull(street.servers().server("one"));
    }

    private static void eventuallyAlone(Street street) {
        eventually(
                "one server process is running",
                () -> assertThat(street.processes()).hasSize(1));
    }

    private static String version(Street street) {
        return Words.said(Guest.of(street).call("one__env", "{\"name\":\"VERSION\"}"));
    }

    /// Whoever hears of every change can say at any time how it is.
    private void isWithoutGaps() {
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i).previous())
                    .as("%d in %s", i, told)
                    .isEqualTo(told.get(i - 1).status());
        }
    }

    // ---- Another configuration, and ...

    @Test
    void a_server_that_hangs_in_its_handshake_gives_way_at_once_to_what_its_configuration_says_now() {
        try (Street street = street(hanging())) {
            server(street).wake();
            street.eventuallyIs("one", ServerStatus.CONNECTING);
            eventuallyAlone(street);
            List<Long> hung = street.processes();
            street.become(List.of(street.joins(well("2"))), LONG);
            street.eventuallyIs("one", ServerStatus.ONLINE);
            eventually(
                    "the hung processes have ended",
                    () -> street.processes().stream().noneMatch(hung::contains));
            assertThat(version(street)).isEqualTo("2");
            assertThat(Guest.of(street).tools()).contains("one__echo");
            assertThat(told).extracting(LifecycleEvent.StatusChanged::status).contains(ServerStatus.COMMAND_RECEIVED);
            isWithoutGaps();
        }
    }

    @Test
    void a_server_that_hangs_in_its_handshake_is_gone_at_once_when_it_is_removed_or_disabled() {
        try (Street street = street(hanging())) {
            server(street).wake();
            eventuallyAlone(street);
            CallFailure why = CallFailure.policy(ErrorCode.SERVER_DISABLED, "one is disabled");
            street.become(List.of(new ReloadAction.Missing(new UnavailableServer("one", why))), LONG);
            eventually(
                    "no server process is running",
                    () -> assertThat(street.processes()).isEmpty());
            assertThat(Guest.of(street).failure("one__echo")).isEqualTo("server_disabled policy not_sent");
            isWithoutGaps();
        }
    }

    @Test
    void a_server_that_waits_for_its_restart_is_started_at_once_as_what_its_configuration_says_now() {
        try (Street street = street(house(Gate.script(Era.LEGACY), life -> life.withDelays(List.of(LONG))))) {
            crash(street);
            street.eventuallyIs("one", ServerStatus.RESTARTING);
            street.become(List.of(street.joins(well("2"))), LONG);
            street.eventuallyIs("one", ServerStatus.ONLINE);
            eventuallyAlone(street);
            assertThat(version(street)).isEqualTo("2");
            isWithoutGaps();
        }
    }

    private static void crash(Street street) {
        Guest guest = Guest.of(street);
        guest.eventuallySees("one__crash");
        street.eventuallyIs("one", ServerStatus.ONLINE);
        guest.call("one__crash", "{}");
    }

    private static House givenUpSoon() {
        return house(
                Gate.script(Era.LEGACY),
                life -> life.with(new LifecycleSettings.Crashes(1, Duration.ofMinutes(5), true)));
    }

    @Test
    void a_server_that_was_given_up_begins_afresh_as_what_its_configuration_says_now() {
        try (Street street = street(givenUpSoon())) {
            crash(street);
            street.eventuallyIs("one", ServerStatus.PERMANENTLY_FAILED);
            street.become(List.of(new ReloadAction.Stays("one")), LONG);
            assertThat(Guest.of(street).failure("one__echo")).isEqualTo("permanently_failed policy not_sent");
            street.become(List.of(street.joins(well("2"))), LONG);
            street.eventuallyIs("one", ServerStatus.ONLINE);
            assertThat(version(street)).isEqualTo("2");
            isWithoutGaps();
        }
    }

    @Test
    void a_server_that_was_given_up_is_tried_again_by_other_rules() {
        try (Street street = street(givenUpSoon())) {
            crash(street);
            street.eventuallyIs("one", ServerStatus.PERMANENTLY_FAILED);
            ReloadAction other = new ReloadAction.Governed(
                    "one", PipelineRules.of("one", false), ServerPolicy.within(LONG), LifecycleSettings.usual(true));
            street.become(List.of(other), LONG);
            street.eventuallyIs("one", ServerStatus.ONLINE);
            isWithoutGaps();
        }
    }

    /// Opens at the first failure, and lets a probe out in a moment.
    private static PipelineRules touchy(PipelineRules lane) {
        return lane.with(BreakerPolicy.defaults()
                        .with(new TripRule.Consecutive(1))
                        .with(Cooldown.fixed(Duration.ofMillis(10))))
                .with(RetryRules.of(1, List.of(Duration.ofMillis(1)), 0.1, true));
    }

    private static FutureTask<JsonView> calling(Street street, String tool) {
        Guest guest = Guest.of(street);
        FutureTask<JsonView> call = new FutureTask<>(() -> guest.call(tool, "{}"));
        Thread.ofVirtual().start(call);
        return call;
    }

    @Test
    void a_probe_that_is_out_when_its_server_becomes_another_says_nothing_of_that() throws Exception {
        try (Booth first = Booth.of(Booth.Reply.of(503));
                Booth second = Booth.of(Booth.DONE);
                Street street = street(House.at("one", first.uri()).lane(TwoAtOnceTest::touchy))) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("one__work");
            guest.call("one__work", "{}");
            List<FutureTask<JsonView>> probes = new ArrayList<>();
            try (Booth.Held held = first.hold(Booth.Reply.of(503))) {
                eventually("a probe is held", () -> {
                    probes.add(calling(street, "one__work"));
                    return held.waiting() > 0;
                });
                street.become(List.of(street.joins(House.at("one", second.uri()).lane(TwoAtOnceTest::touchy))), LONG);
                assertThat(Words.said(guest.call("one__work", "{}"))).isEqualTo("done");
            }
            for (FutureTask<JsonView> probe : probes) {
                probe.get(Gate.SOON.toMillis(), TimeUnit.MILLISECONDS);
            }
            assertThat(street.state("one")).isEqualTo(State.CLOSED);
            assertThat(Words.said(guest.call("one__work", "{}"))).isEqualTo("done");
        }
    }

    @Test
    void what_a_backup_works_on_is_answered_though_the_server_it_stands_in_for_is_removed() throws Exception {
        try (Booth first = Booth.of(Booth.Reply.of(503));
                Booth second = Booth.of(Booth.DONE);
                Street street = Street.plan()
                        .house(House.at("one", first.uri())
                                .lane(TwoAtOnceTest::touchy)
                                .rules(rules -> rules.backedBy("spare")))
                        .house(House.at("spare", second.uri()))
                        .open()) {
            Guest.of(street).eventuallySees("one__look", "spare__look");
            FutureTask<JsonView> call;
            try (Booth.Held held = second.hold(Booth.DONE)) {
                call = calling(street, "one__look");
                eventually("one call is held", () -> assertThat(held.waiting()).isEqualTo(1));
                street.become(List.of(new ReloadAction.Stays("spare")), LONG);
                assertThat(Guest.of(street).failure("one__look")).isEqualTo("unknown_server policy not_sent");
            }
            JsonView answer = call.get(Gate.SOON.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(Words.said(answer)).isEqualTo("done");
            assertThat(Words.at(answer, "result", "_meta").string("fusebox/server"))
                    .isEqualTo("spare");
        }
    }

    // ---- A restart, and ...

    /// Hangs in its handshake as long as a file is there.
    private House hangingWhile(Path file) {
        List<String> words = new ArrayList<>(List.of("-c", "test -e \"$0\" && exec sleep 1000; exec \"$@\""));
        words.add(file.toString());
        words.addAll(ScriptedServer.stdio(Gate.script(Era.LEGACY)));
        return House.of("one", ChildSpec.of("sh", words.toArray(String[]::new))).with(EraPolicy.SESSION);
    }

    @Test
    void a_restart_replaces_a_process_that_hangs_in_its_handshake() throws Exception {
        Path sickness = Files.createFile(folder.resolve("sick"));
        try (Street street = street(hangingWhile(sickness))) {
            server(street).wake();
            eventuallyAlone(street);
            List<Long> hung = street.processes();
            Files.delete(sickness);
            assertThat(server(street).controls().restart().status()).isEqualTo(ServerStatus.ONLINE);
            eventuallyAlone(street);
            assertThat(street.processes()).doesNotContainAnyElementsOf(hung);
            isWithoutGaps();
        }
    }

    @Test
    void whoever_restarts_a_server_that_becomes_another_meanwhile_is_told_how_that_is() throws Exception {
        try (Street street = street(hanging())) {
            server(street).wake();
            eventuallyAlone(street);
            FutureTask<ServerHealth> restart = new FutureTask<>(server(street).controls()::restart);
            Thread.ofVirtual().start(restart);
            eventually(
                    "the requested restart is reported",
                    () -> told.stream().anyMatch(change -> change.message().equals("restart requested")));
            street.become(List.of(street.joins(well("2"))), LONG);
            assertThat(restart.get(Gate.SOON.toMillis(), TimeUnit.MILLISECONDS).status())
                    .isEqualTo(ServerStatus.ONLINE);
            assertThat(version(street)).isEqualTo("2");
        }
    }

    @Test
    void of_restarts_at_once_each_finds_the_server_ready_and_one_process_is_left() throws Exception {
        try (Street street = street(well("1"))) {
            assertThat(version(street)).isEqualTo("1");
            for (int round = 0; round < 3; round++) {
                List<FutureTask<ServerHealth>> restarts = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    restarts.add(new FutureTask<>(server(street).controls()::restart));
                    Thread.ofVirtual().start(restarts.getLast());
                }
                for (FutureTask<ServerHealth> restart : restarts) {
                    assertThat(restart.get(Gate.SOON.toMillis(), TimeUnit.MILLISECONDS)
                                    .status())
                            .isEqualTo(ServerStatus.ONLINE);
                }
                eventuallyAlone(street);
            }
            assertThat(version(street)).isEqualTo("1");
            isWithoutGaps();
        }
    }
}
