package dev.fusebox.oauth;

import static dev.fusebox.fixtures.oauth.FaultPoint.REFRESH;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ANSWER;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.DRIP;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.EMPTY;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ERROR;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.GZIP_BOMB;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HANG;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HTML;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HUGE;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.REDIRECT;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.TOKEN_MEMBER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.client.http.RequestAuthorizer.AuthRejection;
import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import dev.fusebox.client.http.RequestAuthorizer.Reaction;
import dev.fusebox.fixtures.oauth.AuthorizationSettings;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.FixtureClient;
import dev.fusebox.oauth.protocol.LoginSettings;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.oauth.token.TokenState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Hostile challenges of MCP servers, and hostile answers to refreshes of their tokens.
@Execution(ExecutionMode.CONCURRENT)
class HostileServerTest {
    @TempDir
    private Path folder;

    private static final LongSupplier LONG = Duration.ofMinutes(5)::toNanos;

    /// Long until the answer is there, and then shorter than any pause before a retry.
    private static LongSupplier untilFailed(HostileWorld world, Logins logins) {
        return () -> isFailed(world, logins) ? 1 : LONG.getAsLong();
    }

    private static boolean isFailed(HostileWorld world, Logins logins) {
        try {
            TokenRecord stored = logins.tokenStore().read(world.key());
            return stored != null && stored.state() instanceof TokenState.Waiting;
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    // ---- Challenges

    @ParameterizedTest
    @MethodSource
    void hostile_challenge_does_no_harm_to_a_login(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            row.arrange().accept(world);
            world.opened = 1;
            TokenRecord made = Objects.requireNonNull(world.check(null, ""));
            assertThat(made.key()).isEqualTo(world.key());
            assertThat(world.browser.opened.getFirst().length()).isLessThan(24 << 10);
        }
    }

    static Stream<HostileRow> hostile_challenge_does_no_harm_to_a_login() {
        String scope = "Bearer scope=\"files:read\"";
        return Stream.of(
                challenge("1,000 challenges", "Basic realm=\"x\", ".repeat(1_000) + scope),
                challenge("1,000 Bearer challenges", (scope + ", ").repeat(1_000)),
                HostileRow.of(
                        "1,000 fields",
                        world -> world.challenge(
                                IntStream.range(0, 1_000).mapToObj(i -> scope).toArray(String[]::new))),
                challenge("1 MB", "Bearer scope=\"" + "x".repeat(1 << 20) + "\""),
                challenge("1 MB of commas", ",".repeat(1 << 20)),
                challenge("no end of the quote", "Bearer scope=\"files:read, resource_metadata=\"http://10.0.0.1"),
                challenge("backslash at the end", "Bearer scope=\"files:read\\"),
                challenge("only a quote", "Bearer \""),
                challenge("only an equals sign", "Bearer =\"x\""),
                challenge("parameter twice", scope + ", scope=\"other\""),
                challenge("several fields", "Basic realm=\"a, Bearer scope=\\\"x\\\"\"", scope, "Digest nonce=\"e==\""),
                challenge("control characters", "Bearer scope=\"files:read a\u0000b c\u001bd\""),
                challenge("quotes in a scope", "Bearer scope=\"files:read \\\"a b\\\" \\\\\""),
                challenge(
                        "200 scopes of 300",
                        "Bearer scope=\"files:read "
                                + IntStream.range(0, 300).mapToObj(i -> "s" + i).collect(Collectors.joining(" "))
                                + "\""),
                challenge("metadata is javascript", scope + ", resource_metadata=\"javascript:alert(1)\""),
                challenge("metadata is a file", scope + ", resource_metadata=\"file:///etc/passwd\""),
                challenge("metadata has a user", scope + ", resource_metadata=\"http://user@127.0.0.1/\""));
    }

    private static HostileRow challenge(String name, String... values) {
        return HostileRow.of(name, world -> world.challenge(values));
    }

    // ---- Refreshes

    @ParameterizedTest
    @MethodSource
    void hostile_refresh_keeps_the_login(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            row.arrange().accept(world);
            refuseRefresh(world, row.fragment());
        }
    }

