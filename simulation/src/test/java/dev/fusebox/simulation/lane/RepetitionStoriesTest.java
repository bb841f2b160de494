package dev.fusebox.simulation.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.simulation.lane.ProcessScript.Birth;
import dev.fusebox.simulation.lane.ProcessScript.Deed;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What is sent a second time, and what a caller is told of it.
class RepetitionStoriesTest {
    private static final int SEEDS = 10;

    @BeforeAll
    static void hush() {
        Quiet.begin();
    }

    /// Three attempts each, and each of them tries to connect.
    @Test
    void all_attempts_of_a_call_that_finds_nobody_are_one_failure() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.site(sim, puppet);
            puppet.leaves();
            scene.calls(Scene.THRESHOLD - 1);
            assertThat(scene.state()).isEqualTo(State.CLOSED);
            scene.call();
            assertThat(scene.state()).isEqualTo(State.OPEN);
        });
    }

    @Test
    void a_connection_that_many_wait_for_is_one_failure_and_so_are_their_repetitions() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.site(sim, puppet);
            puppet.leaves();
            scene.crowd(50, number -> scene.call());
            assertThat(scene.breaker().snapshot().counts().failureCount()).isOne();
            puppet.recovers();
            assertThat(scene.call()).isInstanceOf(Outcome.Answered.class);
        });
    }

    @Test
    void of_a_thousand_lost_replies_none_is_asked_for_again_and_all_are_called_unknown() {
        Seeds.count(1).within(new Limits(1_000_000, Duration.ofMinutes(1))).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            for (int i = 0; i < 1_000; i++) {
                puppet.does(Deed.CRASH_AFTER);
                CallFailure failure = Scene.failure(scene.call());
                puppet.recovers();

                assertThat(failure.code()).isEqualTo(ErrorCode.SERVER_CRASHED);
                assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
                assertThat(scene.journal().executions(2 * i + 1)).isOne();
                assertThat(scene.call()).isInstanceOf(Outcome.Answered.class);
            }
            assertThat(scene.journal().calls()).isEqualTo(2_000);
        });
    }

    @Test
    void a_call_whose_first_attempt_may_have_run_is_never_called_not_sent() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.process(sim, puppet);
            scene.call();
            puppet.does(Deed.CRASH_AFTER);
            puppet.starts(new Birth(Birth.Kind.SHORTAGE, Duration.ofMillis(20)));
            CallFailure failure = Scene.failure(scene.call("read", Scene.LIMIT));

            assertThat(scene.journal().executions(2)).isOne();
            assertThat(scene.journal().starts()).as("it was tried again").isEqualTo(2);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        });
    }

    @Test
    void a_call_that_rests_does_not_come_back_to_a_breaker_that_opened_meanwhile() {
        Seeds.count(SEEDS).run(sim -> {
            Puppet puppet = new Puppet();
            Scene scene = Scene.site(sim, puppet);
            puppet.replies(SimulatedSite.Deed.BROKEN);
            scene.calls(Scene.THRESHOLD - 1);
            scene.crowd(2, number -> {
                // The first is refused and rests before it tries again; the second is the failure too many.
                puppet.replies(number == 0 ? SimulatedSite.Deed.REFUSED : SimulatedSite.Deed.BROKEN);
                assertThat(scene.call()).isInstanceOf(Outcome.Failed.class);
            });

            assertThat(scene.state()).isEqualTo(State.OPEN);
            assertThat(scene.journal().calls()).isEqualTo(Scene.THRESHOLD + 1);
        });
    }

    /// Two probes: one is refused and rests, the other fails; another has become the probe when the first is
    /// rested.
    @Test
    void a_probe_that_rests_does_not_come_back_beside_the_probe_that_followed_it() {
        Seeds.count(SEEDS).run(sim -> {
            Duration cooldown = Duration.ofMillis(100);
            PipelineRules rules = Scene.rules("server", true)
                    .with(BreakerPolicy.defaults()
                            .with(new TripRule.Consecutive(1))
                            .with(Cooldown.fixed(cooldown))
                            .with(new HalfOpen(2, 2)));
            Puppet puppet = new Puppet();
            Scene scene = new Scene(sim, rules, new SimulatedSite(sim.platform(), "server", puppet));
            puppet.replies(SimulatedSite.Deed.BROKEN);
            scene.call();
            scene.pause(cooldown);
            scene.crowd(3, number -> {
                puppet.replies(number == 0 ? SimulatedSite.Deed.REFUSED : SimulatedSite.Deed.BROKEN);
                if (number == 2) {
                    scene.pause(cooldown.multipliedBy(2));
                    puppet.replies(SimulatedSite.Deed.HANG);
                }
                scene.call();
            });

            assertThat(scene.journal().calls()).isEqualTo(1 + 3);
        });
    }
}
