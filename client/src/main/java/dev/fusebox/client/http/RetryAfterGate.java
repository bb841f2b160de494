package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.platform.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Gate that rejects calls until the end of a pause that the server asked for with 429 or 503 and Retry-After.
/// Such rejections count for no breaker, since the pause gives no information about the health of the server.
/// Thread-safe; nothing blocks.
///
/// Of two pauses the one that ends later applies, since concurrent calls are rejected in any order.
final class RetryAfterGate {
    private final Ticker ticker;
    private final AtomicReference<@Nullable Pause> pause = new AtomicReference<>();

    /// A pause that the server asked for.
    ///
    /// @param since when it did
    /// @param nanos duration from then on
    /// @param status of its response
    private record Pause(long since, long nanos, int status) {
        long left(long now) {
            return nanos - (now - since);
        }
    }

    RetryAfterGate(Ticker ticker) {
        this.ticker = ticker;
    }

    /// Records the pause that a rejection asks for, if any; returns the rejection.
    CallFailure record(CallFailure refusal) {
        Duration wait = refusal.retryAfter();
        Integer status = refusal.evidence().httpStatus();
        if (wait != null && status != null && wait.isPositive()) {
            Pause requested = new Pause(ticker.nanos(), wait.toNanos(), status);
            pause.updateAndGet(known -> later(known, requested));
        }
        return refusal;
    }

    private static Pause later(@Nullable Pause known, Pause requested) {
        return known != null && known.left(requested.since) > requested.nanos ? known : requested;
    }

    /// The rest of the pause; zero if calls may be sent.
    Duration left() {
        Pause known = pause.get();
        long left = known == null ? 0 : known.left(ticker.nanos());
        return Duration.ofNanos(Math.max(0, left));
    }

    /// Why nothing may be sent now; null if it may.
    @Nullable
    CallFailure refusal() {
        Pause known = pause.get();
        Duration left = left();
        if (known == null || left.isZero()) {
            return null;
        }
        // Rounded up, so that a retry after that many milliseconds is not rejected.
        Duration wait = Duration.ofMillis(left.plusNanos(999_999).toMillis());
        String message =
                "the server asked for a pause (HTTP " + known.status + "); the call was not sent, try again in "
                        + wait.plusMillis(999).toSeconds() + " s";
        return new CallFailure(
                known.status == 429 ? ErrorId.HTTP_429 : ErrorId.OVERLOADED,
                FailureCategory.LOCAL,
                Delivery.NOT_SENT,
                message,
                Evidence.ofHttp(known.status, wait));
    }
}