    private static void refuseRefresh(HostileWorld world, String fragment) throws Exception {
        try (Logins logins = world.logins()) {
            TokenRecord made = world.login(logins);
            try (ServerLogin login = logins.to(world.settings())) {
                Authorization.Granted used = (Authorization.Granted) login.authorize(LONG);
                LongSupplier left = untilFailed(world, logins);
                CallFailure failure = failure(login.rejected(used, rejection(401, "Bearer"), left));
                assertThat(failure.id()).isEqualTo(ErrorId.ISSUER_DOWN);
                assertThat(failure.message())
                        .contains(fragment, "the login is kept")
                        .doesNotContain(world.issuer.observed().secrets());
            }
            TokenRecord kept = Objects.requireNonNull(logins.tokenStore().read(world.key()));
            assertThat(kept.tokens().access()).isEqualTo(made.tokens().access());
            assertThat(kept.tokens().refresh()).isEqualTo(made.tokens().refresh());
            assertThat(kept.generation()).isEqualTo(made.generation());
            assertThat(world.elsewhere.observed().paths()).isEmpty();
            // None if the limit was over before the request was received.
            assertThat(world.issuer.observed().requests(REFRESH)).hasSizeLessThan(2);
        }
    }

    static Stream<HostileRow> hostile_refresh_keeps_the_login() {
        ErrorId down = ErrorId.ISSUER_DOWN;
        return Stream.of(
                HostileRow.of("page", REFRESH, HTML, "").refused(down, "is not JSON"),
                HostileRow.of("empty", REFRESH, EMPTY, "").refused(down, "is not JSON"),
                HostileRow.of("other JSON", REFRESH, ANSWER, "[1]").refused(down, "is not a JSON object"),
                HostileRow.of("10 MB", REFRESH, HUGE, 10 << 20).refused(down, "has more than"),
                HostileRow.of("gzip bomb", REFRESH, GZIP_BOMB, 100 << 20).refused(down, "has more than"),
                HostileRow.of("hanging", REFRESH, HANG, 60_000)
                        .refused(down, "timed out")
                        .slow(),
                HostileRow.of("dripping", REFRESH, DRIP, 100)
                        .refused(down, "timed out")
                        .slow(),
                HostileRow.of("unknown error", REFRESH, ERROR, "invalid_grant ").refused(down, "unknown error code"),
                HostileRow.of("another type", REFRESH, TOKEN_MEMBER, "token_type=\"MAC\"")
                        .refused(down, "token_type is not Bearer"),
                HostileRow.of("line break", REFRESH, TOKEN_MEMBER, "access_token=\"a\\r\\nb\"")
                        .refused(down, "access_token has characters"),
                HostileRow.of("redirect", world -> world.fault(REFRESH, REDIRECT, world.elsewhere.endpoint("token")))
                        .refused(down, "HTTP 307"));
    }

    // ---- Step-up

    @Test
    void endless_step_up_ends_after_the_second_round() throws Exception {
        try (HostileWorld world = new HostileWorld(folder);
                Logins logins = world.logins()) {
            world.login(logins);
            AuthRejection rejection = rejection(403, "Bearer error=\"insufficient_scope\", scope=\"files:write\"");
            try (ServerLogin login = logins.to(world.settings())) {
                Authorization.Granted used = (Authorization.Granted) login.authorize(LONG);
                assertThat(failure(login.rejected(used, rejection, LONG)).message())
                        .contains("login files --scope 'files:read files:write");
                assertThat(world.page()).contains("Fusebox is logged in");
                TokenRecord second = logins.flow(world.settings())
                        .inBrowser(new LoginFlow.Wish(login.challenge(), Set.of("files:write")), world.browser);
                assertThat(second.grant().requested()).contains("files:write", "files:read");
                login.reload();
                CallFailure failure = failure(login.rejected(used, rejection, LONG));
                assertThat(failure.id()).isEqualTo(ErrorId.SCOPE_MISSING);
                assertThat(failure.message()).contains("another login will not help");
            }
        }
    }

