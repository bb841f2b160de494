package dev.fusebox.oauth.token;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One refresh of a login, from taking its lock to storing the result. Of all threads and processes of this
/// machine, one at a time is between those two. Blocks for the limits of the lock, the storage and the
/// authorization server.
///
/// ```
/// lock --> read again --newer tokens--------------------------------> use them
///                     '--the known ones--> store the intent --> request --> store the result
/// ```
/// Tokens that were listed without their secrets are first read without the lock.
final class TokenRefresh {
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(20);
    private static final Duration LOCK_POLL = Duration.ofMillis(20);
    private static final int STORE_ATTEMPTS = 3;
    private static final Duration STORE_PAUSE = Duration.ofMillis(100);
    /// The callers wait meanwhile: a keyring that hangs is not tried again.
    private static final Duration STORE_LIMIT = Duration.ofSeconds(5);

    private final Platform platform;
    private final Login login;
    private final TokenRecord known;
    private final boolean isUnsaved;

    /// What does not change between the refreshes of a login. Immutable.
    ///
    /// @param process names this process in messages
    record Login(TokenStore tokenStore, TokenEndpoint tokenEndpoint, TokenListener listener, String process) {}

    /// The result of a refresh. Immutable.
    ///
    /// @param tokenRecord the newest record
    /// @param problem why there are no new tokens; null if there are
    /// @param isUnsaved whether the record could not be stored
    record Result(TokenRecord tokenRecord, @Nullable TokenResult problem, boolean isUnsaved) {
        static Result of(TokenRecord tokenRecord) {
            return new Result(tokenRecord, null, false);
        }
    }

    /// @param known whose tokens have expired or were rejected
    /// @param isUnsaved whether it is newer than what is stored
    TokenRefresh(Platform platform, Login login, TokenRecord known, boolean isUnsaved) {
        this.platform = platform;
        this.login = login;
        this.known = known;
        this.isUnsaved = isUnsaved;
    }

    Result run() throws InterruptedException {
        if (known.state() instanceof TokenState.Waiting waiting
                && waiting.failure().isOfStore()
                && TokenRules.isPaused(waiting, now())) {
            return paused(known, waiting.retryAt(), waiting.failure());
        }
        try {
            TokenRecord loaded =
                    known.tokens().isWithheld() ? login.tokenStore().read(known.key()) : null;
            if (loaded != null && loaded.tokens().isUsable(now())) {
                return loaded(loaded);
            }
            long begun = platform.ticker().nanos();
            TokenStore.Lock lock = login.tokenStore().tryLock(known.key());
            while (lock == null) {
                if (platform.ticker().nanos() - begun > LOCK_LIMIT.toNanos()) {
                    return unavailable(
                            RefreshFailure.Kind.NOT_SENT,
                            "another process has been refreshing this login for " + LOCK_LIMIT.toSeconds() + " s");
                }
                platform.pause(LOCK_POLL);
                lock = login.tokenStore().tryLock(known.key());
            }
            try (TokenStore.Lock _ = lock) {
                return locked();
            }
        } catch (KeyringException locked) {
            return unavailable(RefreshFailure.Kind.KEYRING_LOCKED, String.valueOf(locked.getMessage()));
        } catch (IOException unusable) {
            return unavailable(RefreshFailure.Kind.STORE_UNUSABLE, String.valueOf(unusable.getMessage()));
        }
    }

    private Result unavailable(RefreshFailure.Kind kind, String message) {
        RefreshFailure failure = new RefreshFailure(kind, message);
        return failed(TokenRules.postponed(known, failure, now()), failure);
    }

    private Result loaded(TokenRecord stored) {
        login.listener().loaded(stored);
        return Result.of(stored);
    }

    /// Stores a record that could not be stored before, unless a new login has replaced it.
    ///
    /// @return why it is still not stored; null if nothing is left to be stored
    static @Nullable String save(TokenStore tokenStore, TokenRecord unsaved) {
        try (TokenStore.Lock lock = tokenStore.tryLock(unsaved.key())) {
            if (lock == null) {
                return "another process is refreshing this login";
            }
            TokenRecord stored = tokenStore.read(unsaved.key());
            if (stored != null && stored.isOlderThan(unsaved)) {
                tokenStore.write(unsaved);
            }
            return null;
        } catch (IOException unwritable) {
            return String.valueOf(unwritable.getMessage());
        }
    }

    // ---- With the lock

