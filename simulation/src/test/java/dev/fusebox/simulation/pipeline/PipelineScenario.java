package dev.fusebox.simulation.pipeline;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HalfOpen;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;

/// One run: a few servers, one of them always healthy, and clients that call all of them, cancel and disappear. At
/// the end the servers are healthy again, and must be found so.
final class PipelineScenario {
    private static final int CALLS_EACH = 8;
    private static final List<RetrySafety> REPLAYS = List.of(RetrySafety.values());
    private static final List<String> TOOLS = List.of("write", "read", "write other");

    /// Longer than the longest cooldown and every lease together.
    private static final Duration QUIET = Duration.ofMinutes(10);

    private static final Duration PACE = Duration.ofMillis(100);

    /// The start of a process, the handshake, and four transits of the pipe.
    private static final Duration SLOWEST_HEALTHY = Duration.ofMillis(100 + 40 + 10);

    private final Simulation sim;
    private final InjectedFault injectedFault;
    private final Coverage coverage;
    private final Breakers breakers;
    private final List<CheckedPipeline> pipelines = new ArrayList<>();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final List<SimulatedSite> sites = new ArrayList<>();
    private final CheckedPipeline well;
    private int lastTag;

    PipelineScenario(Simulation sim, InjectedFault injectedFault, Coverage coverage) {
        this.sim = sim;
        this.injectedFault = injectedFault;
        this.coverage = coverage;
        this.breakers = Breakers.settings()
                .surroundings(PlatformSurroundings.of(sim.platform()))
                .build();
        this.well = pipeline(
                rules("well", false).with(new FairBulkhead.Limits(100, 100, 1 << 20)), new HealthyServer(PACE));
        int others = sim.random().nextInt(1, 3);
        for (int i = 0; i < others; i++) {
            pipeline(rules("sick" + i, false), ServerBehaviour.of(sim));
        }
        if (sim.random().nextBoolean()) {
            site(rules("site", true), ServerBehaviour.of(sim));
        }
    }

    private CheckedPipeline pipeline(PipelineRules rules, ProcessScript script) {
        SimulatedServer server = new SimulatedServer(sim.platform(), rules.server(), injectedFault.on(sim, script));
        servers.add(server);
        return add(new CheckedPipeline(sim, rules, breakers, server));
    }

    private void site(PipelineRules rules, SimulatedSite.Script script) {
        SimulatedSite site = new SimulatedSite(sim.platform(), rules.server(), script);
        sites.add(site);
        add(new CheckedPipeline(sim, rules, breakers, site));
    }

    private CheckedPipeline add(CheckedPipeline pipeline) {
        pipelines.add(pipeline);
        return pipeline;
    }

    private PipelineRules rules(String server, boolean remote) {
        RandomGenerator random = sim.random();
        int probes = random.nextInt(1, 4);
        BreakerPolicy policy = BreakerPolicy.defaults()
                .with(new TripRule.Consecutive(random.nextInt(1, 5)))
                .with(new Cooldown(cooldown(random), 2, Duration.ofMinutes(2), 0))
                .with(new HalfOpen(probes, random.nextInt(1, probes + 1)));
        PipelineRules.Tools tools = new PipelineRules.Tools(
                random.nextInt(3) > 0, policy.with(new TripRule.Consecutive(2)), random.nextBoolean());
        return PipelineRules.of(server, remote)
                .with(policy)
                .with(tools)
                .with(RetryRules.usual(remote).forVital(random.nextBoolean()))
                .with(new FairBulkhead.Limits(random.nextInt(1, 6), random.nextInt(0, 6), 1 << 20));
    }

    /// One in three is shorter than the delay before a retry.
    private static Duration cooldown(RandomGenerator random) {
        return Duration.ofMillis(random.nextInt(3) == 0 ? random.nextInt(100, 600) : random.nextInt(1_000, 30_000));
    }

    // ---- The clients

    void begin() throws InterruptedException {
        int clients = sim.random().nextInt(2, 5);
        CountDownLatch done = new CountDownLatch(clients);
        for (int i = 0; i < clients; i++) {
            String client = "client " + i;
            sim.spawn(client, () -> {
                callRepeatedly(client);
                done.countDown();
            });
        }
        sim.atEnd(this::ended);
        done.await();
        recover();
    }

