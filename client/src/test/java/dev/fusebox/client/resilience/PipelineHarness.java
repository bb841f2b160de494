package dev.fusebox.client.resilience;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.State;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Call pipeline for tests: the server behaves as each call says, is alive or silent, and the clock can be
/// advanced.
final class PipelineHarness {
    static final Outcome DONE = answered("{\"content\":[]}");
    private final Platform system = Platform.system();
    private final AtomicLong later = new AtomicLong();
    private final Platform platform = new Platform(
            () -> system.ticker().nanos() + later.get(),
            system.wallClock(),
            system.random(),
            system.timers(),
            system.environment(),
            system.processes(),
            system.peerUsers());
    private final Breakers breakers =
            Breakers.settings().surroundings(PlatformSurroundings.of(platform)).build();
    private final AtomicInteger pings = new AtomicInteger();
    private final AtomicInteger disconnects = new AtomicInteger();
    private volatile HealthCheckResult healthCheckResult = HealthCheckResult.ALIVE;
    private volatile int others;
    private final CallPipeline pipeline;
    private final TimeoutArbiter arbiter;

    PipelineHarness(boolean remote) {
        this(PipelineRules.of("server", remote)
                .with(BreakerPolicy.defaults().with(Cooldown.fixed(Duration.ofSeconds(30)))));
    }

    PipelineHarness(PipelineRules rules) {
        pipeline = new CallPipeline(platform, rules, breakers);
        arbiter = pipeline.arbiter(new Signs());
    }

    private final class Signs implements Liveness {
        @Override
        public HealthCheckResult checkHealth(long since, Duration limit) {
            pings.incrementAndGet();
            // A real question takes its time, and the call that raised it has left by then.
            eventually("the call that raised the question has left", () -> pipeline.inFlight() <= others);
            return healthCheckResult;
        }

        @Override
        public boolean hasReceivedSince(long then) {
            return false;
        }

        @Override
        public void disconnect() {
            disconnects.incrementAndGet();
        }
    }

    Platform platform() {
        return platform;
    }

    CallPipeline pipeline() {
        return pipeline;
    }

    PipelineHarness giving(HealthCheckResult sign) {
        healthCheckResult = sign;
        return this;
    }

    /// So many calls stay inside while others come and go.
    PipelineHarness beside(int calls) {
        others = calls;
        return this;
    }

    int pings() {
        return pings.get();
    }

    int disconnects() {
        return disconnects.get();
    }

    void later(Duration by) {
        later.addAndGet(by.toNanos());
    }

    static Outcome answered(String result) {
        String frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}";
        return new Outcome.Answered(Message.Answer.of(frame.getBytes(StandardCharsets.UTF_8)));
    }

    Outcome call(Endpoint endpoint) {
        return call(new PipelineCall.Kind("tool", false, RetrySafety.SAFE), endpoint);
    }

    Outcome call(PipelineCall.Kind kind, Endpoint endpoint) {
        String frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"tool\"}}";
        Message.Request request = Message.Request.of(frame.getBytes(StandardCharsets.UTF_8));
        Deadline deadline = new Deadline(Duration.ofSeconds(60), Duration.ofHours(1), platform.ticker());
        return pipeline.call(
                new PipelineCall(new Call(request, deadline, Caller.SILENT), kind, this, endpoint), arbiter);
    }

    State server() {
        return breakers.breaker(BreakerName.of("server")).state();
    }

    State tool() {
        return tool("tool");
    }

    State tool(String name) {
        return breakers.find(BreakerName.of("server").tool(name)).orElseThrow().state();
    }

    /// Failures that count toward the threshold.
    long failures() {
        return breakers.breaker(BreakerName.of("server")).snapshot().failureCount();
    }

    /// Doubts are settled beside the calls.
    void eventuallyDisconnects() {
        eventually("the connection is dropped", () -> assertThat(disconnects()).isEqualTo(1));
    }

    void eventuallyOpens() {
        eventually(
                "the breaker of the server is open", () -> assertThat(server()).isEqualTo(State.OPEN));
    }

    void eventuallyFails(long failures) {
        eventually(
                failures + " failures are counted, or the breaker of the server is open",
                () -> failures() == failures || server() == State.OPEN);
    }
}
