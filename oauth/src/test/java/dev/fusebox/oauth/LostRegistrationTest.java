package dev.fusebox.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.RequestAuthorizer.AuthRejection;
import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import dev.fusebox.client.http.RequestAuthorizer.Reaction;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An authorization server that does not know its registered client any more, or for a moment. The refresh token
/// belongs to that client (RFC 6749, 6), so a new registration does not help it.
///
/// Over five seconds on a busy machine: refreshes pause for one and two seconds.
@Timeout(60)
class LostRegistrationTest {
    private static final OAuthFault UNKNOWN = OAuthFault.of(OAuthFaultKind.ERROR, "invalid_client");

    @TempDir
    private Path folder;

    private LoginFixture fixture;
    private AuthorizationServer issuer;
    private ProtectedServer server;
    private LoginSettings settings;
    private Logins logins;

    @BeforeEach
    void start() throws IOException {
        fixture = LoginFixture.open(folder);
        issuer = fixture.issuer();
        server = fixture.server();
        logins = fixture.logins();
        settings = LoginSettings.of("jira", server.uri());
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private TokenRecord logIn() throws Exception {
        return fixture.logIn(settings);
    }

    /// A call whose access token the server rejects.
    private static Reaction rejected(ServerLogin login) {
        Authorization.Granted used = (Authorization.Granted) login.authorize(Duration.ofSeconds(30)::toNanos);
        return login.rejected(used, new AuthRejection(401, List.of("Bearer"), "echo"), Duration.ofSeconds(30)::toNanos);
    }

    /// The login after all refusals but the last one.
    private TokenRecord refusedForAMinute(TokenRecord made) throws IOException {
        RefreshFailure refused = new RefreshFailure(RefreshFailure.Kind.REFUSED_FOR_NOW, "invalid_client");
        TokenState waiting = new TokenState.Waiting(refused, 6, Instant.EPOCH, 0, 6);
        TokenRecord next = new TokenRecord(made.key(), made.generation(), made.grant(), made.tokens(), waiting);
        logins.tokenStore().write(next);
        return next;
    }

    @Test
    void client_that_stays_unknown_ends_the_login_and_the_next_login_registers_another() throws Exception {
        TokenRecord first = refusedForAMinute(logIn());
        issuer.faults().next(FaultPoint.REFRESH, UNKNOWN);
        try (ServerLogin login = logins.to(settings)) {
            Reaction reaction = rejected(login);
            assertThat(reaction).isInstanceOf(Reaction.Fail.class);
            CallFailure failure = ((Reaction.Fail) reaction).failure();
            assertThat(failure.id()).isEqualTo(ErrorId.LOGIN_REQUIRED);
            assertThat(failure.message()).contains("invalid_client", "its registration is lost", "login jira");
            TokenRecord second = logIn();
            assertThat(second.grant().client()).isNotEqualTo(first.grant().client());
            assertThat(issuer.observed().registrations()).isEqualTo(2);
            login.reload();
            assertThat(login.authorize(Duration.ofSeconds(30)::toNanos)).isInstanceOf(Authorization.Granted.class);
        }
    }

    @Test
    void client_that_is_unknown_for_a_moment_costs_no_login() throws Exception {
        logIn();
        for (int i = 0; i < 2; i++) {
            issuer.faults().next(FaultPoint.REFRESH, UNKNOWN);
        }
        try (ServerLogin login = logins.to(settings)) {
            assertThat(rejected(login)).isInstanceOf(Reaction.SendAgain.class);
        }
        assertThat(issuer.observed().registrations()).isEqualTo(1);
    }
}
