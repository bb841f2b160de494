package dev.fusebox.oauth.protocol;

import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Cooldown;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.WebResponse;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Guard of all requests of this process to one authorization server: one at a time, and none while its breaker is
/// open, so that a dead server is asked by one caller and not by all its users. Thread-safe; [#send] blocks for the
/// turn and the request.
final class IssuerGuard {
    /// As long as the request before may take.
    private static final Duration TURN_LIMIT = Duration.ofSeconds(20);

    private static final int SERVER_ERROR = 500;

    private static final BreakerPolicy POLICY = BreakerPolicy.defaults()
            .with(new TripRule.Consecutive(3))
            .with(new Cooldown(Duration.ofSeconds(1), 2, Duration.ofSeconds(60), 0.1))
            .withCallTimeout(Duration.ofSeconds(30));

    private final Platform platform;
    private final String issuer;
    private final CircuitBreaker breaker;
    private final AtomicBoolean isBusy = new AtomicBoolean();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

    IssuerGuard(Platform platform, String issuer) {
        this.platform = platform;
        this.issuer = issuer;
        this.breaker = CircuitBreaker.named("authorization server")
                .policy(POLICY)
                .surroundings(PlatformSurroundings.of(platform))
                .build();
    }

    /// One request and its response.
    @FunctionalInterface
    interface Exchange {
        WebResponse run() throws HttpFailure;
    }

    /// Sends a request when it is its turn.
    ///
    /// @throws HttpFailure if it fails, or is not sent because of the breaker or the requests before it
    WebResponse send(Exchange exchange) throws HttpFailure {
        Rejection early = breaker.peek();
        if (early != null) {
            throw rejected(early);
        }
        takeTurn();
        try {
            return switch (breaker.tryAcquire()) {
                case Permit permit -> run(exchange, permit);
                case Rejection rejection -> throw rejected(rejection);
            };
        } finally {
            isBusy.set(false);
            waiting.forEach(LockSupport::unpark);
        }
    }

    private void takeTurn() throws HttpFailure {
        Thread self = Thread.currentThread();
        waiting.add(self);
        try {
            if (!platform.await(TURN_LIMIT, () -> isBusy.compareAndSet(false, true))) {
                throw notSent("other requests to " + issuer + " have taken " + TURN_LIMIT.toSeconds() + " s");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw notSent("interrupted before the request to " + issuer);
        } finally {
            waiting.remove(self);
        }
    }

    private static WebResponse run(Exchange exchange, Permit permit) throws HttpFailure {
        try {
            WebResponse response = exchange.run();
            if (response.status() >= SERVER_ERROR) {
                permit.failed(FailureCategory.HTTP.toString());
            } else {
                permit.succeeded();
            }
            return response;
        } catch (HttpFailure httpFailure) {
            FailureCategory category = httpFailure.failure().category();
            // A local shortage or a forbidden address says nothing about the health of the server.
            if (category != FailureCategory.LOCAL && category != FailureCategory.POLICY) {
                permit.failed(category.toString());
            }
            throw httpFailure;
        } finally {
            // Has no effect on a permit that has ended.
            permit.close();
        }
    }

    private HttpFailure rejected(Rejection rejection) {
        Duration retryAfter = rejection.retryAfter();
        String message = "the last requests to " + issuer + " failed, so none is sent"
                + (retryAfter == null ? "" : " for another " + Math.max(1, retryAfter.toSeconds()) + " s");
        Evidence evidence = retryAfter == null ? Evidence.NONE : Evidence.ofPause(retryAfter);
        return new HttpFailure(
                new CallFailure(ErrorId.ISSUER_DOWN, FailureCategory.AUTH, Delivery.NOT_SENT, message, evidence));
    }

    private static HttpFailure notSent(String message) {
        return new HttpFailure(CallFailure.of(ErrorId.ISSUER_DOWN, message));
    }
}
