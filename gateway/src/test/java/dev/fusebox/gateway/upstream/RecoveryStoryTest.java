package dev.fusebox.gateway.upstream;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.gateway.era.Gate;
import dev.fusebox.gateway.era.Words;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.LifecycleSettings;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.server.Era;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers that die and come back.
@Tag("process")
class RecoveryStoryTest {
    @TempDir
    private Path folder = Path.of("");

    private final Booth booth = Booth.of(Booth.DONE);

    @AfterEach
    void closed() {
        booth.close();
    }

    private static UpstreamServer server(Street street, String name) {
        return Objects.requireNonNull(street.servers().server(name));
    }

    private final List<LifecycleEvent> happened = new CopyOnWriteArrayList<>();

    private Street street(UnaryOperator<LifecycleSettings> life) {
        return Street.plan()
                .telling((server, event) -> happened.add(event))
                .house(House.of("frail", Gate.noting(folder.resolve("journal"), Era.LEGACY))
                        .life(life))
                .open();
    }

    private static Guest greeted(Street street) {
        Guest guest = Guest.of(street);
        guest.eventuallySees("frail__echo");
        street.eventuallyIs("frail", ServerStatus.ONLINE);
        return guest;
    }

    @Test
    void a_server_that_nobody_has_called_is_idle_and_then_online() {
        try (Street street = street(life -> life)) {
            assertThat(server(street, "frail").health().status()).isEqualTo(ServerStatus.IDLE);
            greeted(street);
            assertThat(server(street, "frail").health().live()).isEqualTo(1);
        }
    }

    @Test
    void a_process_that_crashed_is_started_again_though_nobody_calls_it() {
        try (Street street = street(life -> life.withDelays(List.of(Duration.ofMillis(50))))) {
            Guest guest = greeted(street);
            List<Long> before = street.processes();
            guest.call("frail__crash", "{}");
            eventually(
                    "another process is running",
                    () -> street.processes().size() == 1 && !street.processes().equals(before));
            street.eventuallyIs("frail", ServerStatus.ONLINE);
            assertThat(Words.said(guest.call("frail__echo", "{\"text\":\"back\"}")))
                    .isEqualTo("back");
        }
    }

    @Test
    void a_call_that_comes_before_the_restart_starts_it_now_and_only_once() {
        try (Street street = street(life -> life.withDelays(List.of(Duration.ofHours(1))))) {
            Guest guest = greeted(street);
            guest.call("frail__crash", "{}");
            assertThat(Words.said(guest.call("frail__echo", "{\"text\":\"now\"}")))
                    .isEqualTo("now");
            eventually(
                    "one server process is running",
                    () -> assertThat(street.processes()).hasSize(1));
            street.eventuallyIs("frail", ServerStatus.ONLINE);
        }
    }

    /// Refuses calls after three crashes.
    private static LifecycleSettings stopping(LifecycleSettings life) {
        return life.with(new LifecycleSettings.Crashes(3, Duration.ofMinutes(5), true))
                .withDelays(List.of(Duration.ofHours(1)));
    }

    @Test
    void the_third_crash_is_the_last_and_everybody_is_told_what_happened_until_somebody_restarts_it() throws Exception {
        try (Street street = street(RecoveryStoryTest::stopping)) {
            Guest guest = greeted(street);
            // One session alone uses nothing up.
            for (int i = 0; i < 3; i++) {
                Guest another = Guest.of(street);
                assertThat(Words.said(another.call("frail__echo", "{\"text\":\"up\"}")))
                        .isEqualTo("up");
                another.call("frail__crash", "{\"how\":\"7\"}");
            }
            street.eventuallyIs("frail", ServerStatus.PERMANENTLY_FAILED);
            JsonView answer = guest.call("frail__echo", "{}");
            assertThat(Words.kind(answer)).isEqualTo("permanently_failed policy not_sent");
            JsonView cause = Objects.requireNonNull(answer.path("result", "_meta", "fusebox/error", "cause"));
            assertThat(Objects.requireNonNull(cause.member("exitCode")).json()).isEqualTo("7");
            assertThat(Words.said(answer)).contains("crashed 3 times in 5 minutes", "fusebox restart frail");
            // One that has crashed may still be tidied up.
            eventually(
                    "no server process is running",
                    () -> assertThat(street.processes()).isEmpty());
            assertThat(guest.tools()).contains("frail__echo");
            assertThat(server(street, "frail").controls().restart().status()).isEqualTo(ServerStatus.ONLINE);
            assertThat(Words.said(guest.call("frail__echo", "{\"text\":\"again\"}")))
                    .isEqualTo("again");
        }
    }

    @Test
    void who_else_has_a_tool_of_a_server_that_was_given_up_is_told() {
        try (Street street = Street.plan()
                .house(House.of("frail", Gate.script(Era.LEGACY)).life(RecoveryStoryTest::stopping))
                .server("other", Gate.script(Era.LEGACY))
                .open()) {
            Guest guest = greeted(street);
            guest.eventuallySees("other__echo");
            for (int i = 0; i < 3; i++) {
                Guest another = Guest.of(street);
                another.call("frail__echo", "{\"text\":\"up\"}");
                another.call("frail__crash", "{\"how\":\"7\"}");
            }
            street.eventuallyIs("frail", ServerStatus.PERMANENTLY_FAILED);
            JsonView answer = guest.call("frail__echo", "{}");
            assertThat(Words.kind(answer)).isEqualTo("permanently_failed policy not_sent");
            assertThat(Words.at(answer, "result", "_meta", "fusebox/error", "alternatives")
                            .json())
                    .isEqualTo("[{\"server\":\"other\",\"tool\":\"echo\"}]");
        }
    }

