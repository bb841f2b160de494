package dev.fusebox.simulation.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.config.PoolRules;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.era.UpstreamEndpoint;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.gateway.pool.PoolPolicy;
import dev.fusebox.gateway.routing.ExposurePolicy;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.ReloadAction;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.routing.UserLogins;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.task.TaskKey;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.Simulation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/// A gateway with many servers and their lifecycles under faults: processes that crash, hang and fail to start,
/// clients that call, an operator that restarts, connects, disables, enables and changes servers. For the threads
/// of one simulation.
///
/// Invariants: there are never more processes than slots; each change of status starts from the last status; a
/// server that was given up is not started; a disabled server reports that and has no process; and when the faults
/// end, every server recovers by itself or when it is called (twice if the start took the time limit of the first
/// call), and its status is correct.
final class GatewayScenario {
    private static final Duration CALL = Duration.ofSeconds(3);

    /// A slot belongs to another server for up to 5 s after its last use, and a start takes up to 1.5 s: more than
    /// two calls.
    private static final int CALLS_UNTIL_STARTED = 3;

    private static final Duration CONNECT = Duration.ofSeconds(4);
    private static final Duration DRAIN = Duration.ofSeconds(2);
    private static final int BAD_WEATHER_MILLIS = 240_000;

    /// Longer than any cooldown, any restart delay, and any series of self-probes that the faults can cause.
    private static final Duration RECOVERY_TIME = Duration.ofHours(1);

    private static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private final Simulation sim;
    private final Platform platform;
    private final Breakers breakers;
    private final Map<String, SimulatedServer> servers = new TreeMap<>();
    private final Map<String, ServerStatus> last = new HashMap<>();
    private final Map<String, Integer> givenUpAt = new HashMap<>();
    private final CountDownLatch busy;
    private final Map<String, Integer> seen;
    private final PoolRules places;
    private final Pool pool;
    private final UpstreamServers upstreamServers;
    private final UpstreamEndpoint router;
    private int lastTag;

    /// @param seen the number of occurrences of each event
    GatewayScenario(Simulation sim, Map<String, Integer> seen) {
        this.sim = sim;
        this.seen = seen;
        this.platform = withThreads(sim);
        this.breakers = Breakers.settings()
                .surroundings(PlatformSurroundings.of(platform))
                .build();
        for (String name : List.of("a", "b", "c").subList(0, 1 + sim.random().nextInt(3))) {
            servers.put(name, new SimulatedServer(platform, name, ServerBehaviour.of(sim)));
        }
        this.places = places(sim, servers.size());
        this.pool = new Pool(platform, "town", places);
        UpstreamServers.Parameters parameters = new UpstreamServers.Parameters(
                SessionSettings.of("town"),
                SessionBounds.USUAL,
                10,
                this::lived,
                CallObserver.NONE,
                ExposurePolicy.proxy(),
                CatalogStore.NONE,
                UserLogins.NONE,
                TaskKey.OF_THIS_RUN);
        List<ServerSpec> specs = servers.keySet().stream().map(this::spec).toList();
        this.upstreamServers = new UpstreamServers(
                platform, parameters, UpstreamServers.Servers.of(specs, List.of(), Map.of()), platform.random());
        this.router = new MultipleServers(upstreamServers).endpoint(platform, platform.random());
        this.busy = new CountDownLatch(servers.size() * 2 + 1);
    }

    /// The time of day is wrong on purpose, since it must not matter. A thread that a timer starts belongs to the
    /// simulation only if a simulated thread starts it.
    private static Platform withThreads(Simulation sim) {
        Platform plain = sim.platform();
        Timers timers = new Timers() {
            @Override
            public Timer schedule(Duration delay, Runnable action) {
                return plain.timers().schedule(delay, () -> sim.spawn("timer", action::run));
            }

            @Override
            public void park(long nanos) {
                plain.timers().park(nanos);
            }
        };
        InstantSource liar = () ->
                plain.wallClock().instant().plus(Duration.ofHours(sim.random().nextInt(-48, 49)));
        return new Platform(
                plain.ticker(),
                liar,
                plain.random(),
                timers,
                plain.environment(),
                plain.processes(),
                plain.peerUsers());
    }

    /// Enough for all, or for all but one.
    private static PoolRules places(Simulation sim, int servers) {
        int size = Math.max(1, servers - sim.random().nextInt(2));
        return new PoolRules(
                size,
                new PoolRules.Reserve(sim.random().nextInt(2), Duration.ofSeconds(1)),
                new PoolRules.IdleRules(sim.random().nextInt(size), Duration.ofMinutes(2)),
                new PoolRules.Waiting(100, Duration.ofSeconds(10)));
    }

