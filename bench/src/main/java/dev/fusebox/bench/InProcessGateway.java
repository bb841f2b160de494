package dev.fusebox.bench;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.front.StdioFrontEnd;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/// A gateway with its own front end, call pipeline and breakers in this process, before one real server, with a
/// client that passes frames directly: measures the time of a frame inside the gateway, which no client can
/// observe. Started by `bench/promises`; prints JSON.
///
/// `refusals CALLS SECONDS`: a tool's breaker is open while so many calls of another tool hang; refusals at 1,000
/// a second. `deadlines CALLS`: so many calls whose times end within one second.
final class InProcessGateway {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration FOR_EVER = Duration.ofMinutes(10);
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int RATE = 1000;
    private static final int WARM_SECONDS = 5;

    /// More than the number of pending calls, so that only the breaker rejects.
    private static final int ROOM = 100_000;

    private static final long ROOM_BYTES = 1L << 30;

    private final Frames frames = new Frames();
    private long lastId;

    private InProcessGateway() {}

    /// Takes the command of the server, in two words, and what is to be measured.
    public static void main(String[] words) throws InterruptedException {
        System.out.println(measured(List.of(words)).json());
    }

    /// What came out, in milliseconds.
    ///
    /// @param answered the median of calls that a server answered, in the same run; 0 if there were none
    /// @param others answers that were not the expected ones
    /// @param hanging calls that still waited at the end
    record Measured(double p50, double p99, double max, double answered, long others, long hanging) {
        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"p50\":%.4f,\"p99\":%.4f,\"max\":%.4f,\"answered\":%.4f,\"others\":%d,\"hanging\":%d}",
                    p50,
                    p99,
                    max,
                    answered,
                    others,
                    hanging);
        }
    }

    static Measured measured(List<String> words) throws InterruptedException {
        ChildSpec server = ChildSpec.of(words.get(0), words.get(1));
        int calls = Integer.parseInt(words.get(3));
        InProcessGateway inProcessGateway = new InProcessGateway();
        return switch (words.get(2)) {
            case "refusals" ->
                inProcessGateway.serving(
                        server, FOR_EVER, () -> inProcessGateway.refusals(calls, Integer.parseInt(words.get(4))));
            case "deadlines" -> inProcessGateway.serving(server, DEADLINE, () -> inProcessGateway.deadlines(calls));
            default -> throw new IllegalArgumentException("refusals or deadlines, not " + words.get(2));
        };
    }

    private interface Measuring {
        Measured measure() throws InterruptedException;
    }

    private Measured serving(ChildSpec server, Duration timeout, Measuring work) throws InterruptedException {
        Platform platform = Platform.system();
        try (ChildProcesses children = ChildProcesses.open(platform);
                Breakers breakers = Breakers.settings()
                        .surroundings(PlatformSurroundings.of(platform))
                        .build()) {
            SessionSettings settings =
                    SessionSettings.of("s").withTimeout(timeout).withCalls(ROOM, ROOM_BYTES);
            // Longer than any measurement: a probe would be a call that is not refused.
            BreakerPolicy toolPolicy = PipelineRules.Tools.USUAL.policy().with(Cooldown.fixed(Duration.ofDays(1)));
            PipelineRules rules = PipelineRules.of("s", false)
                    .with(new PipelineRules.Tools(true, toolPolicy, true))
                    .with(new FairBulkhead.Limits(ROOM, ROOM, ROOM_BYTES));
            ServerSpec spec = new ServerSpec(
                    FrontTarget.of(settings, new StdioConnector(platform, "s", children, server)),
                    () -> new CallPipeline(platform, rules, breakers),
                    ServerPolicy.within(timeout),
                    LifecycleSettings.usual(true));
            UpstreamServers.Parameters parameters = new UpstreamServers.Parameters(settings, SessionBounds.USUAL, 100);
            UpstreamServers.Servers servers = UpstreamServers.Servers.of(List.of(spec), List.of(), Map.of());
            try (UpstreamServers upstreamServers =
                    new UpstreamServers(platform, parameters, servers, SecretIds.system())) {
                var streams = new StdioFrontEnd.Streams(frames.in(), frames.out());
                StdioFrontEnd front =
                        new StdioFrontEnd(platform, new MultipleServers(upstreamServers), SecretIds.system(), streams);
                front.start(() -> {});
                greet();
                Measured measured = work.measure();
                front.close(Duration.ofMillis(1));
                return measured;
            }
        }
    }

    // ---- What is measured

    private Measured refusals(int calls, int seconds) throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            await(call("err"));
        }
        atRate(WARM_SECONDS * RATE, "err");
        List<Long> hanging =
                LongStream.range(0, calls).mapToObj(i -> call("hang")).toList();
        long[] answered = micros(atRate(seconds * RATE, "echo"), 0);
        List<Long> asked = atRate(seconds * RATE, "err");
        long others = asked.stream()
                .filter(id -> !frames.says(id, "tool_breaker_open"))
                .count();
        long still = hanging.stream().filter(id -> !frames.isAnswered(id)).count();
        return measured(micros(asked, 0), median(answered), others, still);
    }

    private Measured deadlines(int calls) throws InterruptedException {
        atRate(WARM_SECONDS * RATE, "echo");
        List<Long> asked = evenly(calls, TimeUnit.SECONDS.toNanos(1) / calls, "hang");
        long others =
                asked.stream().filter(id -> !frames.says(id, "\"timeout\"")).count();
        return measured(micros(asked, DEADLINE.toNanos()), 0, others, 0);
    }

    private List<Long> atRate(int calls, String tool) throws InterruptedException {
        return evenly(calls, TimeUnit.SECONDS.toNanos(1) / RATE, tool);
    }

    /// Calls at a fixed interval; returns when all are answered.
    private List<Long> evenly(int calls, long distance, String tool) throws InterruptedException {
        long begun = System.nanoTime();
        long[] ids = new long[calls];
        for (int i = 0; i < calls; i++) {
            awaitTime(begun + i * distance);
            ids[i] = call(tool);
        }
        for (long id : ids) {
            await(id);
        }
        return LongStream.of(ids).boxed().toList();
    }

    private static void awaitTime(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /// The deviation of each from its deadline, sorted.
    private long[] micros(List<Long> ids, long expected) {
        return ids.stream()
                .mapToLong(id -> Math.abs(frames.took(id) - expected) / 1000)
                .sorted()
                .toArray();
    }

    private static Measured measured(long[] micros, double answered, long others, long hanging) {
        double p99 = micros[micros.length * 99 / 100] / 1000.0;
        double max = micros[micros.length - 1] / 1000.0;
        return new Measured(median(micros), p99, max, answered, others, hanging);
    }

    private static double median(long[] micros) {
        return micros[micros.length / 2] / 1000.0;
    }

    // ---- The client

    private void greet() throws InterruptedException {
        long id = ++lastId;
        frames.send(
                id,
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                        + "\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}");
        await(id);
        frames.send(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        await(call("echo"));
    }

    private long call(String tool) {
        long id = ++lastId;
        frames.send(
                id,
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"s__" + tool
                        + "\",\"arguments\":{\"message\":\"hello\"}}}");
        return id;
    }

    private void await(long id) throws InterruptedException {
        await(() -> frames.isAnswered(id));
    }

    private static void await(BooleanSupplier isThere) throws InterruptedException {
        long until = System.nanoTime() + BOUND.toNanos();
        while (!isThere.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException("no answer within " + BOUND.toSeconds() + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
