package dev.fusebox.oauth.token;

import dev.fusebox.client.Promise;
import dev.fusebox.client.SingleFlight;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The access token of one login in this process, refreshed before it expires while it is in use, and otherwise on
/// demand; by one thread at a time, whose result all callers share. The same thread reads tokens that are in the
/// keyring, at the first use. Thread-safe; [#token] and [#rejected] block only while there is no usable token.
///
/// A refresh belongs to no caller: it goes on when the callers that wait for it leave.
public final class LiveToken implements AutoCloseable {
    /// How long a caller pauses between failed refreshes, in total. The time of the requests does not count: an answer
    /// that takes long says nothing about the next one.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /// Before the first attempt to store tokens that could not be stored; doubled up to a minute.
    private static final Duration SAVE_PAUSE = Duration.ofSeconds(5);

    private static final Duration LONGEST_SAVE_PAUSE = Duration.ofSeconds(60);

    private static final long NEVER = Long.MAX_VALUE;

    private final Platform platform;
    private final TokenRefresh.Login login;
    private final SingleFlight<TokenResult> refreshes = new SingleFlight<>(
            "fusebox-token-refresh",
            new TokenResult.Unavailable("the refresh of the access token failed; see the log", null));
    private final SingleFlight<String> saves = new SingleFlight<>("fusebox-token-save", "failed; see the log");
    private volatile TokenRecord current;
    private volatile boolean isInUse;
    private boolean isUnsaved;
    private Duration savePause = SAVE_PAUSE;
    private @Nullable Timer saving;
    private volatile boolean isClosed;
    private @Nullable Timer ahead;

    private LiveToken(Platform platform, TokenRefresh.Login login, TokenRecord current) {
        this.platform = platform;
        this.login = login;
        this.current = current;
    }

    /// The token of a stored record.
    ///
    /// @param current the stored record
    /// @param process names this process in the record of a refresh
    public static LiveToken of(Platform platform, TokenRecord current, Sources sources, String process) {
        TokenRefresh.Login login =
                new TokenRefresh.Login(sources.tokenStore(), sources.tokenEndpoint(), sources.listener(), process);
        return new LiveToken(platform, login, current);
    }

    /// Where tokens come from and go to. Immutable.
    public record Sources(TokenStore tokenStore, TokenEndpoint tokenEndpoint, TokenListener listener) {}

    /// The newest known record.
    public TokenRecord tokenRecord() {
        return current;
    }

    /// The access token.
    ///
    /// @param left the nanoseconds that the caller waits; when that changes, the caller is unparked
    public TokenResult token(LongSupplier left) {
        TokenRecord known = current;
        if (!known.tokens().isUsable(platform.wallClock().instant())) {
            return refreshed(left);
        }
        if (!isInUse) {
            begin();
        }
        return new TokenResult.Usable(known.tokens().access(), known.version());
    }

    /// The access token after the server has rejected an earlier one.
    ///
    /// @param version of the rejected token
    public TokenResult rejected(TokenRecord.Version version, LongSupplier left) {
        return current.version().equals(version) ? refreshed(left) : token(left);
    }

    /// The access token after one refresh, without further attempts.
    ///
    /// @param left as in [#token]
    public TokenResult refreshedOnce(LongSupplier left) {
        return await(start(), left);
    }

    /// Uses a record that was stored by a login. A record without its tokens brings nothing new if their version is
    /// known, and one that was read before the last refresh is out of date.
    public synchronized void adopt(TokenRecord stored) {
        boolean isKnown = stored.tokens().isWithheld() && stored.version().equals(current.version());
        if (!isKnown && !stored.isOlderThan(current)) {
            adopt(new TokenRefresh.Result(stored, null, false));
        }
    }

    // ---- Refresh

    private TokenResult refreshed(LongSupplier left) {
        long patience = PATIENCE.toNanos();
        while (true) {
            TokenResult result = await(start(), left);
            long pause = pauseOf(result);
            if (pause == NEVER || pause >= Math.min(left.getAsLong(), patience)) {
                return result;
            }
            patience -= pause;
            await(new Promise<>(), () -> Math.min(left.getAsLong(), pause));
        }
    }

    private static long pauseOf(TokenResult result) {
        return result instanceof TokenResult.Unavailable(String _, Duration retryAfter) && retryAfter != null
                ? Math.max(0, retryAfter.toNanos())
                : NEVER;
    }

    private TokenResult await(Promise<TokenResult> refresh, LongSupplier left) {
        try {
            Duration limit = Duration.ofNanos(Math.max(0, left.getAsLong()));
            TokenResult result = refresh.await(platform, limit, () -> left.getAsLong() <= 0);
            return result == null ? late() : result;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new TokenResult.Unavailable("interrupted while waiting for the refresh of the access token", null);
        }
    }

