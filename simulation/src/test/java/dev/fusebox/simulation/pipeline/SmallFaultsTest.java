package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.client.resilience.TimeoutArbiter;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.simulation.pipeline.FaultyServer.Fate;
import dev.fusebox.testkit.Limits;
import dev.fusebox.testkit.Seeds;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that small faults stay small, over five minutes of simulated time with the default rules: a share of calls
/// that hang or crash their server, and a tool that crashes it each time. Seeds in the normal run: 20 for each
/// share.
///
/// Over five seconds: the number of seeds.
class SmallFaultsTest {
    private static final int SEEDS = Integer.getInteger("small.faults.seeds", 20);
    private static final Duration LENGTH = Duration.ofMinutes(5);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final Message.Request REQUEST =
            Message.Request.of(JsonRpcFrames.request(RequestId.of("call"), "tools/call", null));

    @BeforeAll
    static void silenceLog() {
        QuietLog.begin();
    }

    /// One server with its pipeline, and the results of the calls to it.
    private static final class Load {
        private final Simulation sim;
        private final FaultyServer server;
        private final CallPipeline pipeline;
        private final TimeoutArbiter arbiter;
        private Duration longestPause = Duration.ofSeconds(1);
        private int answered;
        private int unanswered;
        /// The reasons why calls failed that should have been answered.
        private final Map<String, Integer> reasons = new TreeMap<>();

        Load(Simulation sim) {
            this.sim = sim;
            this.server = new FaultyServer(sim.platform());
            this.pipeline = new CallPipeline(
                    sim.platform(), PipelineRules.of("server", false), SingleServerScenario.breakers(sim));
            this.arbiter = pipeline.arbiter(server);
            server.tell(pipeline::lost);
        }

        Outcome call(Object client, String tool, Fate fate) {
            Deadline deadline =
                    new Deadline(CALL_TIMEOUT, Duration.ZERO, sim.platform().ticker());
            Duration takes = Duration.ofMillis(sim.random().nextInt(1, 100));
            PipelineCall.Kind kind = new PipelineCall.Kind(tool, false, RetrySafety.SAFE);
            return pipeline.call(
                    new PipelineCall(
                            new Call(REQUEST, deadline, Caller.SILENT),
                            kind,
                            client,
                            call -> server.call(call, fate, takes)),
                    arbiter);
        }

        /// Calls that were in flight when another one crashed the server get that error, and are not counted.
        void count(Outcome outcome, Fate fate) {
            if (outcome instanceof Outcome.Answered) {
                answered++;
            } else if (fate != Fate.ANSWERED
                    || ((Outcome.Failed) outcome).failure().code() != ErrorCode.SERVER_CRASHED) {
                unanswered++;
                reasons.merge(
                        fate == Fate.ANSWERED
                                ? ((Outcome.Failed) outcome).failure().code().toString()
                                : "ill",
                        1,
                        Integer::sum);
            }
        }

        double share() {
            return (double) answered / (answered + unanswered);
        }

        /// Lets so many clients call until the time is over.
        void clients(int count, IntFunction<Runnable> call) throws InterruptedException {
            CountDownLatch done = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                Runnable next = call.apply(i);
                sim.spawn("client " + i, () -> {
                    while (sim.elapsed().compareTo(LENGTH) < 0) {
                        next.run();
                        sim.platform().pause(Duration.ofMillis(sim.random().nextLong(1, longestPause.toMillis())));
                    }
                    done.countDown();
                });
            }
            done.await();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void nine_tenths_of_calls_beside_hanging_ones_are_answered(int percent) {
        Seeds.count(SEEDS)
                .within(new Limits(3_000_000, Duration.ofMinutes(2)))
                .run(sim -> share(sim, percent, Fate.HANGS));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void nine_tenths_of_calls_beside_crashing_ones_are_answered(int percent) {
        Seeds.count(SEEDS)
                .within(new Limits(3_000_000, Duration.ofMinutes(2)))
                .run(sim -> share(sim, percent, Fate.CRASHES));
    }

    /// Six clients that call again immediately: crashes and restarts follow each other closely.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void nine_tenths_of_rapid_calls_beside_crashing_ones_are_answered(int percent) {
        Seeds.count(SEEDS).within(new Limits(10_000_000, Duration.ofMinutes(2))).run(sim -> {
            Load load = new Load(sim);
            load.longestPause = Duration.ofMillis(200);
            load.clients(6, client -> () -> {
                Fate fate = sim.random().nextInt(100) < percent ? Fate.CRASHES : Fate.ANSWERED;
                load.count(load.call("client " + client, "tool" + sim.random().nextInt(3), fate), fate);
            });
            assertThat(load.share())
                    .as("%d answered, others: %s", load.answered, load.reasons)
                    .isGreaterThanOrEqualTo(0.9 * (1 - percent / 100.0));
        });
    }

    private static void share(Simulation sim, int percent, Fate fault) throws InterruptedException {
        Load load = new Load(sim);
        int tools = sim.random().nextInt(1, 6);
        load.clients(sim.random().nextInt(1, 20), client -> () -> {
            Fate fate = sim.random().nextInt(100) < percent ? fault : Fate.ANSWERED;
            load.count(load.call("client " + client, "tool" + sim.random().nextInt(tools), fate), fate);
        });
        assertThat(load.share())
                .as("%d answered, others: %s", load.answered, load.reasons)
                .isGreaterThanOrEqualTo(0.9 * (1 - percent / 100.0));
    }

    @Test
    void calls_of_other_tools_are_answered_beside_a_crashing_tool() {
        Seeds.count(SEEDS).within(new Limits(3_000_000, Duration.ofMinutes(2))).run(sim -> {
            Load load = new Load(sim);
            int clients = sim.random().nextInt(2, 20);
            load.clients(clients, client -> () -> {
                if (client > 0) {
                    load.count(load.call("client " + client, "tool" + client % 3, Fate.ANSWERED), Fate.ANSWERED);
                    return;
                }
                load.call("poisoner", "poison", Fate.CRASHES);
                pause(sim, Duration.ofSeconds(10));
            });
            assertThat(load.share()).isGreaterThanOrEqualTo(0.95);
        });
    }

    @Test
    void fast_call_waits_at_most_two_seconds_for_hanging_calls_after_a_recovery() {
        Seeds.count(SEEDS).run(sim -> {
            Load load = new Load(sim);
            for (int i = 0; i < 5; i++) {
                load.pipeline.failed(offline());
            }
            pause(sim, Duration.ofSeconds(31));
            assertThat(load.call("first", "quick", Fate.ANSWERED)).isInstanceOf(Outcome.Answered.class);
            for (int i = 0; i < 50; i++) {
                int number = i;
                sim.spawn("hanging " + i, () -> load.call("hanging " + number % 3, "hanging", Fate.HANGS));
            }
            pause(sim, Duration.ofMillis(sim.random().nextInt(1, 100)));
            Duration begun = sim.elapsed();
            assertThat(load.call("quick", "quick", Fate.ANSWERED)).isInstanceOf(Outcome.Answered.class);
            assertThat(sim.elapsed().minus(begun)).isLessThan(Duration.ofSeconds(2));
        });
    }

    private static CallFailure offline() {
        return CallFailure.notSent(ErrorId.CONNECT_FAILED, FailureCategory.OFFLINE, "connection refused");
    }

    private static void pause(Simulation sim, Duration time) {
        try {
            sim.platform().pause(time);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
