package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.platform.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Until when a server wants to be left alone, as it said with 429 or 503 and a Retry-After. Until then its calls
/// are answered here, and blame nobody: this is a request of the server and no opinion of ours about its health.
/// Thread-safe; nothing blocks.
///
/// Of two times the later one holds: calls that were under way together are refused in any order.
final class RetryAfterGate {
    private final Ticker ticker;
    private final AtomicReference<@Nullable Wish> wish = new AtomicReference<>();

    /// What the server wants.
    ///
    /// @param since when it said so
    /// @param nanos for how long from then on
    /// @param status with which it said so
    private record Wish(long since, long nanos, int status) {
        long left(long now) {
            return nanos - (now - since);
        }
    }

    RetryAfterGate(Ticker ticker) {
        this.ticker = ticker;
    }

    /// Notes what a refusal asks for, if it asks for anything; gives it back.
    CallFailure heed(CallFailure refusal) {
        Duration wait = refusal.retryAfter();
        Integer status = refusal.evidence().httpStatus();
        if (wait != null && status != null && wait.isPositive()) {
            Wish heard = new Wish(ticker.nanos(), wait.toNanos(), status);
            wish.updateAndGet(known -> later(known, heard));
        }
        return refusal;
    }

    private static Wish later(@Nullable Wish known, Wish heard) {
        return known != null && known.left(heard.since) > heard.nanos ? known : heard;
    }

    /// How long it is still to be left alone; zero if it may be asked.
    Duration left() {
        Wish known = wish.get();
        long left = known == null ? 0 : known.left(ticker.nanos());
        return Duration.ofNanos(Math.max(0, left));
    }

    /// Why nothing is sent now; null if it may be.
    @Nullable
    CallFailure refusal() {
        Wish known = wish.get();
        Duration left = left();
        if (known == null || left.isZero()) {
            return null;
        }
        // Rounded up: who comes back after so many milliseconds is let through.
        Duration wait = Duration.ofMillis(left.plusNanos(999_999).toMillis());
        String message =
                "the server asked for a pause (HTTP " + known.status + "); the call was not sent, try again in "
                        + wait.plusMillis(999).toSeconds() + " s";
        return new CallFailure(
                ErrorCode.OVERLOADED,
                FailureCategory.LOCAL,
                Delivery.NOT_SENT,
                message,
                Evidence.ofHttp(known.status, wait));
    }
}
