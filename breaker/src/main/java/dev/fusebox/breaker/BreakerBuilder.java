package dev.fusebox.breaker;

import java.util.Objects;
import java.util.concurrent.Executor;

/** A builder of breakers. Not thread-safe. */
public final class BreakerBuilder {
    final BreakerName name;
    BreakerPolicy policy = BreakerPolicy.defaults();
    Judge judge = Judge.defaults();
    Surroundings surroundings = Surroundings.system();
    private Executor events = Runnable::run;

    BreakerBuilder(BreakerName name) {
        this.name = name;
    }

    /** When to trip, how long to stay open, and what closes the breaker; by default, five failures in a row trip. */
    public BreakerBuilder policy(BreakerPolicy policy) {
        this.policy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** What counts as a failure; by default, every exception. */
    public BreakerBuilder judge(Judge judge) {
        this.judge = Objects.requireNonNull(judge, "judge");
        return this;
    }

    /** The source of time and random numbers; this machine by default. */
    public BreakerBuilder surroundings(Surroundings surroundings) {
        this.surroundings = Objects.requireNonNull(surroundings, "surroundings");
        return this;
    }

    /** The executor of the listeners; by default, the thread of the call. Events that it rejects are counted. */
    public BreakerBuilder events(Executor executor) {
        this.events = Objects.requireNonNull(executor, "executor");
        return this;
    }

    public CircuitBreaker build() {
        return new CircuitBreaker(this, new Listeners(events, null));
    }
}
