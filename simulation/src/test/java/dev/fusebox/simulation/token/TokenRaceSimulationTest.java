package dev.fusebox.simulation.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Principal;
import dev.fusebox.oauth.token.LiveToken;
import dev.fusebox.oauth.token.RefreshAnswer;
import dev.fusebox.oauth.token.TokenEndpoint;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenListener;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenResult;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.simulation.ThreadTimers;
import dev.fusebox.simulation.token.SimulatedIssuer.Faults;
import dev.fusebox.simulation.token.SimulatedIssuer.Presentation;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Several processes with several threads each use one login whose access token lives two seconds, at an
/// authorization server that revokes the login when a refresh token is presented twice.
///
/// Over five seconds: many tokens have to expire.
class TokenRaceSimulationTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
    private static final int PROCESSES = 4;
    private static final int THREADS = 3;
    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final TokenKey KEY =
            new TokenKey("https://issuer.example", "https://server.example/mcp", Principal.OWNER);

    @Test
    void every_refresh_token_is_presented_once_and_no_call_fails() {
        seeds().run(sim -> {
            Race race = new Race(sim, Faults.NONE);
            race.begin();
            sim.atEnd(() -> {
                assertThat(race.failures).isEmpty();
                assertThat(race.issuer.presentations().values())
                        .hasSizeGreaterThan(20)
                        .allSatisfy(answers -> assertThat(answers).containsExactly(Presentation.RENEWED));
            });
        });
    }

    @Test
    void refusals_and_slow_answers_cost_no_login() {
        seeds().run(sim -> {
            Race race = new Race(sim, new Faults(5, 5, 0, 0));
            race.begin();
            sim.atEnd(() -> {
                assertThat(race.failures).isEmpty();
                race.checkPresentations();
            });
        });
    }

    @Test
    void only_a_lost_answer_may_cost_the_login_and_the_reason_says_so() {
        seeds().run(sim -> {
            Race race = new Race(sim, new Faults(5, 5, 1, 0));
            race.begin();
            sim.atEnd(() -> {
                assertThat(race.failures)
                        .allSatisfy(reason -> assertThat(reason).contains("had no answer"));
                race.checkPresentations();
            });
        });
    }

    @Test
    void issuer_that_hangs_is_not_asked_to_redeem_a_token_again_before_it_answers_a_probe() {
        seeds().run(sim -> {
            Race race = new Race(sim, new Faults(0, 0, 0, 30));
            race.begin();
            sim.atEnd(() -> {
                assertThat(race.logins).isEmpty();
                assertThat(race.issuer.mostInFlight()).isEqualTo(1);
            });
        });
    }

    @Test
    void killed_processes_leave_no_lock_and_others_go_on() {
        seeds().run(sim -> {
            Race race = new Race(sim, Faults.NONE);
            race.begin();
            for (int i = 0; i < PROCESSES - 1; i++) {
                SimulatedDisk.DiskProcess victim = race.processes.get(i);
                sim.spawn("kill " + i, () -> {
                    sim.platform().pause(Duration.ofMillis(sim.random().nextInt(30_000)));
                    victim.kill();
                });
            }
            sim.atEnd(() -> {
                assertThat(race.disk.isLocked()).isFalse();
                assertThat(race.logins).allSatisfy(reason -> assertThat(reason).contains("had no answer"));
                race.checkPresentations();
            });
        });
    }

    private static Seeds seeds() {
        return Seeds.count(SEEDS).within(new Limits(5_000_000, Duration.ofSeconds(60)));
    }

    /// One run.
    private static final class Race {
        private final Simulation sim;
        private final SimulatedIssuer issuer;
        private final SimulatedDisk disk;
        private final List<SimulatedDisk.DiskProcess> processes = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();
        private final List<String> logins = new ArrayList<>();
        private final TokenRecord first;

        Race(Simulation sim, Faults faults) {
            this.sim = sim;
            this.issuer = new SimulatedIssuer(sim, faults);
            this.disk = new SimulatedDisk(sim);
            TokenRecord.Grant grant = new TokenRecord.Grant(
                    TokenRecord.GrantType.LOGIN,
                    sim.platform().wallClock().instant(),
                    Set.of(KEY.resource()),
                    new TokenRecord.TokenClient("client", false),
                    Set.of(),
                    null);
            first = new TokenRecord(KEY, 1, grant, issuer.first(), new TokenState.Ready());
            disk.put(first);
        }

        void begin() {
            for (int i = 0; i < PROCESSES; i++) {
                SimulatedDisk.DiskProcess process = disk.new DiskProcess();
                processes.add(process);
                LiveToken liveToken = LiveToken.of(
                        ThreadTimers.platform(sim),
                        first,
                        new LiveToken.Sources(process, new Endpoint(process), TokenListener.NONE),
                        "process " + i);
                for (int k = 0; k < THREADS; k++) {
                    sim.spawn(i + "/" + k, () -> work(process, liveToken));
                }
                sim.spawn("end " + i, () -> {
                    sim.platform().pause(LENGTH.plusSeconds(60));
                    liveToken.close();
                });
            }
        }

        private void work(SimulatedDisk.DiskProcess process, LiveToken liveToken) throws InterruptedException {
            while (sim.elapsed().compareTo(LENGTH) < 0 && !process.isKilled()) {
                call(liveToken);
                sim.platform().pause(Duration.ofMillis(sim.random().nextInt(1, 700)));
            }
        }

        private void call(LiveToken liveToken) throws InterruptedException {
            Duration end = sim.elapsed().plusSeconds(60);
            TokenResult result = liveToken.token(() -> end.minus(sim.elapsed()).toNanos());
            if (result instanceof TokenResult.Usable usable) {
                sim.platform().pause(Duration.ofMillis(sim.random().nextInt(5)));
                if (!issuer.accepts(usable.access())) {
                    result = liveToken.rejected(
                            usable.version(), () -> end.minus(sim.elapsed()).toNanos());
                }
            }
            switch (result) {
                case TokenResult.Usable _ -> {
                    // The call went through.
                }
                case TokenResult.Unavailable(String message, Duration _) -> failures.add(message);
                case TokenResult.StoreUnusable(boolean _, String message, Duration _) -> failures.add(message);
                case TokenResult.LoginRequired(String reason) -> {
                    failures.add(reason);
                    logins.add(reason);
                }
            }
        }

        /// A second time only after an answer that refused it, or once after a lost answer.
        void checkPresentations() {
            Map<String, List<Presentation>> all = issuer.presentations();
            all.forEach((token, answers) -> {
                List<Presentation> earlier = answers.subList(0, answers.size() - 1);
                assertThat(earlier).as(token).doesNotContain(Presentation.RENEWED, Presentation.REUSED);
                assertThat(earlier)
                        .as(token)
                        .filteredOn(Presentation.NO_ANSWER::equals)
                        .hasSizeLessThan(2);
            });
        }

        /// The authorization server, as one process reaches it.
        private final class Endpoint implements TokenEndpoint {
            private final SimulatedDisk.DiskProcess process;

            Endpoint(SimulatedDisk.DiskProcess process) {
                this.process = process;
            }

            @Override
            public RefreshAnswer refresh(TokenRecord tokenRecord) {
                try {
                    return issuer.redeem(
                            Objects.requireNonNull(tokenRecord.tokens().refresh()), process::isKilled);
                } catch (InterruptedException never) {
                    throw new IllegalStateException(never);
                }
            }

            @Override
            public ProbeResult probe(TokenRecord tokenRecord) {
                return new ProbeResult.Answered();
            }
        }
    }
}
