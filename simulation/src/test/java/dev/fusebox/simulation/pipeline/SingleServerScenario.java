package dev.fusebox.simulation.pipeline;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/// The setting of a test with one server: its checked pipeline, and calls to it. For the threads of one simulation.
final class SingleServerScenario {
    static final Duration LIMIT = Duration.ofSeconds(3);

    /// The cooldown of the default policy.
    static final Duration COOLDOWN = Duration.ofSeconds(30);

    static final int THRESHOLD = 5;

    private static final int SERVERS = 20_000;

    private final Simulation sim;
    private final Breakers breakers;
    private final CheckedPipeline pipeline;
    private int lastTag;

    SingleServerScenario(Simulation sim, PipelineRules rules, SimulatedUpstream upstream) {
        this(sim, rules, upstream, breakers(sim));
    }

    SingleServerScenario(Simulation sim, PipelineRules rules, SimulatedUpstream upstream, Breakers breakers) {
        this.sim = sim;
        this.breakers = breakers;
        this.pipeline = new CheckedPipeline(sim, rules, breakers, upstream);
    }

    static Breakers breakers(Simulation sim) {
        return Breakers.settings()
                .surroundings(PlatformSurroundings.of(sim.platform()))
                .build();
    }

    /// A server with a process, and the default rules with room for many callers.
    static SingleServerScenario process(Simulation sim, ScriptedUpstream upstream) {
        return new SingleServerScenario(
                sim, rules("server", false), new SimulatedServer(sim.platform(), "server", upstream));
    }

    /// A server without a process, and the default rules with room for many callers.
    static SingleServerScenario site(Simulation sim, ScriptedUpstream upstream) {
        return new SingleServerScenario(
                sim, rules("server", true), new SimulatedSite(sim.platform(), "server", upstream));
    }

    /// The default rules, with room for many callers. Tools are counted consecutively, too, and no cooldown has
    /// jitter: that is what the model supports.
    static PipelineRules rules(String server, boolean remote) {
        Cooldown cooldown = new Cooldown(COOLDOWN, 2, Duration.ofMinutes(5), 0);
        PipelineRules usual =
                PipelineRules.of(server, remote).with(BreakerPolicy.defaults().with(cooldown));
        BreakerPolicy ofTools = usual.tools().policy().with(cooldown).with(new TripRule.Consecutive(THRESHOLD));
        return usual.with(new PipelineRules.Tools(true, ofTools, false))
                .with(new FairBulkhead.Limits(SERVERS, SERVERS, 64L << 20));
    }

    // ---- Calls

    Outcome call() {
        return call("write", LIMIT);
    }

    Outcome call(String tool, Duration limit) {
        return call(tool, new SimulatedWait(sim, limit));
    }

    Outcome call(String tool, SimulatedWait simulatedWait) {
        return pipeline.call(new ClientCall(++lastTag, "client", tool, RetrySafety.SAFE), simulatedWait);
    }

    /// Makes so many calls one after the other.
    List<Outcome> calls(int count) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outcomes.add(call());
        }
        return outcomes;
    }

    /// Runs so many threads at the same time, and waits for all of them.
    void concurrently(int count, IntConsumer work) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            int number = i;
            sim.spawn("one of many " + number, () -> {
                work.accept(number);
                done.countDown();
            });
        }
        done.await();
    }

    void pause(Duration duration) {
        try {
            sim.platform().pause(duration);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    // ---- State

    static CallFailure failure(Outcome outcome) {
        return ((Outcome.Failed) outcome).failure();
    }

    State state() {
        return pipeline.breaker().state();
    }

    CircuitBreaker breaker() {
        return pipeline.breaker();
    }

    State stateOf(String tool) {
        return breakers.find(BreakerName.of("server").tool(tool)).orElseThrow().state();
    }

    long failuresOf(String tool) {
        return breakers.find(BreakerName.of("server").tool(tool))
                .orElseThrow()
                .snapshot()
                .failureCount();
    }

    /// The state, or the other one if the tool was never called.
    State stateOf(String tool, State otherwise) {
        return breakers.find(BreakerName.of("server").tool(tool))
                .map(CircuitBreaker::state)
                .orElse(otherwise);
    }

    ServerJournal journal() {
        return pipeline.journal();
    }

    CheckedPipeline pipeline() {
        return pipeline;
    }
}