    private TokenResult late() {
        return current.tokens().isWithheld()
                ? new TokenResult.StoreUnusable(true, "timed out waiting for the program that stores the login", null)
                : new TokenResult.Unavailable("timed out waiting for the refresh of the access token", null);
    }

    /// The running refresh, or a new one.
    private Promise<TokenResult> start() {
        if (isClosed) {
            Promise<TokenResult> none = new Promise<>();
            none.complete(new TokenResult.Unavailable("the gateway is shutting down", null));
            return none;
        }
        return refreshes.join(this::refresh);
    }

    private TokenResult refresh() throws InterruptedException {
        TokenRefresh.Result result = new TokenRefresh(platform, login, current, unsaved()).run();
        adopt(result);
        return outcome(result);
    }

    private static TokenResult outcome(TokenRefresh.Result result) {
        TokenResult problem = result.problem();
        TokenRecord newest = result.tokenRecord();
        return problem != null
                ? problem
                : new TokenResult.Usable(newest.tokens().access(), newest.version());
    }

    private synchronized boolean unsaved() {
        return isUnsaved;
    }

    private synchronized void adopt(TokenRefresh.Result result) {
        TokenRecord newest = result.tokenRecord();
        boolean isNew = !newest.version().equals(current.version());
        current = newest;
        isUnsaved = result.isUnsaved();
        if (isUnsaved) {
            saveLater();
        } else {
            savePause = SAVE_PAUSE;
        }
        if (isNew) {
            isInUse = false;
        } else if (isInUse && newest.state() instanceof TokenState.Waiting waiting) {
            schedule(waiting.retryAt());
        }
    }

    // ---- Tokens that could not be stored

    private void saveLater() {
        if (!isClosed && saving == null) {
            saving = platform.timers().schedule(savePause, () -> {
                Promise<String> _ = saves.join(this::save);
            });
        }
    }

    /// Why the tokens are still not stored; empty if they are, or if others have replaced them.
    private String save() {
        TokenRecord unsaved;
        synchronized (this) {
            saving = null;
            if (!isUnsaved) {
                return "";
            }
            unsaved = current;
        }
        String problem = TokenRefresh.save(login.tokenStore(), unsaved);
        Duration pause;
        synchronized (this) {
            isUnsaved &= problem != null || !current.equals(unsaved);
            if (isUnsaved) {
                Duration doubled = savePause.multipliedBy(2);
                savePause = doubled.compareTo(LONGEST_SAVE_PAUSE) < 0 ? doubled : LONGEST_SAVE_PAUSE;
                saveLater();
            }
            pause = savePause;
        }
        if (problem == null) {
            login.listener().saved();
            return "";
        }
        login.listener().unsaved(problem, pause);
        return problem;
    }

    // ---- Ahead of the expiry

    private synchronized void begin() {
        if (isInUse) {
            return;
        }
        isInUse = true;
        Instant refreshAt = current.tokens().refreshAt(platform.random().nextDouble());
        boolean isPossible = current.tokens().refresh() != null
                || current.grant().type() == TokenRecord.GrantType.CLIENT_CREDENTIALS;
        if (refreshAt != null && isPossible && !(current.state() instanceof TokenState.Rejected)) {
            schedule(refreshAt);
        }
    }

    private void schedule(Instant at) {
        if (ahead != null) {
            ahead.cancel();
            ahead = null;
        }
        if (!isClosed) {
            TokenRecord.Version version = current.version();
            Duration delay = Duration.between(platform.wallClock().instant(), at);
            ahead = platform.timers().schedule(delay, () -> refreshAhead(version));
        }
    }

    private void refreshAhead(TokenRecord.Version version) {
        if (current.version().equals(version)) {
            Promise<TokenResult> _ = start();
        }
    }

    /// Waits for a running refresh, and until its tokens are stored, for a time at most: they are lost if the process
    /// ends
    /// before.
    public void awaitRefresh(Duration limit) throws InterruptedException {
        long end = platform.ticker().nanos() + limit.toNanos();
        refreshes.awaitIdle(platform, limit);
        if (unsaved()) {
            Duration left = Duration.ofNanos(Math.max(0, end - platform.ticker().nanos()));
            String _ = saves.join(this::save).await(platform, left, () -> false);
        }
    }

    /// Starts no further refresh; a running one ends by its own limits.
    @Override
    public synchronized void close() {
        isClosed = true;
        if (ahead != null) {
            ahead.cancel();
        }
        if (saving != null) {
            saving.cancel();
            saving = null;
        }
    }
}
