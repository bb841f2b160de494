package dev.fusebox.oauth.token;

import dev.fusebox.oauth.token.TokenRecord.GrantType;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The transitions of a token record, and what its lock holder may do next. Pure functions.
///
/// A refresh token is presented again only after an answer, or after a probe has shown that the authorization
/// server answers at all. So a server that hangs is not asked to redeem one token twice, and a lost answer costs
/// the login only if the server does not tolerate a second use.
final class TokenRules {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    private static final Duration LONGEST_REQUESTED_PAUSE = Duration.ofMinutes(5);
    private static final int LAST_DOUBLING = 6;
    /// A restored authorization server may not know its clients yet: the pauses are 1 + 2 + 4 + 8 + 16 + 32 s at least.
    private static final int MAX_UNKNOWN = 7;

    private TokenRules() {}

    /// The next step of a refresh. Immutable.
    sealed interface Step {
        /// Record the intent and present the refresh token.
        record Present() implements Step {}

        /// Find out whether the authorization server answers before the refresh token is presented again.
        record Probe() implements Step {}

        /// A refresh failed a short time ago.
        record Pause(Instant until, RefreshFailure failure) implements Step {}

        /// Only a login helps.
        record Login(String reason) implements Step {}
    }

    /// The step for the holder of the lock.
    static Step next(TokenRecord tokenRecord, Instant now) {
        return switch (tokenRecord.state()) {
            case TokenState.Rejected rejected -> new Step.Login(rejected.reason());
            case TokenState.Ready _ -> present(tokenRecord);
            case TokenState.Refreshing _ -> new Step.Probe();
            case TokenState.Waiting waiting
            when isPaused(waiting, now) -> new Step.Pause(waiting.retryAt(), waiting.failure());
            case TokenState.Waiting waiting ->
                waiting.failure().kind() == RefreshFailure.Kind.NO_ANSWER ? new Step.Probe() : present(tokenRecord);
        };
    }

    /// Whether the next attempt is still to come. A time that is later than any pause was set while the clock was
    /// wrong.
    static boolean isPaused(TokenState.Waiting waiting, Instant now) {
        return now.isBefore(waiting.retryAt())
                && !now.plus(LONGEST_REQUESTED_PAUSE).isBefore(waiting.retryAt());
    }

    private static Step present(TokenRecord tokenRecord) {
        boolean isPossible = tokenRecord.grant().type() == GrantType.CLIENT_CREDENTIALS
                || tokenRecord.tokens().refresh() != null;
        return isPossible
                ? new Step.Present()
                : new Step.Login("the access token has expired or was rejected, and there is no refresh token");
    }

    /// A refresh request is about to be sent.
    ///
    /// @param process that sends it
    static TokenRecord intend(TokenRecord tokenRecord, Instant now, String process) {
        int lost = tokenRecord.state().unanswered();
        int unknown = tokenRecord.state() instanceof TokenState.Waiting waiting ? waiting.unknown() : 0;
        return tokenRecord.in(new TokenState.Refreshing(now, process, attempts(tokenRecord), lost, unknown));
    }

    /// The request of an intended refresh has ended.
    static TokenRecord ended(TokenRecord intended, RefreshAnswer answer, Instant now) {
        int lost = intended.state() instanceof TokenState.Refreshing refreshing ? refreshing.lost() : 0;
        return switch (answer) {
            case RefreshAnswer.Renewed(Tokens tokens) -> renewed(intended, tokens);
            case RefreshAnswer.InvalidGrant _ ->
                intended.in(new TokenState.Rejected(
                        lost == 0
                                ? "the authorization server rejected the refresh token (invalid_grant)"
                                : "an earlier refresh had no answer, and the authorization server rejected the refresh"
                                        + " token when it was presented again (invalid_grant)",
                        now));
            case RefreshAnswer.ClientUnknown(String message) -> intended.in(clientUnknown(intended, message, now));
            case RefreshAnswer.ClientMissing(String message) -> intended.in(new TokenState.Rejected(message, now));
            case RefreshAnswer.Failed failed -> intended.in(failed(failed, attempts(intended) + 1, lost, now));
        };
    }

    private static TokenRecord renewed(TokenRecord before, Tokens tokens) {
        return new TokenRecord(
                before.key(),
                before.generation() + 1,
                before.grant(),
                tokens.after(before.tokens()),
                new TokenState.Ready());
    }

    /// Another client cannot use the refresh token, so only a login helps once this is certain.
    private static TokenState clientUnknown(TokenRecord intended, String message, Instant now) {
        TokenState.Refreshing refreshing = intended.state() instanceof TokenState.Refreshing known ? known : null;
        int unknown = (refreshing == null ? 0 : refreshing.unknown()) + 1;
        if (unknown >= MAX_UNKNOWN) {
            return new TokenState.Rejected(message, now);
        }
        RefreshFailure failure = new RefreshFailure(RefreshFailure.Kind.REFUSED_FOR_NOW, message);
        int attempts = attempts(intended) + 1;
        int lost = refreshing == null ? 0 : refreshing.lost();
        return new TokenState.Waiting(failure, attempts, now.plus(pause(attempts, null)), lost, unknown);
    }

    private static TokenState failed(RefreshAnswer.Failed failed, int attempts, int lost, Instant now) {
        boolean isLost = failed.failure().kind() == RefreshFailure.Kind.NO_ANSWER;
        Instant retryAt = now.plus(pause(attempts, failed.retryAfter()));
        return new TokenState.Waiting(failed.failure(), attempts, retryAt, isLost ? lost + 1 : lost, 0);
    }

    /// A probe, the storage or the lock failed; no request was sent.
    static TokenRecord postponed(TokenRecord tokenRecord, RefreshFailure failure, Instant now) {
        int attempts = attempts(tokenRecord) + 1;
        int lost = tokenRecord.state().unanswered();
        RefreshFailure kept =
                lost == 0 ? failure : new RefreshFailure(RefreshFailure.Kind.NO_ANSWER, failure.message());
        int unknown = tokenRecord.state() instanceof TokenState.Waiting waiting ? waiting.unknown() : 0;
        return tokenRecord.in(new TokenState.Waiting(kept, attempts, now.plus(pause(attempts, null)), lost, unknown));
    }

    private static int attempts(TokenRecord tokenRecord) {
        return switch (tokenRecord.state()) {
            case TokenState.Waiting waiting -> waiting.attempts();
            case TokenState.Refreshing refreshing -> refreshing.attempts();
            case TokenState.Ready _, TokenState.Rejected _ -> 0;
        };
    }

    /// 1, 2, 4 and so on up to 60 s, or what the server asked for if that is longer.
    private static Duration pause(int attempts, @Nullable Duration requested) {
        Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts - 1, LAST_DOUBLING));
        Duration pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        if (requested == null || requested.compareTo(pause) <= 0) {
            return pause;
        }
        return requested.compareTo(LONGEST_REQUESTED_PAUSE) < 0 ? requested : LONGEST_REQUESTED_PAUSE;
    }
}
