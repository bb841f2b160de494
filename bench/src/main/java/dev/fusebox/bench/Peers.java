package dev.fusebox.bench;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The peers' breakers, configured equivalently, each in its cheapest form.
final class Peers {
    private static final Duration WINDOW = Duration.ofSeconds(60);

    private Peers() {}

    /// Resilience4j has no "in a row"; five failures of the last five calls are the same, and its smallest window.
    static CircuitBreaker resilience4jCount(SlidingWindowSynchronizationStrategy strategy) {
        return CircuitBreaker.of(
                "bench",
                CircuitBreakerConfig.custom()
                        .slidingWindow(5, 5, SlidingWindowType.COUNT_BASED, strategy)
                        .failureRateThreshold(100)
                        .build());
    }

    static CircuitBreaker resilience4jTime(SlidingWindowSynchronizationStrategy strategy) {
        int seconds = Math.toIntExact(WINDOW.toSeconds());
        return CircuitBreaker.of(
                "bench",
                CircuitBreakerConfig.custom()
                        .slidingWindow(seconds, 100, SlidingWindowType.TIME_BASED, strategy)
                        .failureRateThreshold(50)
                        .build());
    }

    static CircuitBreaker resilience4jOpen() {
        CircuitBreaker breaker = CircuitBreaker.of(
                "bench",
                CircuitBreakerConfig.custom()
                        .waitDurationInOpenState(Duration.ofDays(1))
                        .writableStackTraceEnabled(false)
                        .build());
        breaker.transitionToOpenState();
        return breaker;
    }

    /// One call that succeeds. The caller of this form times the call; a constant spares it two readings of the
    /// clock.
    static boolean letThrough(CircuitBreaker breaker) {
        if (!breaker.tryAcquirePermission()) {
            return false;
        }
        breaker.onSuccess(1, TimeUnit.MICROSECONDS);
        return true;
    }

    /// Five failures in a row.
    static dev.failsafe.CircuitBreaker<Object> failsafeCount() {
        return dev.failsafe.CircuitBreaker.builder().withFailureThreshold(5).build();
    }

    static dev.failsafe.CircuitBreaker<Object> failsafeTime() {
        return dev.failsafe.CircuitBreaker.builder()
                .withFailureRateThreshold(50, 100, WINDOW)
                .build();
    }

    static dev.failsafe.CircuitBreaker<Object> failsafeOpen() {
        dev.failsafe.CircuitBreaker<Object> breaker = dev.failsafe.CircuitBreaker.builder()
                .withDelay(Duration.ofDays(1))
                .build();
        breaker.open();
        return breaker;
    }

    /// One call that succeeds.
    static boolean letThrough(dev.failsafe.CircuitBreaker<Object> breaker) {
        if (!breaker.tryAcquirePermit()) {
            return false;
        }
        breaker.recordSuccess();
        return true;
    }
}
