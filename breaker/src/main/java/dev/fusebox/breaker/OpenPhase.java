package dev.fusebox.breaker;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The open state: rejects every call until the cooldown is over; the first call after that becomes the probe. */
final class OpenPhase extends Phase {
    private final long cooldownNanos;
    private final long retryAt;

    OpenPhase(CircuitBreaker breaker, Since since, History history) {
        super(breaker, since, history);
        this.cooldownNanos = breaker.policy()
                .cooldown()
                .nanosAfter(history.inARow(), breaker.surroundings().random());
        this.retryAt = since.nanos() + cooldownNanos;
    }

    /** The same phase with an elapsed cooldown. */
    private OpenPhase(OpenPhase before, long now) {
        super(before.breaker, before.since(), before.history());
        this.cooldownNanos = now - before.since().nanos();
        this.retryAt = now;
    }

    OpenPhase ended() {
        return new OpenPhase(this, now());
    }

    @Override
    State state() {
        return State.OPEN;
    }

    @Override
    @Nullable
    Admission admit(long leaseNanos) {
        long now = now();
        return now - retryAt < 0 ? refuse(now, retryAt) : becomeHalfOpen(now, leaseNanos);
    }

    @Override
    @Nullable
    Rejection peek() {
        long now = now();
        return now - retryAt < 0 ? refuse(now, retryAt) : null;
    }

    private @Nullable Admission becomeHalfOpen(long now, long leaseNanos) {
        HalfOpenPhase next = new HalfOpenPhase(breaker, breaker.sinceFor(this, State.HALF_OPEN), history());
        Permit first = next.firstProbe(now, leaseNanos);
        if (!breaker.replace(this, next)) {
            return null;
        }
        breaker.ledger().publishTransition(this, next, new Reason.CooldownOver(cooldown()));
        breaker.ledger().publishProbe(next, 1);
        return first;
    }

    /** By the current wall clock: its jumps affect only printed times, never decisions. */
    Instant retryAtWall() {
        long left = retryAt - now();
        return breaker.surroundings().wall().instant().plusNanos(left);
    }

    Duration cooldown() {
        return Duration.ofNanos(cooldownNanos);
    }

    boolean probeDue() {
        return now() - retryAt >= 0;
    }
}