    private Result locked() throws IOException, InterruptedException {
        TokenRecord stored = login.tokenStore().read(known.key());
        if (stored == null) {
            String reason = "the login was deleted";
            TokenRecord over = known.in(new TokenState.Rejected(reason, now()));
            return new Result(over, new TokenResult.LoginRequired(reason), false);
        }
        // A login that was made since is newer than tokens that could not be stored.
        boolean isNewest = isUnsaved && stored.isOlderThan(known);
        boolean isOther = !isNewest && !stored.version().equals(known.version());
        if (isOther && stored.tokens().isUsable(now())) {
            return loaded(stored);
        }
        return refresh(isNewest ? known : stored);
    }

    private Result refresh(TokenRecord from) throws IOException, InterruptedException {
        return switch (TokenRules.next(from, now())) {
            case TokenRules.Step.Present _ -> present(from);
            case TokenRules.Step.Probe _ -> probe(from);
            case TokenRules.Step.Pause(Instant until, RefreshFailure failure) -> paused(from, until, failure);
            case TokenRules.Step.Login(String reason) -> rejected(from, reason);
        };
    }

    /// The pause was announced when it began.
    private Result paused(TokenRecord from, Instant until, RefreshFailure failure) {
        return new Result(from, problem(failure, until), isUnsaved);
    }

    private TokenResult problem(RefreshFailure failure, Instant retryAt) {
        Duration left = Duration.between(now(), retryAt);
        boolean isKeyring = failure.kind() == RefreshFailure.Kind.KEYRING_LOCKED;
        return failure.isOfStore()
                ? new TokenResult.StoreUnusable(isKeyring, failure.message(), left)
                : new TokenResult.Unavailable(failure.message(), left);
    }

    private Result probe(TokenRecord from) throws IOException, InterruptedException {
        return switch (login.tokenEndpoint().probe(from)) {
            case TokenEndpoint.ProbeResult.Answered _ -> present(from);
            case TokenEndpoint.ProbeResult.Silent(String message) -> {
                RefreshFailure failure = new RefreshFailure(RefreshFailure.Kind.NO_ANSWER, message);
                TokenRecord postponed = TokenRules.postponed(from, failure, now());
                login.tokenStore().write(postponed);
                yield failed(postponed, failure);
            }
        };
    }

    /// The intent is on the disk before the request: after a crash it shows that the refresh token may have been
    /// used.
    private Result present(TokenRecord from) throws IOException, InterruptedException {
        TokenRecord intended = TokenRules.intend(from, now(), login.process());
        login.tokenStore().write(intended);
        RefreshAnswer answer = login.tokenEndpoint().refresh(intended);
        if (answer instanceof RefreshAnswer.InvalidGrant) {
            TokenRecord again = login.tokenStore().read(known.key());
            if (again != null && !again.version().equals(intended.version())) {
                return loaded(again);
            }
        }
        TokenRecord next = TokenRules.ended(intended, answer, now());
        if (answer instanceof RefreshAnswer.ClientUnknown && next.state() instanceof TokenState.Rejected) {
            login.tokenEndpoint().forgetClient(next);
        }
        boolean isSaved = store(next);
        return switch (next.state()) {
            case TokenState.Rejected(String reason, Instant _) -> rejected(next, reason);
            case TokenState.Waiting waiting -> failed(next, waiting.failure());
            case TokenState.Ready _, TokenState.Refreshing _ -> {
                login.listener().refreshed(next);
                yield new Result(next, null, !isSaved);
            }
        };
    }

    /// New tokens that cannot be stored are used from memory, and stored later.
    private boolean store(TokenRecord next) throws InterruptedException {
        long begun = platform.ticker().nanos();
        for (int i = 0; i < STORE_ATTEMPTS && platform.ticker().nanos() - begun < STORE_LIMIT.toNanos(); i++) {
            if (i > 0) {
                platform.pause(STORE_PAUSE);
            }
            try {
                login.tokenStore().write(next);
                return true;
            } catch (IOException unwritable) {
                // Tried again, here and by [LiveToken].
            }
        }
        return false;
    }

    private Result rejected(TokenRecord tokenRecord, String reason) {
        login.listener().refreshFailed(reason, null);
        return new Result(tokenRecord, new TokenResult.LoginRequired(reason), false);
    }

    private Result failed(TokenRecord postponed, RefreshFailure failure) {
        Instant retryAt = postponed.state() instanceof TokenState.Waiting waiting ? waiting.retryAt() : now();
        login.listener().refreshFailed(failure.message(), retryAt);
        return new Result(postponed, problem(failure, retryAt), isUnsaved);
    }

    private Instant now() {
        return platform.wallClock().instant();
    }
}
