package dev.fusebox.oauth.login;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The wait for a login on another device (RFC 8628, 3.4 and 3.5): the token endpoint is polled until it decides, the
/// codes expire, or the wait is cancelled. Immutable and thread-safe; [#await] blocks.
///
/// ```
/// interval --> poll --> pending, slow_down, unanswered --> longer or equal interval --> poll ...
///               |-----> granted, refused
///               '-----> the next poll would be too late: expired
/// ```
///
/// @param lifetime of the codes, from the call of [#await]
/// @param interval between two polls, until the server or a failure makes it longer
public record DeviceAuthorization(Duration lifetime, Duration interval) {
    /// A request for tokens with the device code.
    ///
    /// @param <T> tokens
    /// @param <E> what ends the login
    @FunctionalInterface
    public interface Poll<T, E extends Exception> {
        /// Sends the request. Blocks for a bounded time.
        Answer<T> send() throws E;
    }

    /// The answer to one poll. Immutable.
    ///
    /// @param <T> tokens
    public sealed interface Answer<T> {
        /// Tokens were issued.
        record Granted<T>(T tokens) implements Answer<T> {
            @Override
            public String toString() {
                return "Granted";
            }
        }

        /// `authorization_pending`: the person has not finished.
        record Pending<T>() implements Answer<T> {}

        /// `slow_down`: the same, and from now on the interval is longer.
        record SlowDown<T>() implements Answer<T> {}

        /// The login has failed, for example with `access_denied` or `expired_token`.
        ///
        /// @param code one of the known error codes
        record Refused<T>(String code) implements Answer<T> {}

        /// The request failed, or its answer decides nothing.
        ///
        /// @param retryAfter the pause that the server asked for; null if it did not
        record Unanswered<T>(@Nullable Duration retryAfter) implements Answer<T> {}
    }

    /// How the wait ended. Immutable.
    ///
    /// @param <T> tokens
    public sealed interface Outcome<T> {
        /// The person has logged in.
        record LoggedIn<T>(T tokens) implements Outcome<T> {
            @Override
            public String toString() {
                return "LoggedIn";
            }
        }

        /// The authorization server or the person said no.
        ///
        /// @param code one of the known error codes
        record Declined<T>(String code) implements Outcome<T> {}

        /// Nobody logged in before the codes expired.
        record Expired<T>() implements Outcome<T> {}

        /// The wait was cancelled.
        record Cancelled<T>() implements Outcome<T> {}
    }

    /// Polls until the login has ended.
    ///
    /// @param isCancelled its thread is unparked when that changes
    public <T, E extends Exception> Outcome<T> await(Platform platform, Poll<T, E> poll, BooleanSupplier isCancelled)
            throws E, InterruptedException {
        long begun = platform.ticker().nanos();
        PollInterval current = PollInterval.of(interval);
        while (platform.ticker().nanos() - begun + current.next().toNanos() < lifetime.toNanos()) {
            if (platform.await(current.next(), isCancelled)) {
                return new Outcome.Cancelled<>();
            }
            switch (poll.send()) {
                case Answer.Granted<T>(T tokens) -> {
                    return new Outcome.LoggedIn<>(tokens);
                }
                case Answer.Refused<T>(String code) -> {
                    return new Outcome.Declined<>(code);
                }
                case Answer.Pending<T> _ -> current = current.afterPending();
                case Answer.SlowDown<T> _ -> current = current.afterSlowDown();
                case Answer.Unanswered<T>(Duration retryAfter) -> current = current.afterFailure(retryAfter);
            }
        }
        return new Outcome.Expired<>();
    }
}
