package dev.fusebox.oauth;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Principal;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.AuthorizationResponse;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.login.DeviceAuthorization;
import dev.fusebox.oauth.login.LoginLimits;
import dev.fusebox.oauth.login.LoginPage;
import dev.fusebox.oauth.login.PendingLogin;
import dev.fusebox.oauth.protocol.AuthChallenge;
import dev.fusebox.oauth.protocol.ClientRegistration;
import dev.fusebox.oauth.protocol.DeviceCode;
import dev.fusebox.oauth.protocol.Discovered;
import dev.fusebox.oauth.protocol.Discovery;
import dev.fusebox.oauth.protocol.IssuerMetadata;
import dev.fusebox.oauth.protocol.IssuerTokenEndpoint;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.protocol.Registrar;
import dev.fusebox.oauth.protocol.TokenAnswer;
import dev.fusebox.oauth.protocol.TokenRequests;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A new login to one server: discovery, registration, the consent of a person or the client credentials, the token
/// request, and the stored record. Used by one thread; blocks for the network, and for the person.
///
/// ```
/// discovery --> registration --> browser, callback --> code     --> tokens --> record, generation + 1
///                    |---------> device code --------> polls     --'
///                    '---------> client credentials ------------'
/// ```
public final class LoginFlow {
    private static final System.Logger LOG = LazyLoggers.of(LoginFlow.class);

    /// How long a person may take.
    public static final Duration PERSON_LIMIT = LoginLimits.PERSON;

    private static final Duration STORE_LIMIT = Duration.ofSeconds(30);
    private static final Duration LOCK_POLL = Duration.ofMillis(20);

    private final Platform platform;
    private final Logins logins;
    private final LoginSettings settings;
    private final TokenRequests tokenRequests;

    LoginFlow(Platform platform, Logins logins, LoginSettings settings) {
        this.platform = platform;
        this.logins = logins;
        this.settings = settings;
        this.tokenRequests = new TokenRequests(logins.context(), settings);
    }

    /// The part of a login that happens elsewhere: in a browser, on another device, or at a terminal. Called by the
    /// thread of the login.
    public interface Person {
        /// Shows or opens the page of the authorization server.
        ///
        /// @param callbackListener accepts what the person enters in place of the browser
        void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request);

        /// Shows the code for a login on another device.
        void enterCode(DeviceCode deviceCode);

        /// Shows a login to the same server that another thread or process has begun, and whose end is awaited.
        default void join(PendingLogin pendingLogin) {
            // The person finishes the login where it was begun.
        }