    /// Each call asks for other scopes.
    @Test
    void step_up_without_a_person_ends_after_200_scopes() throws Exception {
        String[] scopes = IntStream.range(0, 1_000).mapToObj(i -> "s" + i).toArray(String[]::new);
        try (HostileWorld world = new HostileWorld(
                        folder, AuthorizationSettings.defaults().withScopes(scopes));
                Logins logins = world.logins()) {
            world.server.set(settings -> settings.withChallengeScopes(List.of("s0")));
            world.issuer.addClient(FixtureClient.withSecret("robot", "robot-secret", FixtureClient.Method.BASIC));
            try (ServerLogin login = logins.to(robot(world))) {
                Reaction first = login.rejected(Authorization.NONE, rejection(401, "Bearer scope=\"s0\""), LONG);
                Authorization.Granted used = ((Reaction.SendAgain) first).with();
                for (int i = 0; i < 1_000; i += 50) {
                    String list = String.join(" ", List.of(scopes).subList(i, i + 50));
                    AuthRejection rejection = rejection(403, "Bearer error=insufficient_scope, scope=\"" + list + "\"");
                    Reaction reaction = login.rejected(used, rejection, LONG);
                    assertThat(reaction instanceof Reaction.SendAgain).isEqualTo(i < 200);
                    used = reaction instanceof Reaction.SendAgain again ? again.with() : used;
                }
                String list = "x " + String.join(" ", List.of(scopes).subList(500, 900));
                Reaction last = login.rejected(
                        used, rejection(403, "Bearer error=insufficient_scope, scope=\"" + list + "\""), LONG);
                assertThat(failure(last).message()).contains("more than 200 scopes");
            }
            assertThat(world.issuer.observed().requests(FaultPoint.CLIENT_CREDENTIALS))
                    .hasSize(5);
        }
    }

    private static LoginSettings robot(HostileWorld world) {
        return new LoginSettings(
                "files",
                world.serverUrl,
                OutboundRoute.DEFAULT,
                "robot",
                "robot-secret",
                null,
                null,
                null,
                List.of(),
                null,
                0,
                GrantType.CLIENT_CREDENTIALS);
    }

    /// The command in the message is copied into a shell.
    @Test
    void scope_with_the_characters_of_a_shell_is_quoted() throws Exception {
        try (HostileWorld world = new HostileWorld(folder);
                Logins logins = world.logins();
                ServerLogin login = logins.to(world.settings())) {
            String challenge = "Bearer error=\"insufficient_scope\", scope=\"$(reboot) `id` ;x 'y \\\"z\\\" a\nb\"";
            Reaction reaction = login.rejected(Authorization.NONE, rejection(403, challenge), LONG);
            assertThat(failure(reaction).message())
                    .contains("--scope '$(reboot) '\\''y ;x `id`'")
                    .doesNotContain("\n", "z");
        }
    }

    @Test
    void token_that_is_always_rejected_is_refreshed_once() throws Exception {
        try (HostileWorld world = new HostileWorld(folder);
                Logins logins = world.logins()) {
            world.login(logins);
            try (ServerLogin login = logins.to(world.settings())) {
                Authorization.Granted used = (Authorization.Granted) login.authorize(LONG);
                AuthRejection rejection = rejection(401, "Bearer error=\"invalid_token\"");
                Authorization.Granted next = ((Reaction.SendAgain) login.rejected(used, rejection, LONG)).with();
                for (int i = 0; i < 10; i++) {
                    assertThat(failure(login.rejected(next, rejection, LONG)).id())
                            .isEqualTo(ErrorId.LOGIN_REQUIRED);
                }
            }
            assertThat(world.issuer.observed().requests(REFRESH)).hasSize(1);
        }
    }

    private static AuthRejection rejection(int status, String challenge) {
        return new AuthRejection(status, List.of(challenge), "delete");
    }

    private static CallFailure failure(Reaction reaction) {
        assertThat(reaction).isInstanceOf(Reaction.Fail.class);
        return ((Reaction.Fail) reaction).failure();
    }
}
