package dev.fusebox.demo;

import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.HealthSummary;
import dev.fusebox.breaker.Judge;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.Surroundings;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.breaker.Verdict;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The second part of the demo, without a gateway: a circuit breaker in front of a service that works, fails and is
/// repaired. For one thread, and used once.
public final class BreakerStory {
    static final int THRESHOLD = 3;
    static final Duration COOLDOWN = Duration.ofMillis(1_400);

    /// Long enough to read a line, short enough for a story of seven seconds.
    private static final Duration BEAT = Duration.ofMillis(250);

    private static final int MANY = 1_000;
    private static final List<State> COURSE =
            List.of(State.OPEN, State.HALF_OPEN, State.OPEN, State.HALF_OPEN, State.CLOSED);

    private final Platform platform;
    private final DemoNarrator narrator;
    private final DemoService service;
    private final Breakers breakers;
    private final CircuitBreaker breaker;
    private final List<State> course = new CopyOnWriteArrayList<>();
    private int calls;

    public BreakerStory(Platform platform, DemoNarrator narrator) {
        this.platform = platform;
        this.narrator = narrator;
        service = new DemoService(narrator);
        breakers = Breakers.settings()
                .policy(BreakerPolicy.defaults()
                        .with(new TripRule.Consecutive(THRESHOLD))
                        .with(Cooldown.growing(COOLDOWN)))
                .judge(Judge.ofThrowables(thrown -> Verdict.failure("offline", thrown)))
                .surroundings(surroundings(platform))
                .build();
        breaker = breakers.breaker("weather");
        breakers.breaker("files");
    }

    private static Surroundings surroundings(Platform platform) {
        return new Surroundings(
                platform.ticker()::nanos,
                platform.wallClock(),
                platform.random(),
                (blocker, nanos) -> platform.timers().park(nanos));
    }

    /// Plays all of it; blocks for about seven seconds.
    public void play() {
        try (breakers) {
            breakers.on(BreakerEvent.StateChange.class, this::hear);
            works();
            fails();
            refuses();
            probeFails();
            probePasses();
            sumUp();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            narrator.expect(false, "the demo is not interrupted");
        }
    }

    private void hear(BreakerEvent.StateChange change) {
        course.add(change.to());
        narrator.change(change);
    }

    private void works() throws InterruptedException {
        narrator.chapter("Now the breaker library. A service works, and its breaker is closed: calls go through.");
        callOften(2);
        expectState(State.CLOSED);
    }

    private void fails() throws InterruptedException {
        service.breakDown();
        narrator.chapter("It begins to fail. " + THRESHOLD + " failures in a row trip the breaker.");
        callOften(THRESHOLD);
        expectState(State.OPEN);
    }

    private void refuses() {
        narrator.chapter("Calls are now rejected immediately, and none reaches the service.");
        int before = service.calls();
        // Without a pause: on a machine that stalls, the cooldown must not end before this call.
        call("call " + ++calls);
        long started = platform.ticker().nanos();
        int refused = refusalsOf(MANY);
        long nanos = (platform.ticker().nanos() - started) / MANY;
        narrator.line(MANY + " more", "rejected, on average in " + nanos + " ns");
        narrator.expect(refused == MANY, "all of " + MANY + " calls rejected, not " + refused);
        narrator.expect(service.calls() == before, "no call reaches the service while the breaker is open");
        tellHealth(1);
    }

    private void probeFails() throws InterruptedException {
        awaitCooldown();
        narrator.chapter(
                "One call may now probe the service. " + DemoCallers.SIZE + " callers arrive at the same time.");
        new DemoCallers(platform, narrator, breaker).come(service);
        expectState(State.OPEN);
        narrator.line("", "The service is still down, so the cooldown grows.");
        narrator.expect(cooldown().compareTo(COOLDOWN) > 0, "a cooldown longer than " + COOLDOWN.toMillis() + " ms");
    }

    private void probePasses() throws InterruptedException {
        service.repair();
        awaitCooldown();
        narrator.chapter("Meanwhile the service has been repaired. Again " + DemoCallers.SIZE + " callers arrive.");
        new DemoCallers(platform, narrator, breaker).come(service);
        expectState(State.CLOSED);
        callOften(2);
    }

    private void sumUp() {
        narrator.chapter("Summary.");
        BreakerSnapshot.Totals totals = breaker.snapshot().totals();
        narrator.line(
                "weather", service.calls() + " calls reached the service, " + totals.refusals() + " were rejected");
        narrator.expect(course.equals(COURSE), "the states " + COURSE + ", not " + course);
        tellHealth(2);
    }

    private void tellHealth(int closed) {
        HealthSummary health = breakers.health();
        String sick = health.unhealthyBreakers().isEmpty() ? "none" : String.join(", ", health.unhealthyBreakers());
        narrator.line(
                "health",
                health.totalBreakers() + " breakers, " + health.closedBreakers() + " closed, " + health.openBreakers()
                        + " open, " + health.halfOpenBreakers() + " half-open; unhealthy: " + sick);
        narrator.expect(health.closedBreakers() == closed, closed + " closed breakers in the health summary");
    }

    private void awaitCooldown() throws InterruptedException {
        narrator.chapter(
                "Nothing happens until the cooldown is over, in " + timeLeft().toMillis() + " ms.");
        Duration longest = breaker.policy().cooldown().max();
        for (long beats = longest.dividedBy(BEAT); !isProbeDue() && beats > 0; beats--) {
            platform.pause(BEAT);
        }
        narrator.expect(isProbeDue(), "an end of the cooldown");
    }

    private boolean isProbeDue() {
        return breaker.snapshot().probeDue();
    }

    /// From the trip to the time of the next test; nothing if the breaker is not open.
    private Duration cooldown() {
        BreakerSnapshot now = breaker.snapshot();
        Instant end = now.retryAt();
        return end == null ? Duration.ZERO : Duration.between(now.since(), end);
    }

    private Duration timeLeft() {
        Instant end = breaker.snapshot().retryAt();
        return end == null
                ? Duration.ZERO
                : Duration.between(platform.wallClock().instant(), end);
    }

    private void callOften(int times) throws InterruptedException {
        for (int time = 0; time < times; time++) {
            platform.pause(BEAT);
            call("call " + ++calls);
        }
    }

    private void call(String caller) {
        long started = platform.ticker().nanos();
        try {
            breaker.call(() -> service.weather(caller));
        } catch (CallRejectedException refusal) {
            long micros = Duration.ofNanos(platform.ticker().nanos() - started).toNanos() / 1_000;
            narrator.line(caller, "is rejected after " + micros + " µs with the message:");
            narrator.words(refusal.getMessage());
        } catch (IOException failedAsTold) {
            // The service has printed it.
            return;
        } catch (Exception unexpected) {
            narrator.expect(false, "only rejections and the service's failures, not " + unexpected);
        }
    }

    private int refusalsOf(int times) {
        int refused = 0;
        for (int time = 0; time < times; time++) {
            try {
                breaker.call(() -> service.weather("a call"));
            } catch (CallRejectedException refusal) {
                refused++;
            } catch (Exception unexpected) {
                narrator.expect(false, "only rejections, not " + unexpected);
            }
        }
        return refused;
    }

    private void expectState(State state) {
        narrator.expect(breaker.state() == state, "the breaker " + state + ", not " + breaker.state());
    }
}
