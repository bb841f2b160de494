package dev.fusebox.oauth;

import static dev.fusebox.client.ErrorId.ISSUER_DOWN;
import static dev.fusebox.client.ErrorId.ISSUER_INVALID;
import static dev.fusebox.client.ErrorId.LOGIN_FAILED;
import static dev.fusebox.client.ErrorId.REDIRECT_REFUSED;
import static dev.fusebox.client.ErrorId.REGISTRATION_REFUSED;
import static dev.fusebox.fixtures.oauth.FaultPoint.CODE;
import static dev.fusebox.fixtures.oauth.FaultPoint.DEVICE;
import static dev.fusebox.fixtures.oauth.FaultPoint.DEVICE_TOKEN;
import static dev.fusebox.fixtures.oauth.FaultPoint.REGISTER;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ANSWER;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.DRIP;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.EMPTY;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ERROR;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.EXPIRES_IN;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.GZIP_BOMB;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HANG;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HTML;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HUGE;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.REDIRECT;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.STATUS;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.TOKEN_MEMBER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.ErrorId;
import dev.fusebox.oauth.token.TokenRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Hostile answers of the endpoints that register clients and issue tokens.
@Execution(ExecutionMode.CONCURRENT)
class HostileTokenTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource
    void hostile_registration_opens_nothing(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            row.arrange().accept(world);
            world.check(row.id(), row.fragment());
            assertThat(world.folder).isDirectoryNotContaining("glob:**.client.json");
        }
    }

    static Stream<HostileRow> hostile_registration_opens_nothing() {
        String id = "client_id is too long or has characters";
        return Stream.of(
                registration("another redirect URI", "{\"client_id\":\"c\",\"redirect_uris\":[\"http://evil.test/\"]}")
                        .refused(REDIRECT_REFUSED, "does not accept the redirect URI"),
                registration("bell in the id", "{\"client_id\":\"a\\u0007b\"}").refused(REGISTRATION_REFUSED, id),
                registration("line break", "{\"client_id\":\"a\\nb\"}").refused(REGISTRATION_REFUSED, id),
                registration("right to left", "{\"client_id\":\"a\\u202eb\"}").refused(REGISTRATION_REFUSED, id),
                registration("long id", "{\"client_id\":\"" + "x".repeat(9 << 10) + "\"}")
                        .refused(REGISTRATION_REFUSED, id),
                registration("secret with a line break", "{\"client_id\":\"a\",\"client_secret\":\"b\\r\\nX: y\"}")
                        .refused(REGISTRATION_REFUSED, "client_secret is too long or has characters"),
                registration("no id", "{}").refused(REGISTRATION_REFUSED, "client_id is missing"),
                registration("number", "{\"client_id\":7}").refused(REGISTRATION_REFUSED, "client_id is not a string"),
                HostileRow.of("page", REGISTER, HTML, "").refused(REGISTRATION_REFUSED, "is not JSON"),
                HostileRow.of("empty", REGISTER, EMPTY, "").refused(REGISTRATION_REFUSED, "is not JSON"),
                HostileRow.of("10 MB", REGISTER, HUGE, 10 << 20).refused(ISSUER_INVALID, "has more than"),
                HostileRow.of("gzip bomb", REGISTER, GZIP_BOMB, 100 << 20).refused(ISSUER_INVALID, "has more than"),
                HostileRow.of("hanging", REGISTER, HANG, 60_000)
                        .refused(ISSUER_DOWN, "timed out")
                        .slow(),
                HostileRow.of("unknown error", REGISTER, ERROR, "old-refresh-token")
                        .refused(REGISTRATION_REFUSED, "an unknown error code"),
                HostileRow.of(
                                "redirect",
                                world -> world.fault(REGISTER, REDIRECT, world.elsewhere.endpoint("register")))
                        .refused(REGISTRATION_REFUSED, "HTTP 307"));
    }

    private static HostileRow registration(String name, String answer) {
        return HostileRow.of(name, REGISTER, ANSWER, answer);
    }

    @ParameterizedTest
    @MethodSource
    void hostile_token_answer_leaves_the_stored_login_alone(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            row.arrange().accept(world);
            world.opened = 1;
            world.check(row.id(), row.fragment());
            assertThat(world.page()).contains("the login was not completed");
            assertThat(world.issuer.observed().requests(CODE)).hasSizeLessThan(2);
        }
    }

    static Stream<HostileRow> hostile_token_answer_leaves_the_stored_login_alone() {
        String characters = "access_token has characters that no token may have";
        return Stream.of(
                member("another type", "token_type=\"MAC\"", "token_type is not Bearer"),
                member("DPoP", "token_type=\"DPoP\"", "token_type is not Bearer"),
                member("type is a number", "token_type=1", "token_type is not a string"),
                member("no type", "token_type=null", "token_type is missing"),
                member("no token", "access_token=null", "access_token is missing"),
                member("empty token", "access_token=\"\"", "access_token is missing"),
                member("token is an object", "access_token={}", "access_token is not a string"),
                member("line break", "access_token=\"a\\r\\nX-Evil: b\"", characters),
                member("blank", "access_token=\"a b\"", characters),
                member("beyond ASCII", "access_token=\"\\u00e9\"", characters),
                member("NUL", "access_token=\"\\u0000\"", characters),
                member("long token", "access_token=\"" + "a".repeat(1 << 19) + "\"", "access_token is longer than"),
                HostileRow.of("1 MB token", CODE, TOKEN_MEMBER, "access_token=\"" + "a".repeat(1 << 20) + "\"")
                        .refused(ISSUER_DOWN, "has more than"),
                member("refresh with a break", "refresh_token=\"a\\nb\"", "refresh_token has characters"),
                member("refresh is a number", "refresh_token=1", "refresh_token is not a string"),
                HostileRow.of("page", CODE, HTML, "").refused(ISSUER_DOWN, "without usable tokens"),
                HostileRow.of("empty", CODE, EMPTY, "").refused(ISSUER_DOWN, "is not JSON"),
                HostileRow.of("array", CODE, ANSWER, "[]").refused(ISSUER_DOWN, "is not a JSON object"),
                HostileRow.of("10 MB", CODE, HUGE, 10 << 20).refused(ISSUER_DOWN, "has more than"),
                HostileRow.of("gzip bomb", CODE, GZIP_BOMB, 100 << 20).refused(ISSUER_DOWN, "has more than"),
                HostileRow.of("dripping", CODE, DRIP, 100)
                        .refused(ISSUER_DOWN, "timed out")
                        .slow(),
                HostileRow.of("hanging", CODE, HANG, 60_000)
                        .refused(ISSUER_DOWN, "timed out")
                        .slow(),
                HostileRow.of("teapot", CODE, STATUS, 418).refused(ISSUER_DOWN, "HTTP 418"),
                HostileRow.of("unknown error", CODE, ERROR, "old-refresh-token")
                        .refused(LOGIN_FAILED, "an unknown error code"),
                HostileRow.of("markup", CODE, ERROR, "<script>alert(1)</script>")
                        .refused(LOGIN_FAILED, "an unknown error code"),
                HostileRow.of("error with HTTP 200", CODE, ANSWER, "{\"error\":\"invalid_grant\"}")
                        .refused(LOGIN_FAILED, "invalid_grant"),
                HostileRow.of("redirect", world -> world.fault(CODE, REDIRECT, world.elsewhere.endpoint("token")))
                        .refused(ISSUER_DOWN, "HTTP 307"),
                network("private", "https://private.example/token"),
                network("of a cloud", "https://cloud.example/latest"),
                network("here", "https://here.example/token"));
    }

    private static HostileRow member(String name, String member, String fragment) {
        return HostileRow.of(name, CODE, TOKEN_MEMBER, member).refused(ISSUER_DOWN, fragment);
    }

    /// The name of the issuer is looked up first, and that of its token endpoint when the code is there.
    private static HostileRow network(String name, String endpoint) {
        return HostileRow.of(
                        "second name is " + name,
                        world -> world.outside().configuredIssuer(Map.of("token_endpoint", endpoint)))
                .refused(ISSUER_DOWN, "resolves to a private network");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"soon\"' | 0",
                "'\"\"' | 0",
                "-1 | 0",
                "0 | 0",
                "0.5 | 0",
                "1e30 | 0",
                "99999999999999999999999999 | 0",
                "315619200 | 315619200",
                "999999999999 | 0",
                "{} | 0",
                "[60] | 0",
                "null | 0",
                "true | 0",
                "missing | 0",
                "60.9 | 60",
                "6e1 | 60",
                "'\" 60 \"' | 60"
            })
    void lifetime_of_any_kind_is_understood_or_unknown(String json, long seconds) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            world.fault(CODE, EXPIRES_IN, json).opened = 1;
            TokenRecord made = Objects.requireNonNull(world.check(null, ""));
            Instant expiresAt = made.tokens().expiresAt();
            Duration lifetime = expiresAt == null
                    ? Duration.ZERO
                    : Duration.between(made.tokens().issuedAt(), expiresAt);
            assertThat(lifetime).hasSeconds(seconds);
        }
    }

    @ParameterizedTest
    @MethodSource
    void hostile_device_login_ends(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            world.way = HostileWorld.Way.DEVICE;
            row.arrange().accept(world);
            world.check(row.id(), row.fragment());
            assertThat(world.issuer.observed().requests(DEVICE_TOKEN)).hasSizeLessThan(30);
        }
    }

    static Stream<HostileRow> hostile_device_login_ends() {
        return Stream.of(
                endless("slow_down").refused(LOGIN_FAILED, "the device code expired"),
                endless("authorization_pending").refused(LOGIN_FAILED, "the device code expired"),
                endless("expired_token").refused(LOGIN_FAILED, "expired_token"),
                device("javascript", "\"user_code\":\"A\",\"verification_uri\":\"javascript:alert(1)\"", "uri: a URL"),
                device("data", "\"user_code\":\"A\",\"verification_uri\":\"data:text/html,x\"", "uri: a URL"),
                device("private page", "\"user_code\":\"A\",\"verification_uri\":\"https://10.0.0.1\"", "not allowed"),
                device("no page", "\"user_code\":\"A\"", "verification_uri is missing"),
                device(
                        "complete page",
                        "\"user_code\":\"A\",\"verification_uri\":\"$/d\",\"verification_uri_complete\":\"file:///\"",
                        "verification_uri_complete: a URL"),
                device("hidden", "\"user_code\":\"A\\u202eB\",\"verification_uri\":\"$/d\"", "a person can type"),
                device("terminal", "\"user_code\":\"\\u001b[2J\",\"verification_uri\":\"$/d\"", "a person can type"),
                device("long code", "\"user_code\":\"" + "A".repeat(65) + "\",\"verification_uri\":\"$/d\"", "type"),
                HostileRow.of("page in HTML", DEVICE, HTML, "").refused(ISSUER_INVALID, "is not JSON"),
                HostileRow.of("huge", DEVICE, HUGE, 10 << 20).refused(ISSUER_INVALID, "has more than"),
                HostileRow.of("redirect", world -> world.fault(DEVICE, REDIRECT, world.elsewhere.endpoint("device")))
                        .refused(LOGIN_FAILED, "HTTP 307"));
    }

    /// The codes live for a minute.
    private static HostileRow endless(String error) {
        return HostileRow.of("endless " + error, world -> {
                    world.fault(DEVICE_TOKEN, ERROR, error).opened = 1;
                    world.fault(
                            DEVICE,
                            ANSWER,
                            "{\"device_code\":\"d\",\"user_code\":\"A\",\"verification_uri\":\"$/device\","
                                    + "\"expires_in\":60,\"interval\":3}");
                })
                .slow();
    }

    private static HostileRow device(String name, String members, String fragment) {
        ErrorId id = ISSUER_INVALID;
        return HostileRow.of(name, DEVICE, ANSWER, "{\"device_code\":\"d\"," + members + "}")
                .refused(id, fragment);
    }
}