        /// Whether the person has given up.
        boolean isGone();
    }

    /// What a login may ask for. Immutable.
    ///
    /// @param challenge of the server; null if it sent none
    /// @param scopes in addition to those that the server asks for
    public record Wish(@Nullable AuthChallenge challenge, Set<String> scopes) {
        public Wish {
            scopes = Set.copyOf(scopes);
        }
    }

    /// The server and its authorization server, and what will be requested. Immutable.
    private record Plan(Discovered discovered, Set<String> scopes) {
        IssuerMetadata issuer() {
            return discovered.issuer();
        }

        TokenRequests.Client client(ClientRegistration registration) {
            return new TokenRequests.Client(issuer(), registration, discovered.resource());
        }
    }

    // ---- Flows

    /// Logs in with a browser on this machine, or with a callback URL that the person enters. Joins a login to the
    /// same server that is in progress.
    ///
    /// @return the stored record
    public TokenRecord inBrowser(Wish wish, Person person) throws OAuthException, InterruptedException {
        return new SharedLogin(platform, logins, settings).run(wish, person, this::ownInBrowser);
    }

    private TokenRecord ownInBrowser(Wish wish, Person person) throws OAuthException, InterruptedException {
        Plan plan = plan(wish);
        Registrar registrar = new Registrar(logins.context(), settings);
        try (CallbackListener callback = CallbackListener.open(platform, ports(registrar, plan.issuer()))) {
            ClientRegistration client = registrar.registration(plan.issuer(), callback.redirectUri());
            return inBrowser(plan, client, new Round(callback, person));
        } catch (InvalidClient unknown) {
            return again(plan, registrar, unknown.client, person);
        } catch (IOException noPort) {
            throw noCallback(noPort);
        }
    }

    /// The authorization server does not know the client any more: with a new one the person has to consent again.
    private TokenRecord again(Plan plan, Registrar registrar, ClientRegistration refused, Person person)
            throws OAuthException, InterruptedException {
        try (CallbackListener callback = CallbackListener.open(platform, ports(registrar, plan.issuer()))) {
            ClientRegistration client = registrar.replacement(plan.issuer(), refused, callback.redirectUri());
            return inBrowser(plan, client, new Round(callback, person));
        } catch (InvalidClient still) {
            throw unknownAgain(plan);
        } catch (IOException noPort) {
            throw noCallback(noPort);
        }
    }

    private static OAuthException unknownAgain(Plan plan) {
        return new OAuthException(
                ErrorId.REGISTRATION_REFUSED,
                plan.issuer().issuer() + " does not accept the client that it has just registered (invalid_client)");
    }

    private static OAuthException noCallback(IOException why) {
        return new OAuthException(
                ErrorId.LOGIN_FAILED, "cannot receive the callback of the login: " + why.getMessage());
    }

    /// One authorization request and who answers it.
    private record Round(CallbackListener callback, Person person) {}

    /// The authorization server refused the client.
    private static final class InvalidClient extends Exception {
        private static final long serialVersionUID = 1;

        private final transient ClientRegistration client;

        InvalidClient(ClientRegistration client) {
            super("invalid_client", null, false, false);
            this.client = client;
        }
    }

    private TokenRecord inBrowser(Plan plan, ClientRegistration client, Round round)
            throws OAuthException, InvalidClient, InterruptedException {
        IssuerMetadata issuer = plan.issuer();
        CallbackListener callback = round.callback();
        AuthorizationRequest request = AuthorizationRequest.of(
                callback.redirectUri(), issuer.issuer(), issuer.capabilities().announcesIssuer());
        callback.expect(request);
        URI endpoint = issuer.endpoints().authorization();
        if (endpoint == null) {
            throw new OAuthException(ErrorId.ISSUER_INVALID, issuer.issuer() + " announces no authorization endpoint");
        }
        round.person()
                .authorize(
                        request.url(
                                endpoint,
                                client.clientId(),
                                plan.scopes(),
                                plan.discovered().resource()),
                        callback,
                        request);
        boolean isLoggedIn = false;
        try {
            AuthorizationResponse response = callback.await(PERSON_LIMIT, round.person()::isGone);
            if (response == null && !round.person().isGone()) {
                forgetUnused(issuer, client);
            }
            String code = code(response, round.person());
            TokenAnswer answer = tokenRequests.redeem(
                    plan.client(client), new TokenRequests.CodeGrant(code, request.verifier(), request.redirectUri()));
            if (answer instanceof TokenAnswer.Refused(String refusal) && refusal.equals("invalid_client")) {
                throw new InvalidClient(client);
            }
            TokenRecord stored = store(plan, client, answer.issued(issuer.issuer()));
            isLoggedIn = true;
            return stored;
        } finally {
            callback.finish(
                    isLoggedIn
                            ? LoginPage.loggedIn(settings.server(), host())
                            : LoginPage.failed(settings.server(), "the login was not completed"));
        }
    }

    /// Forgets a client that may be unknown to the authorization server, which then shows an error page and does not
    /// redirect (RFC 6749, 4.1.2.1). The next login registers another.
    private void forgetUnused(IssuerMetadata issuer, ClientRegistration client) {
        try {
            boolean isUsed = logins.tokenStore().all().stream()
                    .anyMatch(stored -> stored.key().issuer().equals(issuer.issuer())
                            && stored.grant().client().id().equals(client.clientId()));
            if (client.kind() == ClientRegistration.Kind.DYNAMIC && !isUsed) {
                new Registrar(logins.context(), settings).forget(issuer.issuer(), client.clientId());
            }
        } catch (IOException unreadable) {
            LOG.log(Level.WARNING, settings.server() + ": cannot read the stored logins: " + unreadable.getMessage());
        }
    }

    /// The configured port, or one that a client is registered with, or any.
    private List<Integer> ports(Registrar registrar, IssuerMetadata issuer) throws OAuthException {
        if (settings.redirectPort() != 0) {
            return List.of(settings.redirectPort());
        }
        List<Integer> ports = new ArrayList<>();
        for (String redirectUri : registrar.redirectUris(issuer)) {
            int port = URI.create(redirectUri).getPort();
            if (port > 0) {
                ports.add(port);
            }
        }
        ports.add(0);
        return ports;
    }

    private static String code(@Nullable AuthorizationResponse response, Person person) throws OAuthException {
        return switch (response) {
            case null ->
                throw new OAuthException(
                        ErrorId.LOGIN_FAILED,
                        person.isGone()
                                ? "the login was cancelled"
                                : "the login timed out after " + PERSON_LIMIT.toMinutes() + " minutes");
            case AuthorizationResponse.Code(String code) -> code;
            case AuthorizationResponse.Denied(String reason) ->
                throw new OAuthException(ErrorId.LOGIN_FAILED, "the login was not completed: " + reason);
            case AuthorizationResponse.Invalid(String reason) ->
                throw new OAuthException(ErrorId.LOGIN_FAILED, "the login was not completed: " + reason);
        };
    }

    /// Logs in on another device (RFC 8628). Joins a login to the same server that is in progress.
    ///
    /// @return the stored record
    public TokenRecord onDevice(Wish wish, Person person) throws OAuthException, InterruptedException {
        return new SharedLogin(platform, logins, settings).run(wish, person, this::ownOnDevice);
    }

    private TokenRecord ownOnDevice(Wish wish, Person person) throws OAuthException, InterruptedException {
        Plan plan = plan(wish);
        Registrar registrar = new Registrar(logins.context(), settings);
        String redirectUri = "http://127.0.0.1" + CallbackListener.PATH;
        ClientRegistration client = registrar.registration(plan.issuer(), redirectUri);
        try {
            return onDevice(plan, client, person);
        } catch (InvalidClient unknown) {
            client = registrar.replacement(plan.issuer(), unknown.client, redirectUri);
        }
        try {
            return onDevice(plan, client, person);
        } catch (InvalidClient still) {
            throw unknownAgain(plan);
        }
    }

    private TokenRecord onDevice(Plan plan, ClientRegistration client, Person person)
            throws OAuthException, InvalidClient, InterruptedException {
        DeviceCode deviceCode;
        try {
            deviceCode = tokenRequests.deviceCode(plan.client(client), plan.scopes());
        } catch (OAuthException refused) {
            if (refused.id() == ErrorId.REGISTRATION_REFUSED) {
                throw new InvalidClient(client);
            }
            throw refused;
        }
        person.enterCode(deviceCode);
        return store(plan, client, poll(plan.client(client), deviceCode, person));
    }

    private TokenAnswer.Issued poll(TokenRequests.Client client, DeviceCode deviceCode, Person person)
            throws OAuthException, InterruptedException {
        Duration limit = deviceCode.lifetime().compareTo(PERSON_LIMIT) < 0 ? deviceCode.lifetime() : PERSON_LIMIT;
        DeviceAuthorization.Outcome<TokenAnswer.Issued> outcome = new DeviceAuthorization(limit, deviceCode.interval())
                .await(platform, () -> pollAnswer(tokenRequests.poll(client, deviceCode)), person::isGone);
        return switch (outcome) {
            case DeviceAuthorization.Outcome.LoggedIn<TokenAnswer.Issued>(TokenAnswer.Issued issued) -> issued;
            case DeviceAuthorization.Outcome.Declined<TokenAnswer.Issued> declined ->
                new TokenAnswer.Refused(declined.code()).issued(client.issuer().issuer());
            case DeviceAuthorization.Outcome.Expired<TokenAnswer.Issued> _ ->
                throw new OAuthException(
                        ErrorId.LOGIN_FAILED, "the device code expired; run the command again for a new one");
            case DeviceAuthorization.Outcome.Cancelled<TokenAnswer.Issued> _ ->
                throw new OAuthException(ErrorId.LOGIN_FAILED, "the login was cancelled");
        };
    }

    private static DeviceAuthorization.Answer<TokenAnswer.Issued> pollAnswer(TokenAnswer answer) {
        return switch (answer) {
            case TokenAnswer.Issued issued -> new DeviceAuthorization.Answer.Granted<>(issued);
            case TokenAnswer.Refused refused ->
                switch (refused.code()) {
                    case "authorization_pending" -> new DeviceAuthorization.Answer.Pending<>();
                    case "slow_down" -> new DeviceAuthorization.Answer.SlowDown<>();
                    default -> new DeviceAuthorization.Answer.Refused<>(refused.code());
                };
            case TokenAnswer.Unclear(RefreshFailure _, Duration retryAfter) ->
                new DeviceAuthorization.Answer.Unanswered<>(retryAfter);
        };
    }

    /// Requests tokens without a person.
    ///
    /// @return the stored record
    public TokenRecord withClientCredentials(Wish wish) throws OAuthException, InterruptedException {
        Plan plan = plan(wish);
        ClientRegistration client = new Registrar(logins.context(), settings).registration(plan.issuer(), "");
        TokenAnswer.Issued issued = tokenRequests
                .clientCredentials(plan.client(client), plan.scopes())
                .issued(plan.issuer().issuer());
        return store(plan, client, issued);
    }

    // ---- Steps

    private Plan plan(Wish wish) throws OAuthException {
        Discovered discovered = new Discovery(logins.context(), settings).discover(wish.challenge());
        TokenRecord before = requireStorable(key(discovered));
        Set<String> scopes = new TreeSet<>(discovered.scopes());
        scopes.addAll(wish.scopes());
        // A repeated login takes no scope away, unless the scopes are configured.
        if (before != null
                && Logins.isSameKind(settings, before)
                && (!wish.scopes().isEmpty() || settings.scopes().isEmpty())) {
            scopes.addAll(before.grant().requested());
        }
        return new Plan(discovered, scopes);
    }

    /// Requires, before the person is asked, that a login can be stored. The lock may be held by another process.
    ///
    /// @return the stored login, perhaps made for another server; null if there is none
    private @Nullable TokenRecord requireStorable(TokenKey key) throws OAuthException {
        try (TokenStore.Lock _ = logins.tokenStore().tryLock(key)) {
            return logins.tokenStore().read(key);
        } catch (IOException unusable) {
            throw OAuthException.ofStore("cannot store the login: ", unusable);
        }
    }

    private static TokenKey key(Discovered discovered) {
        return new TokenKey(discovered.issuer().issuer(), discovered.resource(), Principal.OWNER);
    }

    private String host() {
        String host = settings.serverUrl().getHost();
        return host == null ? settings.server() : host;
    }

    /// Replaces the record under its lock, so that a refresh of the former login by another process is over.
    private TokenRecord store(Plan plan, ClientRegistration client, TokenAnswer.Issued issued)
            throws OAuthException, InterruptedException {
        TokenKey key = key(plan.discovered());
        try (TokenStore.Lock _ = lock(key)) {
            TokenRecord stored = logins.tokenStore().read(key);
            long generation = stored == null ? 1 : stored.generation() + 1;
            TokenRecord.Grant grant = new TokenRecord.Grant(
                    settings.grant(),
                    Instant.ofEpochMilli(platform.wallClock().instant().toEpochMilli()),
                    servers(stored),
                    new TokenRecord.TokenClient(client.clientId(), client.kind() == ClientRegistration.Kind.CONFIGURED),
                    plan.scopes(),
                    issued.account());
            TokenRecord next = new TokenRecord(key, generation, grant, issued.tokens(), new TokenState.Ready());
            logins.tokenStore().write(next);
            logins.listener().secrets(settings.server(), ServerLogin.secrets(next));
            logins.removeOthers(settings, next);
            return next;
        } catch (IOException unwritable) {
            throw OAuthException.ofStore("cannot store the login: ", unwritable);
        }
    }

    /// Other servers with the same resource use the new tokens, too.
    private Set<String> servers(@Nullable TokenRecord stored) {
        Set<String> servers = new TreeSet<>();
        servers.add(Logins.address(settings.serverUrl()));
        if (stored != null && Logins.isSameKind(settings, stored)) {
            servers.addAll(stored.grant().serverUrls());
        }
        return servers;
    }

    private TokenStore.Lock lock(TokenKey key) throws IOException, InterruptedException {
        long begun = platform.ticker().nanos();
        while (platform.ticker().nanos() - begun < STORE_LIMIT.toNanos()) {
            TokenStore.Lock lock = logins.tokenStore().tryLock(key);
            if (lock != null) {
                return lock;
            }
            platform.pause(LOCK_POLL);
        }
        throw new IOException("another process has held the lock of this login for " + STORE_LIMIT.toSeconds() + " s");
    }

    /// Deletes the login, after revoking its tokens where the authorization server supports that. If other servers use
    /// it, it is kept for them.
    ///
    /// @return why the tokens may still be valid; null if they are not, or there was no login
    public @Nullable String logout(TokenRecord stored) throws OAuthException, InterruptedException {
        String problem = null;
        try (TokenStore.Lock _ = lock(stored.key())) {
            TokenRecord newest = logins.tokenStore().read(stored.key());
            String address = Logins.address(settings.serverUrl());
            if (newest != null && newest.grant().isShared(address)) {
                TokenRecord rest = newest.without(address);
                logins.tokenStore().write(rest);
                problem = "these servers use the same login: "
                        + String.join(", ", new TreeSet<>(rest.grant().serverUrls()));
            } else {
                logins.tokenStore().remove(stored.key());
                problem = newest == null ? null : revoke(newest);
            }
        } catch (IOException unwritable) {
            throw OAuthException.ofStore("cannot delete the login: ", unwritable);
        }
        return problem;
    }

    private @Nullable String revoke(TokenRecord stored) {
        try {
            return new IssuerTokenEndpoint(logins.context(), settings).revoke(stored);
        } catch (OAuthException unknown) {
            return unknown.message();
        }
    }
}
