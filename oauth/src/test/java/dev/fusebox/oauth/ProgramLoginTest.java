package dev.fusebox.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.RequestAuthorizer.AuthRejection;
import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import dev.fusebox.client.http.RequestAuthorizer.Reaction;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.secret.CommandSecretStore;
import dev.fusebox.oauth.token.SecretTokenStore;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Logins whose tokens a program stores: one that works, hangs, fails, prints rubbish, or has lost them.
@Tag("process")
@Timeout(120)
class ProgramLoginTest {
    private static final Platform PLATFORM = Platform.system();
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);

    /// Its state is the word in the file `mode`.
    private static final String PROGRAM = """
            #!/bin/sh
            cd BASE
            echo "$1" >> runs
            case "$(cat mode)" in
              hang) exec sleep 600 ;;
              fail) echo 'the vault is sealed' >&2; exit 3 ;;
              noise) echo '<html>'; exit 0 ;;
              damaged) test "$1" = get && { echo 'value=e30='; exit 0; } ;;
              lost) test "$1" = get && exit 1 ;;
            esac
            IFS= read -r name
            name=${name#name=}
            case "$1" in
              get) test -f "$name" || exit 1; cat "$name" ;;
              store) IFS= read -r value; echo "$value" > "$name.new"; mv "$name.new" "$name" ;;
              erase) test -f "$name" || exit 1; rm "$name" ;;
            esac
            """;

    @TempDir
    private Path base;

    private AuthorizationServer issuer;
    private ProtectedServer server;
    private LoginSettings settings;
    private LoginStorage storage;
    private Logins logins;

    @BeforeEach
    void start() throws IOException {
        issuer = AuthorizationServer.start();
        server = ProtectedServer.start(issuer);
        settings = LoginSettings.of("jira", server.uri());
        Path program = Files.writeString(base.resolve("program"), PROGRAM.replace("BASE", base.toString()));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        mode("work");
        Path folder = base.resolve("tokens");
        CommandSecretStore secrets =
                new CommandSecretStore(PLATFORM, List.of(program.toString()), folder.resolve("command"));
        storage = new LoginStorage(folder, new SecretTokenStore(secrets, folder, "command"));
        logins = open();
    }

    @AfterEach
    void stop() {
        logins.close();
        server.close();
        issuer.close();
    }

    private Logins open() {
        return Logins.open(PLATFORM, storage, OutboundSettings.defaults(), LoginListener.NONE);
    }

    private void mode(String word) throws IOException {
        Files.writeString(base.resolve("mode"), word + "\n");
    }

    private int runs() throws IOException {
        Path runs = base.resolve("runs");
        return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
    }

    private TokenRecord logIn() throws Exception {
        return logins.flow(settings).inBrowser(new LoginFlow.Wish(null, Set.of()), new ScriptedBrowser());
    }

    private static CallFailure refused(ServerLogin login) {
        Authorization authorization = login.authorize(CALL_LIMIT::toNanos);
        assertThat(authorization).isInstanceOf(Authorization.Refused.class);
        return ((Authorization.Refused) authorization).failure();
    }

    private static List<String> granted(ServerLogin login) {
        Authorization authorization = login.authorize(CALL_LIMIT::toNanos);
        assertThat(authorization).isInstanceOf(Authorization.Granted.class);
        return ((Authorization.Granted) authorization).fields();
    }

    @Test
    void login_is_listed_without_the_program_and_read_once_for_all_calls() throws Exception {
        TokenRecord made = logIn();
        int before = runs();
        try (ServerLogin login = logins.to(settings)) {
            assertThat(Objects.requireNonNull(login.tokenRecord()).grant().client())
                    .isEqualTo(made.grant().client());
            assertThat(runs()).isEqualTo(before);
            assertThat(granted(login)).contains("Bearer " + made.tokens().access());
            assertThat(granted(login)).contains("Bearer " + made.tokens().access());
            assertThat(runs()).isEqualTo(before + 1);
        }
    }

    @Test
    void refreshed_tokens_are_stored_by_the_program_and_used_by_the_next_process() throws Exception {
        TokenRecord made = logIn();
        try (ServerLogin login = logins.to(settings);
                Logins nextProcess = open();
                ServerLogin next = nextProcess.to(settings)) {
            Authorization.Granted old = (Authorization.Granted) next.authorize(CALL_LIMIT::toNanos);
            assertThat(granted(login)).isEqualTo(old.fields());
            assertThat(rejected(login, old)).isInstanceOf(Reaction.SendAgain.class);
            assertThat(Objects.requireNonNull(storage.tokenStore().read(made.key()))
                            .generation())
                    .isEqualTo(2);
            assertThat(rejected(next, old)).isInstanceOf(Reaction.SendAgain.class);
            assertThat(granted(next)).isEqualTo(granted(login)).isNotEqualTo(old.fields());
        }
        assertThat(issuer.observed().refreshes()).hasSize(1);
    }

    private static Reaction rejected(ServerLogin login, Authorization.Granted used) {
        return login.rejected(used, new AuthRejection(401, List.of("Bearer"), "echo"), CALL_LIMIT::toNanos);
    }

    @Test
    void logout_erases_the_tokens() throws Exception {
        TokenRecord made = logIn();
        assertThat(logins.flow(settings).logout(made)).isNull();
        assertThat(storage.tokenStore().read(made.key())).isNull();
        assertThat(logins.find(settings)).isNull();
    }

    /// Over five seconds: the program is waited for, ten seconds at most.
    @Test
    void program_that_hangs_fails_calls_after_its_limit_and_keeps_the_login() throws Exception {
        logIn();
        mode("hang");
        try (ServerLogin login = logins.to(settings)) {
            long begun = System.nanoTime();
            CallFailure failure = refused(login);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
            assertThat(failure.id()).isEqualTo(ErrorId.KEYRING_LOCKED);
            assertThat(failure.message())
                    .contains("timed out after 10000 ms", "the login is kept", "unlock the keyring");
            int before = runs();
            assertThat(refused(login).id()).isEqualTo(ErrorId.KEYRING_LOCKED);
            assertThat(runs()).as("runs during the pause").isLessThanOrEqualTo(before + 1);
        }
    }

    @Test
    void call_with_a_short_deadline_does_not_wait_for_a_program_that_hangs() throws Exception {
        logIn();
        mode("hang");
        try (ServerLogin login = logins.to(settings)) {
            long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
            Authorization authorization = login.authorize(() -> end - System.nanoTime());
            assertThat(authorization).isInstanceOf(Authorization.Refused.class);
            assertThat(((Authorization.Refused) authorization).failure().id()).isEqualTo(ErrorId.KEYRING_LOCKED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "noise"})
    void program_that_fails_keeps_the_login_which_works_again_later(String word) throws Exception {
        logIn();
        mode(word);
        try (ServerLogin login = logins.to(settings)) {
            CallFailure failure = refused(login);
            assertThat(failure.id()).isEqualTo(ErrorId.KEYRING_LOCKED);
            assertThat(failure.message())
                    .contains(word.equals("fail") ? "the vault is sealed" : "printed no line value=BASE64");
            mode("work");
            Duration pause = Objects.requireNonNull(failure.evidence().retryAfter());
            PLATFORM.pause(pause);
            assertThat(granted(login)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lost", "damaged"})
    void tokens_that_the_program_has_lost_require_a_login_which_replaces_them(String word) throws Exception {
        logIn();
        mode(word);
        try (ServerLogin login = logins.to(settings)) {
            CallFailure failure = refused(login);
            assertThat(failure.id()).isEqualTo(ErrorId.LOGIN_REQUIRED);
            assertThat(failure.message()).contains("the login was deleted", "login jira");
            logIn();
            mode("work");
            login.reload();
            assertThat(granted(login)).hasSize(2);
        }
    }

    @Test
    void nobody_is_asked_for_a_login_that_could_not_be_stored() throws Exception {
        mode("fail");
        assertThatExceptionOfType(OAuthException.class)
                .isThrownBy(this::logIn)
                .satisfies(failed -> assertThat(failed.id()).isEqualTo(ErrorId.KEYRING_LOCKED))
                .withMessageContaining("the vault is sealed");
        assertThat(issuer.observed().registrations()).isZero();
    }

    @Test
    void logout_with_a_locked_store_fails_and_keeps_the_login() throws Exception {
        TokenRecord made = logIn();
        mode("fail");
        assertThatExceptionOfType(OAuthException.class)
                .isThrownBy(() -> logins.flow(settings).logout(made))
                .withMessageContaining("cannot delete the login");
        assertThat(logins.find(settings)).isNotNull();
    }
}