    private ServerSpec spec(String name) {
        SessionSettings settings = SessionSettings.of(name).withTimeout(CALL).withConnectTimeout(CONNECT);
        SimulatedServer server = Objects.requireNonNull(servers.get(name));
        FrontTarget frontTarget = FrontTarget.of(settings, server).withEra(EraPolicy.SESSION);
        return new ServerSpec(
                        frontTarget,
                        () -> new CallPipeline(platform, pipeline(name), breakers),
                        ServerPolicy.within(CALL),
                        life())
                .with(new PoolPolicy(pool, IdlePolicy.usual()));
    }

    private static PipelineRules pipeline(String name) {
        return PipelineRules.of(name, false)
                .with(BreakerPolicy.defaults().with(Cooldown.growing(Duration.ofSeconds(10))));
    }

    private static LifecycleSettings life() {
        LifecycleSettings usual = LifecycleSettings.usual(true);
        LifecycleSettings stopping = usual.with(new LifecycleSettings.Crashes(3, Duration.ofMinutes(5), true));
        return stopping.with(new LifecycleSettings.Polls(
                usual.polls().health(),
                Duration.ofSeconds(40),
                Duration.ofMinutes(2),
                usual.polls().limit()));
    }

    private void saw(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    // ---- Events

    private void lived(String server, LifecycleEvent event) {
        if (!(event
                instanceof LifecycleEvent.StatusChanged(ServerStatus previous, ServerStatus status, String message))) {
            saw(event.getClass().getSimpleName());
            return;
        }
        saw(status.toString());
        ServerStatus known = last.put(server, status);
        assertThat(known == null || known == previous)
                .as("%s was %s, but the event says %s", server, known, previous)
                .isTrue();
        Integer startsThen = givenUpAt.remove(server);
        int starts = journal(server).starts();
        if (startsThen != null) {
            assertThat(starts).as("starts of %s after it was given up", server).isEqualTo(startsThen);
        }
        if (status == ServerStatus.PERMANENTLY_FAILED) {
            givenUpAt.put(server, starts);
        }
    }

    private ServerJournal journal(String server) {
        return Objects.requireNonNull(servers.get(server)).journal();
    }

    // ---- Actions

    void begin() {
        for (String server : servers.keySet()) {
            sim.spawn("client of " + server, () -> calls(server));
            sim.spawn("other client of " + server, () -> calls(server));
        }
        sim.spawn("operator", this::operate);
        sim.spawn("judge", this::checkRecovery);
        sim.afterEachStep(this::bounds);
    }

    private void bounds() {
        long all = servers.values().stream().mapToLong(SimulatedServer::alive).sum();
        assertThat(all).isLessThanOrEqualTo(places.size() + places.reserve().size());
    }

    private void calls(String server) throws InterruptedException {
        int count = sim.random().nextInt(12);
        for (int i = 0; i < count; i++) {
            platform.pause(Duration.ofMillis(sim.random().nextInt(BAD_WEATHER_MILLIS / 12)));
            long begun = platform.ticker().nanos();
            Outcome outcome = call(server);
            Duration took = Duration.ofNanos(platform.ticker().nanos() - begun);
            assertThat(took).as("%s", outcome).isLessThanOrEqualTo(CALL.plusMillis(100));
            saw(
                    outcome instanceof Outcome.Failed(CallFailure failure)
                            ? failure.code().toString()
                            : "answer");
        }
        busy.countDown();
    }

    private Outcome call(String server) {
        int tag = ++lastTag;
        String params = "{" + META + ",\"name\":\"" + server + "__work\",\"arguments\":{\"tag\":" + tag + "}}";
        Message.Request request = Message.Request.of(JsonRpcFrames.request(RequestId.of(tag), "prompts/get", params));
        Deadline deadline = new Deadline(CALL, Duration.ZERO, platform.ticker());
        ClientMetadata client = Objects.requireNonNull(ClientMetadata.of(request));
        return router.call(new Call(request, client, deadline, Caller.SILENT));
    }

    private void operate() throws InterruptedException {
        List<String> names = List.copyOf(servers.keySet());
        int actions = sim.random().nextInt(7);
        for (int i = 0; i < actions; i++) {
            platform.pause(Duration.ofMillis(sim.random().nextInt(BAD_WEATHER_MILLIS / 6)));
            String server = names.get(sim.random().nextInt(names.size()));
            switch (sim.random().nextInt(5)) {
                case 0 -> restart(server);
                case 1 -> upstreamServers.connect(server);
                case 2 -> disabled(server);
                case 3 -> change(server, new ReloadAction.Added(spec(server)));
                default ->
                    change(
                            server,
                            isOff(server)
                                    ? new ReloadAction.Added(spec(server))
                                    : new ReloadAction.RulesChanged(
                                            server, pipeline(server), ServerPolicy.within(CALL), life()));
            }
        }
        names.stream().filter(this::isOff).forEach(server -> change(server, new ReloadAction.Added(spec(server))));
        busy.countDown();
    }

    private void restart(String server) throws InterruptedException {
        for (UpstreamServer each : upstreamServers.servers()) {
            if (each.id().equals(server)) {
                each.controls().restart();
            }
        }
    }

    private boolean isOff(String server) {
        return snapshot(server).absent() != null;
    }

    private ServerSnapshot snapshot(String server) {
        return upstreamServers.snapshots().stream()
                .filter(snapshot -> snapshot.id().equals(server))
                .findFirst()
                .orElseThrow();
    }

    private void disabled(String server) throws InterruptedException {
        change(server, new ReloadAction.Missing(off(server)));
        assertThat(call(server))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure().code()).isEqualTo(ErrorCode.SERVER_DISABLED));
        // Calls in flight end with the drain, and a process shortly afterwards.
        platform.pause(DRAIN.plus(CONNECT).plus(CONNECT));
        assertThat(alive(server))
                .as("processes of %s while it is disabled", server)
                .isZero();
    }

    private static UnavailableServer off(String server) {
        return new UnavailableServer(server, CallFailure.policy(ErrorId.SERVER_DISABLED, server + " is disabled"));
    }

    /// Another server had its slot, and getting it and the start took the call's time.
    private boolean isStarting(Outcome outcome) {
        return places.size() < servers.size()
                && outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.code() == ErrorCode.TIMEOUT;
    }

    /// An added server has a new lifecycle without history.
    private void change(String changed, ReloadAction reloadAction) {
        List<ReloadAction> reloadActions = new ArrayList<>();
        for (String server : servers.keySet()) {
            if (server.equals(changed)) {
                reloadActions.add(reloadAction);
            } else {
                reloadActions.add(
                        isOff(server) ? new ReloadAction.Missing(off(server)) : new ReloadAction.Unchanged(server));
            }
        }
        boolean wasOff = isOff(changed);
        if (reloadAction instanceof ReloadAction.Added && !wasOff) {
            last.remove(changed);
        }
        givenUpAt.remove(changed);
        saw(reloadAction.getClass().getSimpleName());
        upstreamServers.replaceServers(reloadActions, DRAIN);
    }

    private long alive(String server) {
        return Objects.requireNonNull(servers.get(server)).alive();
    }

    // ---- Recovery

    private void checkRecovery() throws InterruptedException {
        busy.await();
        platform.pause(RECOVERY_TIME);
        // The first call starts a server that is down, and may time out before it is up.
        for (String server : servers.keySet()) {
            call(server);
        }
        platform.pause(Duration.ofMinutes(1));
        for (String server : servers.keySet()) {
            Outcome outcome = call(server);
            for (int again = 0; again < CALLS_UNTIL_STARTED && isStarting(outcome); again++) {
                outcome = call(server);
            }
            assertThat(outcome)
                    .as("%s has recovered: %s", server, snapshot(server).health())
                    .isInstanceOf(Outcome.Answered.class);
        }
        platform.pause(Duration.ofMinutes(1));
        for (String server : servers.keySet()) {
            ServerHealth health = Objects.requireNonNull(snapshot(server).health());
            // A server that was unused for two minutes, or whose slot another one needed, is ready nevertheless.
            assertThat(health.status())
                    .as("%s", health)
                    .isEqualTo(health.live() > 0 ? ServerStatus.ONLINE : ServerStatus.IDLE);
            assertThat(alive(server)).as("%s", health).isEqualTo(health.live());
            saw("healthy and " + health.status());
            assertThat(breakers.health().unhealthyBreakers()).isEmpty();
        }
        upstreamServers.close();
        platform.pause(DRAIN.plus(CONNECT).plus(CONNECT));
        servers.forEach((name, server) -> assertThat(server.alive())
                .as("processes of %s after the gateway has closed", name)
                .isZero());
    }
}
