package dev.fusebox.oauth;

import dev.fusebox.client.ErrorId;
import dev.fusebox.oauth.LoginFlow.Person;
import dev.fusebox.oauth.LoginFlow.Wish;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.login.LoginLimits;
import dev.fusebox.oauth.login.PendingLogin;
import dev.fusebox.oauth.login.PendingLogins;
import dev.fusebox.oauth.protocol.DeviceCode;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A login of which there is one at a time for each server on this machine: the first caller makes it, others wait
/// for its result. Used by one thread; [#run] blocks for the person.
final class SharedLogin {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Platform platform;
    private final Logins logins;
    private final LoginSettings settings;

    /// The login that is joined, as it was shown last.
    private @Nullable PendingLogin shown;

    SharedLogin(Platform platform, Logins logins, LoginSettings settings) {
        this.platform = platform;
        this.logins = logins;
        this.settings = settings;
    }

    /// A login that is made here.
    interface Own {
        TokenRecord make(Wish wish, Person person) throws OAuthException, InterruptedException;
    }

    /// Makes the login, or waits for the one that is in progress.
    TokenRecord run(Wish wish, Person person, Own own) throws OAuthException, InterruptedException {
        try {
            Instant since = Instant.ofEpochMilli(platform.wallClock().instant().toEpochMilli());
            PendingLogins.Turn turn = logins.pendingLogins().tryTake(identity(settings));
            boolean isJoined = turn == null;
            if (turn == null) {
                turn = turnAfter(person);
            }
            try (PendingLogins.Turn taken = turn) {
                TokenRecord made = isJoined ? result(taken, since, wish) : null;
                return made == null ? own(taken, own, wish, person) : made;
            }
        } catch (IOException unusable) {
            throw new OAuthException(ErrorId.TOKEN_FILE_UNSAFE, "cannot store the login: " + unusable.getMessage());
        }
    }

    /// Two configurations of one address may use different clients.
    static String identity(LoginSettings settings) {
        return String.join(
                "\n",
                Logins.address(settings.serverUrl()),
                String.valueOf(settings.clientId()),
                String.valueOf(settings.issuer()),
                String.valueOf(settings.resource()));
    }

    /// Waits for the end of the login in progress, and shows it to the person meanwhile.
    private PendingLogins.Turn turnAfter(Person person) throws IOException, OAuthException, InterruptedException {
        long begun = platform.ticker().nanos();
        while (platform.ticker().nanos() - begun < LoginLimits.PERSON.toNanos()
                && !platform.await(POLL, person::isGone)) {
            PendingLogins.Turn turn = logins.pendingLogins().tryTake(identity(settings));
            if (turn != null) {
                return turn;
            }
            show(person);
        }
        throw new OAuthException(
                ErrorId.LOGIN_FAILED, "the login to " + settings.server() + " that is in progress was not finished");
    }

    private void show(Person person) throws IOException {
        PendingLogin found = logins.pendingLogins().find(identity(settings));
        if (found != null && found.failure() == null && !found.equals(shown)) {
            shown = found;
            person.join(found);
        }
    }

    /// The result of the login that was joined; null if it has none, because its process has died, or because more
    /// scopes are wanted here.
    private @Nullable TokenRecord result(PendingLogins.Turn turn, Instant since, Wish wish)
            throws IOException, OAuthException {
        PendingLogin last = turn.last();
        if (last != null && last.failure() != null && !last.at().isBefore(since)) {
            throw new OAuthException(ErrorId.LOGIN_FAILED, last.failure());
        }
        TokenRecord stored = logins.find(settings);
        boolean isNew = stored != null
                && !stored.grant().at().isBefore(since)
                && stored.grant().requested().containsAll(wish.scopes());
        return isNew ? stored : null;
    }

    private static TokenRecord own(PendingLogins.Turn turn, Own own, Wish wish, Person person)
            throws IOException, OAuthException, InterruptedException {
        turn.begin();
        try {
            TokenRecord made = own.make(wish, new PublishedPerson(person, turn));
            turn.succeeded();
            return made;
        } catch (OAuthException failed) {
            turn.failed(failed.id(), failed.message());
            throw failed;
        }
    }

    /// A person whose login others can join.
    private record PublishedPerson(Person person, PendingLogins.Turn turn) implements Person {
        @Override
        public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
            turn.publish(url, null);
            person.authorize(url, callbackListener, request);
        }

        @Override
        public void enterCode(DeviceCode deviceCode) {
            turn.publish(deviceCode.verificationUri(), deviceCode.userCode());
            person.enterCode(deviceCode);
        }

        @Override
        public boolean isGone() {
            return person.isGone();
        }
    }
}
