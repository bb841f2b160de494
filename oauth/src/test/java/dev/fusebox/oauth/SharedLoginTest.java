package dev.fusebox.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.AuthorizationResponse;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.login.PendingLogin;
import dev.fusebox.oauth.protocol.DeviceCode;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.protocol.OAuthException;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two logins to one server at the same time, in one process and in two.
///
/// Over five seconds: two of the tests start a process.
@Tag("process")
@Timeout(120)
class SharedLoginTest {
    private static final LoginFlow.Wish PLAIN = new LoginFlow.Wish(null, Set.of());

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private AuthorizationServer issuer;
    private ProtectedServer server;
    private LoginSettings settings;

    @BeforeEach
    void start() throws IOException {
        issuer = AuthorizationServer.start();
        server = ProtectedServer.start(issuer);
        settings = LoginSettings.of("shared", server.uri());
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        server.close();
        issuer.close();
    }

    private TokenRecord login(LoginFlow.Wish wish, LoginFlow.Person person) throws Exception {
        try (Logins logins = Logins.open(Platform.system(), folder, OutboundSettings.defaults(), LoginListener.NONE)) {
            return logins.flow(settings).inBrowser(wish, person);
        }
    }

    private Future<TokenRecord> begin(LoginFlow.Wish wish, LoginFlow.Person person) {
        Callable<TokenRecord> login = () -> login(wish, person);
        return threads.submit(login);
    }

    /// A person who does what a test says when asked, and notes which login is joined. Thread-safe.
    private static final class Watcher implements LoginFlow.Person {
        private final CompletableFuture<Asked> asked = new CompletableFuture<>();
        private final CompletableFuture<PendingLogin> joined = new CompletableFuture<>();
        private volatile boolean isGone;

        record Asked(URI url, CallbackListener callbackListener, AuthorizationRequest request) {}

        @Override
        public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
            asked.complete(new Asked(url, callbackListener, request));
        }

        @Override
        public void enterCode(DeviceCode deviceCode) {
            throw new AssertionError("this login has a browser");
        }

        @Override
        public void join(PendingLogin pendingLogin) {
            joined.complete(pendingLogin);
        }

        @Override
        public boolean isGone() {
            return isGone;
        }

        void consents() {
            Asked page = asked.join();
            new ScriptedBrowser().authorize(page.url(), page.callbackListener(), page.request());
        }

        void enters(String parameters) {
            Asked page = asked.join();
            String query = parameters + "&state=" + page.request().state() + "&iss="
                    + page.request().issuer();
            assertThat(page.callbackListener().take(AuthorizationResponse.pasted(query, page.request())))
                    .isTrue();
        }
    }

    @Test
    void second_login_shows_the_page_of_the_first_and_gets_its_result() throws Exception {
        Watcher first = new Watcher();
        Watcher second = new Watcher();
        Future<TokenRecord> own = begin(PLAIN, first);
        first.asked.join();
        Future<TokenRecord> joined = begin(PLAIN, second);
        assertThat(second.joined.join().url()).isEqualTo(first.asked.join().url());
        first.consents();
        assertThat(joined.get().key()).isEqualTo(own.get().key());
        assertThat(joined.get().generation()).isEqualTo(own.get().generation());
        assertThat(second.asked).isNotDone();
        assertThat(issuer.observed().logins()).isEqualTo(1);
        assertThat(issuer.observed().registrations()).isEqualTo(1);
    }

    @Test
    void failure_of_the_first_login_is_reported_by_both() {
        Watcher first = new Watcher();
        Watcher second = new Watcher();
        Future<TokenRecord> own = begin(PLAIN, first);
        first.asked.join();
        Future<TokenRecord> joined = begin(PLAIN, second);
        second.joined.join();
        first.enters("error=access_denied");
        for (Future<TokenRecord> login : List.of(own, joined)) {
            assertThatThrownBy(login::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseInstanceOf(OAuthException.class)
                    .rootCause()
                    .satisfies(cause ->
                            assertThat(((OAuthException) cause).message()).contains("access was denied"));
        }
        assertThat(second.asked).isNotDone();
    }

    @Test
    void login_after_a_failed_one_is_a_new_one() throws Exception {
        Watcher first = new Watcher();
        Future<TokenRecord> failed = begin(PLAIN, first);
        first.enters("error=access_denied");
        assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class);
        assertThat(login(PLAIN, new ScriptedBrowser()).generation()).isEqualTo(1);
    }

    @Test
    void second_login_that_wants_more_scopes_follows_the_first() throws Exception {
        Watcher first = new Watcher();
        Watcher second = new Watcher();
        Future<TokenRecord> own = begin(PLAIN, first);
        first.asked.join();
        Future<TokenRecord> wider = begin(new LoginFlow.Wish(null, Set.of("files:write")), second);
        second.joined.join();
        first.consents();
        second.consents();
        assertThat(own.get().generation()).isEqualTo(1);
        assertThat(wider.get().generation()).isEqualTo(2);
        assertThat(wider.get().tokens().scopes()).contains("files:write");
    }

    @Test
    void person_who_has_given_up_does_not_wait_for_the_first_login() throws Exception {
        Watcher first = new Watcher();
        Watcher second = new Watcher();
        Future<TokenRecord> own = begin(PLAIN, first);
        first.asked.join();
        Future<TokenRecord> joined = begin(PLAIN, second);
        second.joined.join();
        second.isGone = true;
        assertThatThrownBy(joined::get).hasRootCauseInstanceOf(OAuthException.class);
        first.consents();
        assertThat(own.get().generation()).isEqualTo(1);
    }

    @Test
    void login_of_another_process_is_joined_and_replaced_when_that_process_dies() throws Exception {
        Process process = PendingLoginProcess.start(folder, server.uri());
        try {
            assertThat(process.getInputStream().read()).isEqualTo('.');
            Watcher second = new Watcher();
            Future<TokenRecord> joined = begin(PLAIN, second);
            assertThat(second.joined.join().pid()).isEqualTo(process.pid());
            assertThat(second.asked).isNotDone();
            process.destroyForcibly();
            second.consents();
            assertThat(joined.get().generation()).isEqualTo(1);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void login_of_another_process_is_finished_there_and_its_result_is_used_here() throws Exception {
        Process process = PendingLoginProcess.start(folder, server.uri());
        try {
            assertThat(process.getInputStream().read()).isEqualTo('.');
            Watcher second = new Watcher();
            Future<TokenRecord> joined = begin(PLAIN, second);
            ScriptedBrowser.visit(second.joined.join().url());
            assertThat(joined.get().generation()).isEqualTo(1);
            assertThat(process.waitFor()).isZero();
            assertThat(second.asked).isNotDone();
            assertThat(issuer.observed().logins()).isEqualTo(1);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
