package dev.fusebox.oauth;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Promise;
import dev.fusebox.client.SingleFlight;
import dev.fusebox.client.http.RequestAuthorizer;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.oauth.protocol.AuthChallenge;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.LiveToken;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.oauth.token.TokenResult;
import dev.fusebox.platform.FuseboxCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The login to one server: puts its access token on every request, and decides what happens when the server
/// rejects it. Thread-safe; blocks as [RequestAuthorizer] says, and for the storage when the login is first used.
///
/// ```
/// 401 with an outdated token -> sent again with the newest
/// 401 with the newest        -> refreshed, sent again; not refreshed twice unless the server accepted it between,
///                               and then three times an hour at most in the first half of its lifetime
/// 401 without a token        -> sent again if another process has logged in, else LOGIN_REQUIRED with the command
/// 403 insufficient_scope     -> SCOPE_MISSING, for the called tool only, with the command for all scopes
/// ```
public final class ServerLogin implements RequestAuthorizer, AutoCloseable {
    private static final int FORBIDDEN = 403;
    private static final Set<ErrorId> TRANSIENT =
            EnumSet.of(ErrorId.ISSUER_DOWN, ErrorId.KEYRING_LOCKED, ErrorId.TOKEN_FILE_UNSAFE);
    /// A server that asks for ever more scopes is not followed beyond this.
    private static final int MAX_SCOPES = 200;

    private static final String NOT_GRANTED = "it was requested, and the authorization server did not grant it or the"
            + " server does not accept it, so another login will not help";

    private final LoginSettings settings;
    private final Logins logins;
    private final SingleFlight<String> newLogins =
            new SingleFlight<>("fusebox-client-credentials", "the login failed; see the log");
    private volatile @Nullable LiveToken liveToken;
    private volatile @Nullable AuthChallenge challenge;
    /// The version that the server has accepted last; none before.
    private volatile @Nullable Object accepted;
    /// The version that was requested because the server rejected the one before; none before.
    private volatile @Nullable Object forced;
    private volatile boolean isRequired;
    /// Whether the server has rejected an access token that was just issued.
    private volatile boolean isNewTokenRejected;
    /// Why the last login by client credentials failed; null if it did not.
    private volatile @Nullable OAuthException obtainFailure;

    private final MissingScopes missingScopes = new MissingScopes();
    private final EarlyRejections earlyRejections = new EarlyRejections();
    private final ReentrantLock reloading = new ReentrantLock();
    private volatile @Nullable LiveToken closed;
    private boolean isLoaded;
    private boolean isClosed;

    ServerLogin(LoginSettings settings, Logins logins) {
        this.settings = settings;
        this.logins = logins;
    }

    public LoginSettings settings() {
        return settings;
    }

    /// The challenge of the last rejection; null if there was none.
    public @Nullable AuthChallenge challenge() {
        return challenge;
    }

    /// The stored record of the login, as far as it is known; null if there is none.
    public @Nullable TokenRecord tokenRecord() {
        LiveToken known = loaded();
        return known == null ? null : known.tokenRecord();
    }

    /// Whether the server has rejected a request without a login, and none was made since.
    public boolean isRequired() {
        return isRequired && tokenRecord() == null;
    }

    /// Whether the server has rejected an access token that was just issued, and accepted none since.
    public boolean isNewTokenRejected() {
        return isNewTokenRejected;
    }

    /// Why the last login by client credentials failed; null if it did not, or there was none.
    public @Nullable OAuthException obtainFailure() {
        return obtainFailure;
    }

    /// The scopes that tools of the server need and this login lacks, by tool.
    public Map<String, Set<String>> missingScopes() {
        return missingScopes.of(tokenRecord());
    }

    /// What a login by a person has to ask for so that a failed call can succeed; null if none would help.
    ///
    /// @param tool that lacks a scope; null if the login is missing
    public LoginFlow.@Nullable Wish wish(@Nullable String tool) {
        if (settings.grant() == GrantType.CLIENT_CREDENTIALS) {
            return null;
        }
        if (tool == null) {
            return isNewTokenRejected ? null : new LoginFlow.Wish(challenge, Set.of());
        }
        TokenRecord known = tokenRecord();
        Set<String> missing = missingScopes().getOrDefault(tool, Set.of());
        Set<String> requested = known == null ? Set.of() : known.grant().requested();
        boolean isNew = !requested.containsAll(missing);
        return isNew && missing.size() + requested.size() <= MAX_SCOPES ? new LoginFlow.Wish(challenge, missing) : null;
    }

    /// Reads the stored login again, after a login or a logout.
    public void reload() {
        // What was read first is not used last.
        reloading.lock();
        try {
            adoptStored();
        } finally {
            reloading.unlock();
        }
    }

    private void adoptStored() {
        TokenRecord stored = logins.find(settings);
        LiveToken next = stored == null ? null : logins.liveToken(settings, stored);
        LiveToken before;
        boolean isSame;
        synchronized (this) {
            isLoaded = true;
            before = liveToken;
            isSame = before != null
                    && stored != null
                    && before.tokenRecord().key().equals(stored.key());
            if (!isSame) {
                liveToken = isClosed ? null : next;
            }
        }
        if (before != null && stored != null && isSame) {
            before.adopt(stored);
        } else if (before != null) {
            before.close();
        }
    }