    @Test
    void whoever_connects_is_the_probe_whatever_the_cooldown_and_clears_nothing_if_that_fails() throws Exception {
        try (Street street = Street.plan()
                .house(House.at("shop", booth.uri()).lane(RecoveryStoryTest::touchy))
                .open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("shop__work");
            booth.answer(Booth.Reply.of(503));
            guest.call("shop__work", "{}");
            assertThat(street.state("shop")).isEqualTo(State.OPEN);
            // Whatever the server still said would be a sign of life.
            eventually("the server is at rest", server(street, "shop")::isAtRest);
            booth.close();
            assertThat(server(street, "shop").controls().connect().status().isDown())
                    .isTrue();
            assertThat(street.state("shop")).isEqualTo(State.OPEN);
            assertThat(guest.failure("shop__work")).startsWith("breaker_open");
        }
    }

    @Test
    void a_server_that_is_back_is_found_so_by_whoever_connects() throws Exception {
        try (Street street = Street.plan()
                .house(House.at("shop", booth.uri()).lane(RecoveryStoryTest::touchy))
                .open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("shop__work");
            booth.answer(Booth.Reply.of(503));
            guest.call("shop__work", "{}");
            assertThat(street.state("shop")).isEqualTo(State.OPEN);
            booth.answer(Booth.DONE);
            booth.rename("think", "rest");
            assertThat(server(street, "shop").controls().connect().status()).isEqualTo(ServerStatus.ONLINE);
            assertThat(street.state("shop")).isEqualTo(State.CLOSED);
            guest.eventuallySees("shop__rest");
            assertThat(Words.said(guest.call("shop__work", "{}"))).isEqualTo("done");
        }
    }

    /// Opens at the first failure, for long.
    private static PipelineRules touchy(PipelineRules lane) {
        return lane.with(BreakerPolicy.defaults()
                        .with(new TripRule.Consecutive(1))
                        .with(Cooldown.growing(Duration.ofHours(1))))
                .with(RetryRules.of(1, List.of(Duration.ofMillis(1)), 0.1, true));
    }

    @Test
    void what_a_server_offers_is_told_when_it_is_found_and_when_it_changes() {
        Queue<LifecycleEvent> told = new ConcurrentLinkedQueue<>();
        try (Street street = Street.plan()
                .house(House.of("one", Gate.script(Era.BOTH)))
                .telling((server, event) -> told.add(event))
                .open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("one__echo");
            street.eventuallyIs("one", ServerStatus.ONLINE);
            int count = guest.tools().size();
            assertThat(told)
                    .filteredOn(LifecycleEvent.ToolsDiscovered.class::isInstance)
                    .singleElement()
                    .isInstanceOfSatisfying(LifecycleEvent.ToolsDiscovered.class, discovered -> {
                        assertThat(discovered.count()).isEqualTo(count);
                        assertThat(discovered.tokens()).isGreaterThan(count);
                    });
            assertThat(told).noneMatch(LifecycleEvent.ToolsUpdated.class::isInstance);
            guest.call("one__test_trigger_tool_change", "{}");
            eventually(
                    "the update of the tools is reported",
                    () -> told.stream().anyMatch(LifecycleEvent.ToolsUpdated.class::isInstance));
            assertThat(told)
                    .filteredOn(LifecycleEvent.ToolsUpdated.class::isInstance)
                    .singleElement()
                    .isInstanceOfSatisfying(LifecycleEvent.ToolsUpdated.class, updated -> {
                        assertThat(updated.added()).hasSize(1);
                        assertThat(updated.removed()).isEmpty();
                        assertThat(updated.changed()).isEmpty();
                    });
        }
    }

    @Test
    void one_that_was_given_up_needs_no_person_to_come_back() {
        try (Street street = street(life -> new LifecycleSettings(
                true,
                new LifecycleSettings.Crashes(1, Duration.ofMinutes(5), true),
                life.restartDelays(),
                new LifecycleSettings.Polls(
                        life.polls().health(),
                        Duration.ZERO,
                        Duration.ofMillis(300),
                        life.polls().limit())))) {
            Guest guest = greeted(street);
            guest.call("frail__crash", "{}");
            eventually(
                    "the end of the restarts is reported",
                    () -> happened.stream().anyMatch(LifecycleEvent.GivenUp.class::isInstance));
            street.eventuallyIs("frail", ServerStatus.ONLINE);
        }
    }

    @Test
    void three_calls_that_see_a_server_again_make_one_reading_and_its_new_tools_are_there() throws Exception {
        try (Street street = Street.plan().house(House.at("shop", booth.uri())).open()) {
            Guest guest = Guest.of(street);
            guest.eventuallySees("shop__work");
            street.eventuallyIs("shop", ServerStatus.ONLINE);
            booth.answer(Booth.Reply.of(503));
            guest.call("shop__work", "{}");
            street.eventuallyIs("shop", ServerStatus.ERROR);
            int listed = booth.lists();
            booth.rename("think", "rest");
            booth.answer(Booth.DONE);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Guest other = Guest.of(street);
                callers.add(Thread.ofVirtual().start(() -> other.call("shop__work", "{}")));
            }
            for (Thread caller : callers) {
                caller.join();
            }
            guest.eventuallySees("shop__work", "shop__rest");
            street.eventuallyIs("shop", ServerStatus.ONLINE);
            assertThat(booth.lists()).isEqualTo(listed + 1);
        }
    }
}
