package dev.fusebox.oauth;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.RequestAuthorizer.AuthRejection;
import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import dev.fusebox.client.http.RequestAuthorizer.Reaction;
import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFault;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.FileTokenStore;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.oauth.token.TokenStore;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A process is killed at each point of a refresh, a login and a logout: the stored record is the old one or the new
/// one, no lock remains, and the next process goes on. The number of kills at each point is the property `kills`.
///
/// Over five seconds: every kill needs a process.
@Tag("process")
@Timeout(3_600)
class RefreshCrashTest {
    private static final Platform PLATFORM = Platform.system();
    private static final int KILLS = Integer.getInteger("kills", 2);
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(Long.getLong("fusebox.seed", System.nanoTime()));

    /// What the next process found in all rounds of one point.
    private static final class Figures {
        int leftovers;
        int renewed;
        int loginsRequired;
    }

    @ParameterizedTest
    @EnumSource
    void killed_process_leaves_a_whole_record_and_no_lock(CrashPoint point) throws Exception {
        Figures figures = new Figures();
        for (int kill = 0; kill < KILLS; kill++) {
            try (Round round = new Round(Files.createDirectory(folder.resolve("home-" + kill)))) {
                round.kill(point);
                round.check(point, figures);
            }
        }
        System.out.printf(
                "figures: %d kills at %s left %d temporary files; next process: %d renewed, %d need a login%n",
                KILLS, point, figures.leftovers, figures.renewed, figures.loginsRequired);
    }

    /// One login, one killed process, and what comes after it.
    private final class Round implements AutoCloseable {
        private final Path home;
        private final TokenStore store;
        private final AuthorizationServer issuer = AuthorizationServer.start();
        private final ProtectedServer server = ProtectedServer.start(issuer);
        private final LoginSettings settings = LoginSettings.of("crash", server.uri());
        private final TokenRecord before;

        Round(Path home) throws Exception {
            this.home = home;
            this.store = new FileTokenStore(home);
            try (Logins logins = logins()) {
                LoginFlow.Wish wish = new LoginFlow.Wish(null, Set.of());
                TokenRecord made = logins.flow(settings).inBrowser(wish, new ScriptedBrowser());
                // The stored times are cut to milliseconds.
                before = Objects.requireNonNull(store.read(made.key()));
            }
        }

        private Logins logins() {
            return Logins.open(PLATFORM, home, OutboundSettings.defaults(), LoginListener.NONE);
        }

        void kill(CrashPoint point) throws Exception {
            switch (point) {
                case REQUEST_SENT -> issuer.faults().next(FaultPoint.REFRESH, OAuthFault.of(OAuthFaultKind.HANG));
                case LOGGING_OUT -> issuer.faults().next(FaultPoint.REVOKE, OAuthFault.of(OAuthFaultKind.HANG));
                default -> {
                    // The process stands still by itself.
                }
            }
            // A login cannot store its tokens while another process has the lock.
            try (TokenStore.Lock _ = point == CrashPoint.BEFORE_LOGIN_STORED ? lock() : () -> {}) {
                killProcess(point);
            }
            issuer.faults().clear();
        }

        private TokenStore.Lock lock() throws IOException {
            return Objects.requireNonNull(store.tryLock(before.key()), "the lock is free");
        }