    private @Nullable LiveToken loaded() {
        LiveToken known = liveToken;
        if (known != null || isLoaded()) {
            return known;
        }
        reload();
        return liveToken;
    }

    private synchronized boolean isLoaded() {
        return isLoaded;
    }

    // ---- Requests

    @Override
    public Authorization authorize(LongSupplier left) {
        LiveToken known = loaded();
        if (known == null) {
            return Authorization.NONE;
        }
        TokenResult result = known.token(left);
        return result instanceof TokenResult.NoToken none
                ? new Authorization.Refused(failure(none, Evidence.NONE, Delivery.NOT_SENT))
                : granted((TokenResult.Usable) result);
    }

    private static Authorization.Granted granted(TokenResult.Usable usable) {
        return new Authorization.Granted(List.of("Authorization", "Bearer " + usable.access()), usable.version());
    }

    @Override
    public void accepted(Authorization.Granted used) {
        if (!used.credential().equals(accepted)) {
            accepted = used.credential();
            isNewTokenRejected = false;
        }
    }

    @Override
    public Reaction rejected(Authorization.Granted used, AuthRejection rejection, LongSupplier left) {
        AuthChallenge bearer = AuthChallenge.of(rejection.challenges());
        if (bearer != null) {
            challenge = bearer;
        }
        Evidence evidence = Evidence.ofHttp(rejection.status(), null);
        if (rejection.status() == FORBIDDEN) {
            return bearer != null && bearer.isScopeMissing()
                    ? scopeMissing(bearer.scopes(), rejection, left)
                    : new Reaction.NotConcerned();
        }
        return used.equals(Authorization.NONE) ? rejectedWithout(evidence, left) : rejectedToken(used, evidence, left);
    }

    /// Another process may have logged in since.
    private Reaction rejectedWithout(Evidence evidence, LongSupplier left) {
        reload();
        LiveToken known = liveToken;
        isRequired |= known == null;
        if (known == null && settings.grant() == GrantType.CLIENT_CREDENTIALS) {
            return obtained(Set.of(), evidence, left);
        }
        return known == null
                ? new Reaction.Fail(loginRequired("there is no login", evidence, Delivery.REJECTED))
                : reaction(known.token(left), evidence);
    }

    private Reaction rejectedToken(Authorization.Granted used, Evidence evidence, LongSupplier left) {
        LiveToken known = liveToken;
        if (known == null || !(used.credential() instanceof TokenRecord.Version version)) {
            return rejectedWithout(evidence, left);
        }
        Instant now = logins.platform().wallClock().instant();
        if (version.equals(forced)
                && (!version.equals(accepted)
                        || !earlyRejections.isAllowed(known.tokenRecord().tokens(), now))) {
            isNewTokenRejected = true;
            return new Reaction.Fail(loginRequired(
                    "the server rejects an access token that was just issued", evidence, Delivery.REJECTED));
        }
        TokenResult result = known.rejected(version, left);
        if (result instanceof TokenResult.Usable usable) {
            forced = usable.version();
        }
        return reaction(result, evidence);
    }

    private Reaction reaction(TokenResult result, Evidence evidence) {
        return result instanceof TokenResult.NoToken none
                ? new Reaction.Fail(failure(none, evidence, Delivery.REJECTED))
                : new Reaction.SendAgain(granted((TokenResult.Usable) result));
    }

    /// A login that asks for scopes that were requested before would bring nothing new.
    private Reaction scopeMissing(Set<String> missing, AuthRejection rejection, LongSupplier left) {
        TokenRecord known = tokenRecord();
        Set<String> requested = known == null ? Set.of() : known.grant().requested();
        Set<String> granted = known == null ? Set.of() : known.tokens().scopes();
        Set<String> all = new TreeSet<>(missing);
        all.addAll(requested);
        all.addAll(granted);
        Evidence evidence = Evidence.ofHttp(rejection.status(), null);
        boolean isNew = !requested.containsAll(missing);
        boolean isEndless = all.size() > MAX_SCOPES;
        if (isNew && !isEndless && settings.grant() == GrantType.CLIENT_CREDENTIALS) {
            return obtained(all, evidence, left);
        }
        String what = rejection.tool() == null ? "this request" : rejection.tool();
        String scopes = String.join(" ", new TreeSet<>(missing));
        if (rejection.tool() != null) {
            missingScopes.add(rejection.tool(), missing, known);
        }
        String remedy = isEndless
                ? "more than " + MAX_SCOPES + " scopes have been asked for so far, so another login will not help"
                : isNew ? command(all) : NOT_GRANTED;
        String message = "Access forbidden (HTTP 403): " + what + " of " + settings.server() + " needs the scope "
                + scopes + "; " + remedy;
        return new Reaction.Fail(CallFailure.of(ErrorId.SCOPE_MISSING, message).with(evidence));
    }

