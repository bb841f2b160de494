package dev.fusebox.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Principal;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.protocol.DeviceCode;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenRecord;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Logins that several configured servers could use: servers of one resource, and one server with and without a
/// configured client.
@Timeout(60)
class SharedResourceTest {
    @TempDir
    private Path folder;

    private LoginFixture fixture;
    private AuthorizationServer issuer;
    private ProtectedServer server;
    private Logins logins;

    @BeforeEach
    void start() throws IOException {
        fixture = LoginFixture.open(folder);
        issuer = fixture.issuer();
        server = fixture.server();
        logins = fixture.logins();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /// A server below the address of the resource.
    private LoginSettings settings(String name) {
        return LoginSettings.of(name, server.uriBelow(name));
    }

    private TokenRecord found(LoginSettings settings) {
        return Objects.requireNonNull(logins.find(settings));
    }

    private TokenRecord logIn(LoginSettings settings, String... scopes) throws Exception {
        return fixture.logIn(settings, scopes);
    }

    @Test
    void servers_of_one_resource_use_one_login_with_the_scopes_of_both() throws Exception {
        server.set(settings -> settings.withResource(server.uri().toString()));
        logIn(settings("one"), "files:write");
        TokenRecord second = logIn(settings("two"));
        assertThat(logins.all()).hasSize(1);
        assertThat(second.grant().requested()).contains("files:write");
        for (String name : List.of("one", "two")) {
            assertThat(found(settings(name)).version()).as(name).isEqualTo(second.version());
        }
        assertThat(logins.find(settings("three"))).isNull();
    }

    @Test
    void logout_of_one_server_keeps_the_login_of_the_other() throws Exception {
        logIn(settings("one"));
        logIn(settings("two"));
        assertThat(logins.flow(settings("one")).logout(found(settings("one"))))
                .contains("these servers use the same login", "/two")
                .doesNotContain("/one");
        assertThat(logins.find(settings("one"))).isNull();
        TokenRecord rest = found(settings("two"));
        assertThat(issuer.observed().requests(FaultPoint.REVOKE)).isEmpty();
        assertThat(logins.flow(settings("two")).logout(rest)).isNull();
        assertThat(logins.all()).isEmpty();
        assertThat(issuer.observed().requests(FaultPoint.REVOKE)).isNotEmpty();
    }

    @Test
    void login_elsewhere_leaves_the_login_to_the_other_servers() throws Exception {
        logIn(settings("one"));
        TokenRecord shared = logIn(settings("two"));
        TokenKey elsewhere = new TokenKey("https://other.example", shared.key().resource(), Principal.OWNER);
        TokenRecord.Grant grant =
                shared.grant().without(Logins.address(settings("one").serverUrl()));
        TokenRecord newest = new TokenRecord(elsewhere, 1, grant, shared.tokens(), shared.state());
        logins.removeOthers(settings("two"), newest);
        assertThat(logins.find(settings("two"))).isNull();
        assertThat(found(settings("one")).tokens().access())
                .isEqualTo(shared.tokens().access());
        logins.removeOthers(settings("one"), newest);
        assertThat(logins.all()).isEmpty();
    }

    @Test
    void login_of_a_configured_client_is_used_with_this_client_only() throws Exception {
        LoginSettings plain = LoginSettings.of("jira", server.uri());
        TokenRecord made = logIn(plain);
        TokenRecord.Grant grant = made.grant();
        TokenRecord.TokenClient configured = new TokenRecord.TokenClient("desk", true);
        TokenRecord.Grant other = new TokenRecord.Grant(
                grant.type(), grant.at(), grant.serverUrls(), configured, grant.requested(), grant.subject());
        logins.tokenStore().write(new TokenRecord(made.key(), made.generation(), other, made.tokens(), made.state()));
        assertThat(logins.find(plain)).isNull();
        TokenRecord again = logIn(plain);
        assertThat(again.grant().client().isConfigured()).isFalse();
        assertThat(found(plain).version()).isEqualTo(again.version());
    }

    /// A person who approves logins on another device.
    private final class OtherDevice implements LoginFlow.Person {
        private @Nullable DeviceCode shown;

        @Override
        public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
            throw new AssertionError("this login has no browser");
        }

        @Override
        public void enterCode(DeviceCode deviceCode) {
            shown = deviceCode;
            assertThat(issuer.decideDeviceLogin(deviceCode.userCode(), true)).isTrue();
        }

        @Override
        public boolean isGone() {
            return false;
        }
    }

    /// A client that was registered a moment ago is not replaced.
    private void makeRegistrationOld() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file);
                String older = text.replaceFirst("\"issuedAtMs\":\\d+", "\"issuedAtMs\":1000");
                if (!older.equals(text)) {
                    Files.writeString(file, older);
                }
            }
        }
    }

    @Test
    void login_on_a_device_replaces_a_client_that_the_authorization_server_has_forgotten() throws Exception {
        LoginSettings plain = LoginSettings.of("jira", server.uri());
        logins.flow(plain).onDevice(new LoginFlow.Wish(null, Set.of()), new OtherDevice());
        makeRegistrationOld();
        issuer.faults().next(FaultPoint.DEVICE, OAuthFault.of(OAuthFaultKind.ERROR, "invalid_client"));
        OtherDevice person = new OtherDevice();
        TokenRecord made = logins.flow(plain).onDevice(new LoginFlow.Wish(null, Set.of()), person);
        assertThat(person.shown).isNotNull();
        assertThat(found(plain).version()).isEqualTo(made.version());
        assertThat(issuer.observed().registrations()).isEqualTo(2);
    }
}