        private void killProcess(CrashPoint point) throws Exception {
            Process process = new ProcessBuilder(CrashingProcess.command(point, home, server.uri()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (InputStream said = process.getInputStream()) {
                switch (point) {
                    case REQUEST_SENT -> eventually("the refresh has arrived", () -> arrived(FaultPoint.REFRESH) == 1);
                    case LOGGING_OUT -> eventually("the revocation has arrived", () -> arrived(FaultPoint.REVOKE) == 1);
                    case BEFORE_LOGIN_STORED -> eventually("the second login has tokens", () -> accessTokens() == 2);
                    default -> assertThat(said.read()).as("stands still").isEqualTo('.');
                }
                if (point == CrashPoint.WRITING) {
                    throughout("it writes", Duration.ofNanos(random.nextLong(20_000_000)), process::isAlive);
                }
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.onExit().get().exitValue()).isEqualTo(128 + 9);
        }

        private int arrived(FaultPoint point) {
            return issuer.observed().requests(point).size();
        }

        private long accessTokens() {
            return issuer.observed().secrets().stream()
                    .filter(secret -> secret.startsWith("at-"))
                    .count();
        }

        // ---- Afterwards

        void check(CrashPoint point, Figures figures) throws Exception {
            figures.leftovers += temporaryFiles().size();
            try (TokenStore.Lock _ = lock()) {
                checkRecord(point, store.read(before.key()));
            }
            TokenRecord next = goOn(point, figures);
            assertThat(temporaryFiles()).as("after the next process").isEmpty();
            if (next != null) {
                TokenRecord stored = Objects.requireNonNull(store.read(before.key()));
                assertThat(stored.version()).isEqualTo(next.version());
                assertThat(stored.tokens().access()).isEqualTo(next.tokens().access());
                assertThat(stored.state()).hasSameClassAs(next.state());
            }
        }

        private void checkRecord(CrashPoint point, @Nullable TokenRecord stored) {
            switch (point) {
                case BEFORE_LOCK, LOCKED, BEFORE_INTENT, BEFORE_LOGIN_STORED ->
                    assertThat(stored).isEqualTo(before);
                case INTENT_STORED, REQUEST_SENT, ANSWERED -> checkIntent(Objects.requireNonNull(stored));
                case WRITING -> {
                    TokenRecord found = Objects.requireNonNull(stored);
                    if (found.state() instanceof TokenState.Ready) {
                        checkRenewed(found);
                    } else {
                        checkIntent(found);
                    }
                }
                case ANSWER_STORED -> checkRenewed(Objects.requireNonNull(stored));
                case LOGIN_STORED -> {
                    checkRenewed(Objects.requireNonNull(stored));
                    assertThat(stored.grant().at()).isAfter(before.grant().at());
                }
                case LOGGING_OUT -> assertThat(stored).isNull();
            }
        }

        private void checkIntent(TokenRecord stored) {
            assertThat(stored.state()).isInstanceOf(TokenState.Refreshing.class);
            assertThat(stored.version()).isEqualTo(before.version());
            assertThat(stored.tokens()).isEqualTo(before.tokens());
        }

        private void checkRenewed(TokenRecord stored) {
            assertThat(stored.state()).isInstanceOf(TokenState.Ready.class);
            assertThat(stored.generation()).isEqualTo(before.generation() + 1);
            assertThat(issuer.isValid(stored.tokens().access())).isTrue();
        }

        /// The next process, whose first request is rejected, so that it has to refresh.
        ///
        /// @return the record that it has afterwards; null if there is none
        private @Nullable TokenRecord goOn(CrashPoint point, Figures figures) {
            try (Logins logins = logins();
                    ServerLogin next = logins.to(settings)) {
                Authorization first = next.authorize(CALL_LIMIT::toNanos);
                assertThat(first).isInstanceOf(Authorization.Granted.class);
                Reaction reaction = next.rejected(
                        (Authorization.Granted) first, new AuthRejection(401, List.of(), null), CALL_LIMIT::toNanos);
                switch (reaction) {
                    case Reaction.SendAgain(Authorization.Granted with) -> {
                        figures.renewed++;
                        assertThat(issuer.isValid(with.fields().getLast().substring("Bearer ".length())))
                                .isTrue();
                        assertThat(point).isNotEqualTo(CrashPoint.LOGGING_OUT);
                    }
                    case Reaction.Fail(var failure) -> {
                        figures.loginsRequired++;
                        assertThat(failure.message()).contains("login crash");
                        if (point != CrashPoint.LOGGING_OUT) {
                            assertThat(point.mayLoseAnswer())
                                    .as(failure.message())
                                    .isTrue();
                            assertThat(failure.message()).contains("had no answer");
                        }
                    }
                    case Reaction.NotConcerned _ -> throw new AssertionError("the 401 is not handled");
                }
                return next.tokenRecord();
            }
        }

        private List<Path> temporaryFiles() throws IOException {
            try (Stream<Path> files = Files.list(home)) {
                return files.filter(file -> file.toString().endsWith(".tmp")).toList();
            }
        }

        @Override
        public void close() {
            server.close();
            issuer.close();
        }
    }
}