    private String command(Set<String> scopes) {
        return "run `" + FuseboxCommand.onFile("login", settings.server(), "--scope", String.join(" ", scopes)) + "`";
    }

    /// New tokens by client credentials.
    private Reaction obtained(Set<String> scopes, Evidence evidence, LongSupplier left) {
        Promise<String> login = newLogins.join(() -> obtain(scopes));
        String problem = awaited(login, left);
        if (!problem.isEmpty()) {
            return new Reaction.Fail(notObtained(problem, evidence));
        }
        reload();
        LiveToken known = liveToken;
        return known == null
                ? new Reaction.Fail(loginRequired("the login was deleted", evidence, Delivery.REJECTED))
                : reaction(known.token(left), evidence);
    }

    /// An authorization server that has not answered in time may answer the next request.
    private CallFailure notObtained(String problem, Evidence evidence) {
        OAuthException failed = obtainFailure;
        ErrorId id = failed == null ? ErrorId.ISSUER_DOWN : failed.id();
        return TRANSIENT.contains(id)
                ? transientFailure(id, problem, null).withDelivery(Delivery.REJECTED)
                : loginRequired(problem, evidence, Delivery.REJECTED);
    }

    /// Why it failed; empty if it did not.
    private String obtain(Set<String> scopes) throws InterruptedException {
        try {
            TokenRecord _ = logins.flow(settings).withClientCredentials(new LoginFlow.Wish(challenge, scopes));
            obtainFailure = null;
            return "";
        } catch (OAuthException failed) {
            obtainFailure = failed;
            return failed.message();
        }
    }

    private String awaited(Promise<String> login, LongSupplier left) {
        try {
            Duration limit = Duration.ofNanos(Math.max(0, left.getAsLong()));
            String problem = login.await(logins.platform(), limit, () -> left.getAsLong() <= 0);
            return problem == null ? "timed out waiting for the authorization server" : problem;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "interrupted while waiting for the authorization server";
        }
    }

    // ---- Failures

    private CallFailure failure(TokenResult.NoToken none, Evidence evidence, Delivery delivery) {
        return switch (none) {
            case TokenResult.Unavailable unavailable -> issuerDown(unavailable, delivery);
            case TokenResult.StoreUnusable unusable -> storeUnusable(unusable, delivery);
            case TokenResult.LoginRequired(String reason) -> loginRequired(reason, evidence, delivery);
        };
    }

    private CallFailure loginRequired(String reason, Evidence evidence, Delivery delivery) {
        String what = evidence.httpStatus() == null
                ? "Login required"
                : "Authentication failed (HTTP " + evidence.httpStatus() + ")";
        String message = what + ": " + reason + "; run `" + FuseboxCommand.onFile("login", settings.server()) + "`";
        return CallFailure.of(ErrorId.LOGIN_REQUIRED, message).with(evidence).withDelivery(delivery);
    }

    private CallFailure issuerDown(TokenResult.Unavailable unavailable, Delivery delivery) {
        String message = "Cannot refresh the access token of " + settings.server() + ": " + unavailable.message()
                + "; the login is kept";
        return transientFailure(ErrorId.ISSUER_DOWN, message, unavailable.retryAfter())
                .withDelivery(delivery);
    }

    private CallFailure storeUnusable(TokenResult.StoreUnusable unusable, Delivery delivery) {
        String remedy = unusable.isKeyring()
                ? "unlock the keyring, or fix the program in credentials.command, and call again"
                : "`" + FuseboxCommand.onFile("doctor", settings.server()) + "` names the remedy";
        String message = "Cannot read or write the login to " + settings.server() + ": " + unusable.message()
                + "; the login is kept: " + remedy;
        ErrorId id = unusable.isKeyring() ? ErrorId.KEYRING_LOCKED : ErrorId.TOKEN_FILE_UNSAFE;
        return transientFailure(id, message, unusable.retryAfter()).withDelivery(delivery);
    }

    private static CallFailure transientFailure(ErrorId id, String message, @Nullable Duration retryAfter) {
        CallFailure failure = CallFailure.of(id, message);
        return retryAfter == null ? failure : failure.with(Evidence.ofPause(retryAfter));
    }

    @Override
    public Redactor secrets() {
        LiveToken known = liveToken;
        if (known == null) {
            return Redactor.NONE;
        }
        return Redactor.of(secrets(known.tokenRecord()));
    }

    static List<String> secrets(TokenRecord tokenRecord) {
        String refresh = tokenRecord.tokens().refresh();
        return Stream.of(tokenRecord.tokens().access(), refresh == null ? "" : refresh)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    @Override
    public void close() {
        LiveToken known;
        synchronized (this) {
            isClosed = true;
            isLoaded = true;
            known = liveToken;
            liveToken = null;
            closed = known == null ? closed : known;
        }
        if (known != null) {
            known.close();
        }
    }

    /// Waits for a refresh that was running when this was closed, for a time at most.
    public void awaitRefresh(Duration limit) throws InterruptedException {
        LiveToken known = closed;
        if (known != null) {
            known.awaitRefresh(limit);
        }
    }
}