    /// Most wait for their responses before they continue; some have several calls in flight.
    private void callRepeatedly(String client) throws InterruptedException {
        boolean isPatient = sim.random().nextInt(3) > 0;
        CountDownLatch answered = new CountDownLatch(CALLS_EACH);
        List<SimulatedWait> callers = new ArrayList<>();
        for (int i = 0; i < CALLS_EACH; i++) {
            sim.platform().pause(Duration.ofMillis(sim.random().nextInt(isPatient ? 20_000 : 2_000)));
            CheckedPipeline pipeline = pipelines.get(sim.random().nextInt(pipelines.size()));
            SimulatedWait simulatedWait = simulatedWait();
            callers.add(simulatedWait);
            Runnable call = () -> {
                call(pipeline, clientCall(client), simulatedWait);
                answered.countDown();
            };
            if (isPatient) {
                call.run();
            } else {
                sim.spawn(client + " call " + i, call::run);
            }
        }
        if (sim.random().nextInt(4) == 0) {
            callers.forEach(SimulatedWait::leave);
        }
        answered.await();
    }

    private ClientCall clientCall(Object client) {
        RetrySafety retrySafety = sim.random().nextInt(4) > 0
                ? RetrySafety.SAFE
                : REPLAYS.get(sim.random().nextInt(REPLAYS.size()));
        return new ClientCall(++lastTag, client, TOOLS.get(sim.random().nextInt(TOOLS.size())), retrySafety);
    }

    /// One in six cancels before its time is over.
    private SimulatedWait simulatedWait() {
        Duration limit = Duration.ofMillis(sim.random().nextInt(200, 20_000));
        SimulatedWait simulatedWait =
                new SimulatedWait(sim, injectedFault == InjectedFault.OVERTIME ? limit.plusSeconds(1) : limit);
        if (injectedFault == InjectedFault.OVERTIME) {
            simulatedWait.promise(limit);
        }
        if (sim.random().nextInt(6) == 0) {
            simulatedWait.leaveAfter(Duration.ofMillis(sim.random().nextInt(12_000)));
        }
        return simulatedWait;
    }

    private void call(CheckedPipeline pipeline, ClientCall clientCall, SimulatedWait simulatedWait) {
        Outcome outcome = pipeline.call(clientCall, simulatedWait);
        if (pipeline.equals(well) && simulatedWait.isStillThere()) {
            isUnharmed(outcome, simulatedWait);
        }
    }

    /// The other servers may crash and hang: this one answers as if it were alone.
    private void isUnharmed(Outcome outcome, SimulatedWait simulatedWait) {
        boolean isInTime = sim.elapsed().minus(simulatedWait.begun()).compareTo(SLOWEST_HEALTHY) <= 0;
        if (!isInTime || !(outcome instanceof Outcome.Answered)) {
            throw new AssertionError("a healthy server was affected by the others: " + outcome);
        }
    }

    // ---- Recovery

    private void recover() throws InterruptedException {
        servers.forEach(server -> server.follow(injectedFault.on(sim, new HealthyServer(PACE))));
        sites.forEach(site -> site.follow(new HealthyServer(PACE)));
        sim.platform().pause(QUIET);
        for (CheckedPipeline pipeline : pipelines) {
            isFoundWell(pipeline);
        }
    }

    /// The first calls find the server healthy and open the pipeline step by step; then as many as allowed are
    /// admitted.
    private void isFoundWell(CheckedPipeline pipeline) throws InterruptedException {
        int tests = pipeline.rules().breaker().halfOpen().successesToClose() + 3;
        for (int i = 0; i < tests; i++) {
            mustAnswer(pipeline, Duration.ofMinutes(1));
        }
        if (pipeline.breaker().state() != State.CLOSED) {
            throw new AssertionError(pipeline.breaker() + ", but its server is healthy");
        }
        int atOnce = pipeline.equals(well) ? 1 : pipeline.rules().limits().callsAtOnce();
        CountDownLatch all = new CountDownLatch(atOnce);
        for (int i = 0; i < atOnce; i++) {
            sim.spawn("after all " + i, () -> {
                // There is no time for one after the other: a call that finds no free place fails.
                mustAnswer(pipeline, SLOWEST_HEALTHY);
                all.countDown();
            });
        }
        all.await();
    }

    private void mustAnswer(CheckedPipeline pipeline, Duration limit) {
        ClientCall clientCall = new ClientCall(++lastTag, "after all", "another " + lastTag, RetrySafety.SAFE);
        Outcome outcome = pipeline.call(clientCall, new SimulatedWait(sim, limit));
        if (!(outcome instanceof Outcome.Answered)) {
            throw new AssertionError(pipeline.rules().server() + " is healthy, but a call ended with " + outcome);
        }
    }

    private void ended() {
        pipelines.forEach(pipeline -> pipeline.tell(coverage));
        for (SimulatedSite site : sites) {
            if (site.disobeyed() > 0) {
                throw new AssertionError("a site that asked for a pause got " + site.disobeyed() + " calls");
            }
        }
    }
}
