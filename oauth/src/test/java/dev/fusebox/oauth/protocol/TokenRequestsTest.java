package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.client.ErrorId;
import dev.fusebox.oauth.protocol.ClientRegistration.Kind;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.Tokens;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Token requests over real connections: what is sent, and how answers of every kind are read.
@Timeout(60)
class TokenRequestsTest {
    private static final String TOKENS = "{\"access_token\":\"a1\",\"token_type\":\"Bearer\"";

    @TempDir
    Path folder;

    private ScriptedHttp server;
    private Login login;
    private TokenRequests.Client client;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedHttp();
        login = new Login(server.uri("/mcp"), folder);
        String json = "{\"issuer\":\"$\",\"token_endpoint\":\"$/token\",\"revocation_endpoint\":\"$/revoke\","
                + "\"device_authorization_endpoint\":\"$/device\"}";
        IssuerMetadata issuer = IssuerMetadata.read(
                server.uri("/meta"), json.replace("$", server.url()).getBytes(UTF_8));
        ClientRegistration registration = ClientRegistration.known("me", null, ClientAuthMethod.NONE, Kind.CONFIGURED);
        client = new TokenRequests.Client(issuer, registration, "https://a.test/mcp");
    }

    @AfterEach
    void stop() throws Exception {
        login.close();
        server.close();
    }

    private TokenAnswer answer(String json) throws Exception {
        return answer(200, json);
    }

    private TokenAnswer answer(int status, String body) throws Exception {
        server.on("/token", request -> ScriptedHttp.answer(status, body));
        return login.tokenRequests().refresh(client, "r1");
    }

    private Tokens tokens(String rest) throws Exception {
        return answer(TOKENS + rest + "}").issued("issuer").tokens();
    }

    private static RefreshFailure.Kind kind(TokenAnswer answer) {
        assertThat(answer).isInstanceOf(TokenAnswer.Unclear.class);
        return ((TokenAnswer.Unclear) answer).failure().kind();
    }

    // ---- Requests

    @Test
    void code_is_redeemed_with_verifier_redirect_uri_and_resource() throws Exception {
        server.json("/token", TOKENS + "}");
        login.tokenRequests()
                .redeem(client, new TokenRequests.CodeGrant("c d", "verifier", "http://127.0.0.1:1/callback"));
        ScriptedHttp.Received request = server.last("/token");
        assertThat(request.header("content-type")).isEqualTo("application/x-www-form-urlencoded");
        assertThat(request.header("accept")).isEqualTo("application/json");
        assertThat(request.form())
                .isEqualTo(Map.of(
                        "grant_type", "authorization_code",
                        "resource", "https://a.test/mcp",
                        "code", "c d",
                        "redirect_uri", "http://127.0.0.1:1/callback",
                        "code_verifier", "verifier",
                        "client_id", "me"));
    }

    @Test
    void refresh_has_the_token_and_the_resource() throws Exception {
        tokens("");
        assertThat(server.last("/token").form())
                .isEqualTo(Map.of(
                        "grant_type",
                        "refresh_token",
                        "refresh_token",
                        "r1",
                        "resource",
                        "https://a.test/mcp",
                        "client_id",
                        "me"));
    }

    @Test
    void client_credentials_have_scopes_only_if_there_are_any() throws Exception {
        server.json("/token", TOKENS + "}");
        login.tokenRequests().clientCredentials(client, List.of("a", "b"));
        assertThat(server.last("/token").form())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("scope", "a b");
        login.tokenRequests().clientCredentials(client, List.of());
        assertThat(server.last("/token").form()).doesNotContainKey("scope");
    }

    @Test
    void token_is_revoked_with_its_kind() throws Exception {
        server.json("/revoke", "");
        assertThat(login.tokenRequests().revoke(client, "t1", "refresh_token")).isNull();
        assertThat(server.last("/revoke").form())
                .isEqualTo(Map.of("token", "t1", "token_type_hint", "refresh_token", "client_id", "me"));
        server.on("/revoke", request -> ScriptedHttp.answer(503, ""));
        assertThat(login.tokenRequests().revoke(client, "t1", "refresh_token")).contains("HTTP 503");
    }

    // ---- Tokens

    @Test
    void complete_answer_is_read() throws Exception {
        Instant before = Instant.now();
        TokenAnswer.Issued issued = answer(TOKENS
                        + ",\"refresh_token\":\"r2\",\"expires_in\":3600,\"scope\":\"a b\",\"x\":{},\"id_token\":null}")
                .issued("issuer");
        Tokens tokens = issued.tokens();
        assertThat(tokens.access()).isEqualTo("a1");
        assertThat(tokens.refresh()).isEqualTo("r2");
        assertThat(tokens.scopes()).containsExactlyInAnyOrder("a", "b");
        assertThat(tokens.issuedAt()).isBetween(before, Instant.now());
        assertThat(tokens.expiresAt()).isEqualTo(tokens.issuedAt().plusSeconds(3_600));
        assertThat(issued).asString().doesNotContain("a1", "r2");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "3600, 3600",
                "\"3600\", 3600",
                "\" 3600 \", 3600",
                "3600.9, 3600",
                "3.6e3, 3600",
                "\"3600.0\", 3600",
                "1, 1",
                "315360000, 315360000"
            })
    void lifetime_is_a_number_or_a_numeric_text(String json, long seconds) throws Exception {
        Tokens tokens = tokens(",\"expires_in\":" + json);
        assertThat(tokens.expiresAt()).isEqualTo(tokens.issuedAt().plusSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "-3600",
                "0.5",
                "1e99",
                "1e-99",
                "9223372036854775807",
                "99999999999999999999999999999999999999",
                "400000000",
                "\"\"",
                "\"soon\"",
                "\"NaN\"",
                "\"0x10\"",
                "\"1e999999999\"",
                "true",
                "null",
                "{}",
                "[3600]"
            })
    void senseless_lifetime_is_unknown(String json) throws Exception {
        assertThat(tokens(",\"expires_in\":" + json).expiresAt()).isNull();
    }

    @Test
    void missing_members_are_unknown() throws Exception {
        Tokens tokens = tokens("");
        assertThat(tokens.expiresAt()).isNull();
        assertThat(tokens.refresh()).isNull();
        assertThat(tokens.scopes()).isEmpty();
        assertThat(tokens(",\"refresh_token\":\"\",\"scope\":[\"a\"]").refresh())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"access_token\":\"a1\",\"token_type\":\"BEARER\"}|",
                "{\"access_token\":\"a1\",\"token_type\":\"bearer\"}|",
                "{\"access_token\":\"a1\"}|token_type is missing",
                "{\"access_token\":\"a1\",\"token_type\":\"DPoP\"}|token_type is not Bearer",
                "{\"access_token\":\"a1\",\"token_type\":7}|token_type is not a string",
                "{\"token_type\":\"Bearer\"}|access_token is missing",
                "{\"access_token\":\"\",\"token_type\":\"Bearer\"}|access_token is missing",
                "{\"access_token\":null,\"token_type\":\"Bearer\"}|access_token is missing",
                "{\"access_token\":{\"a\":1},\"token_type\":\"Bearer\"}|access_token is not a string",
                "{\"access_token\":\"a\\r\\nb\",\"token_type\":\"Bearer\"}|characters that no token may have",
                "{\"access_token\":\"a b\",\"token_type\":\"Bearer\"}|characters that no token may have",
                "{\"access_token\":\"a1\",\"token_type\":\"Bearer\",\"refresh_token\":7}|refresh_token is not",
                "{\"access_token\":\"a1\",\"token_type\":\"Bearer\",\"refresh_token\":\"\\u0000\"}|refresh_token has",
                "[]|not a JSON object",
                "|not JSON",
                "<html>|not JSON",
                "access_token=a1&token_type=bearer|not JSON"
            })
    void answer_without_usable_tokens_is_refused_for_now(String json, String reason) throws Exception {
        TokenAnswer answer = answer(json == null ? "" : json);
        if (reason == null) {
            assertThat(answer).isInstanceOf(TokenAnswer.Issued.class);
        } else {
            assertThat(kind(answer)).isEqualTo(RefreshFailure.Kind.REFUSED_FOR_NOW);
            assertThat(answer).asString().contains(reason).doesNotContain("a1");
        }
    }

    @Test
    void token_of_70_kib_is_not_accepted() throws Exception {
        String huge = "{\"access_token\":\"" + "a".repeat(70_000) + "\",\"token_type\":\"Bearer\"}";
        assertThat(kind(answer(huge))).isEqualTo(RefreshFailure.Kind.REFUSED_FOR_NOW);
    }

    // ---- Refusals

    @ParameterizedTest
    @CsvSource({
        "400, invalid_grant, invalid_grant",
        "401, invalid_grant, invalid_grant",
        "401, invalid_client, invalid_client",
        "400, authorization_pending, authorization_pending",
        "400, slow_down, slow_down",
        "400, invalid_target, invalid_target",
        "200, bad_refresh_token, invalid_grant",
        "200, invalid_grant, invalid_grant",
        "400, s3cr3t, an unknown error code"
    })
    void refusal_has_a_known_code(int status, String code, String read) throws Exception {
        String json = "{\"error\":\"" + code + "\",\"error_description\":\"s3cr3t\"}";
        assertThat(answer(status, json)).isEqualTo(new TokenAnswer.Refused(read));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "500, {\"error\":\"invalid_grant\"}",
                "503, {}",
                "502, <html>",
                "429, {\"error\":\"invalid_grant\"}",
                "400, <html>invalid_grant</html>",
                "400, {\"error\":[\"invalid_grant\"]}",
                "400, {\"error\":\"\"}",
                "400, {\"message\":\"invalid_grant\"}",
                "400, {\"error\":\"temporarily_unavailable\"}",
                "401, ",
                "302, {\"error\":7}"
            })
    void no_other_answer_is_a_final_refusal(int status, String body) throws Exception {
        assertThat(kind(answer(status, body == null ? "" : body))).isEqualTo(RefreshFailure.Kind.REFUSED_FOR_NOW);
    }

    @Test
    void pause_that_the_server_asks_for_is_passed_on() throws Exception {
        server.on("/token", request -> ScriptedHttp.answer(429, "", "Retry-After: 17"));
        TokenAnswer answer = login.tokenRequests().refresh(client, "r1");
        assertThat(((TokenAnswer.Unclear) answer).retryAfter()).hasSeconds(17);
    }

    @Test
    void lost_answer_is_no_answer_and_a_refused_connection_was_not_sent() throws Exception {
        server.on("/token", request -> "");
        assertThat(kind(login.tokenRequests().refresh(client, "r1"))).isEqualTo(RefreshFailure.Kind.NO_ANSWER);
        server.close();
        assertThat(kind(login.tokenRequests().refresh(client, "r1"))).isEqualTo(RefreshFailure.Kind.NOT_SENT);
    }

    @Test
    void huge_answer_is_no_answer() throws Exception {
        assertThat(kind(answer(" ".repeat(10 << 20)))).isEqualTo(RefreshFailure.Kind.NO_ANSWER);
    }

    @Test
    void redirect_to_another_origin_gets_no_secret() throws Exception {
        try (ScriptedHttp elsewhere = new ScriptedHttp()) {
            server.on("/token", request -> ScriptedHttp.answer(307, "", "Location: " + elsewhere.url() + "/token"));
            assertThat(kind(login.tokenRequests().refresh(client, "r1")))
                    .isEqualTo(RefreshFailure.Kind.REFUSED_FOR_NOW);
            assertThat(elsewhere.received).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "invalid_grant, LOGIN_FAILED",
        "invalid_client, REGISTRATION_REFUSED",
        "invalid_target, AUDIENCE_WRONG",
        "invalid_scope, SCOPE_MISSING"
    })
    void refused_login_has_an_error_id(String code, ErrorId id) {
        OAuthException failure =
                catchThrowableOfType(OAuthException.class, () -> new TokenAnswer.Refused(code).issued("https://x"));
        assertThat(failure).returns(id, OAuthException::id).hasMessageContaining(code);
    }

    @Test
    void code_waits_while_no_request_is_sent() throws Exception {
        server.on("/token", request -> ScriptedHttp.answer(503, ""));
        for (int i = 0; i < 3; i++) {
            login.tokenRequests().refresh(client, "r1");
        }
        server.json("/token", TOKENS + "}");
        TokenRequests.CodeGrant code = new TokenRequests.CodeGrant("c", "v", "http://127.0.0.1:1/callback");
        assertThat(login.tokenRequests().redeem(client, code)).isInstanceOf(TokenAnswer.Issued.class);
        assertThat(code).asString().doesNotContain("c,", "v,");
    }

    // ---- Account

    private static String idToken(String claims) {
        String payload = Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8));
        return ",\"id_token\":\"e30." + payload + ".c2ln\"}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"sub\":\"s\",\"preferred_username\":\"p\",\"email\":\"e@x.test\"}|e@x.test",
                "{\"sub\":\"s\",\"preferred_username\":\"p\"}|p",
                "{\"sub\":\"s\",\"email\":\"\"}|s",
                "{\"sub\":\"s\\u001b[31mred\\u202e\"}|s[31mred",
                "{}|",
                "{\"email\":7,\"sub\":\"s\"}|",
                "x|"
            })
    void account_is_read_from_the_id_token_for_display(String claims, String account) throws Exception {
        assertThat(answer(TOKENS + idToken(claims)).issued("issuer").account()).isEqualTo(account);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "7", "\"a.b\"", "\"a.!.c\"", "\"....\"", "{}"})
    void unreadable_id_token_is_ignored(String json) throws Exception {
        assertThat(answer(TOKENS + ",\"id_token\":" + json + "}")
                        .issued("issuer")
                        .account())
                .isNull();
    }

    @Test
    void long_account_is_cut() throws Exception {
        assertThat(answer(TOKENS + idToken("{\"sub\":\"" + "s".repeat(500) + "\"}"))
                        .issued("issuer")
                        .account())
                .hasSize(100);
    }

    // ---- Device

    @Test
    void device_login_is_begun_and_polled() throws Exception {
        server.json(
                "/device",
                "{\"device_code\":\"d1\",\"user_code\":\"AB-CD\",\"verification_uri\":\"$/v\","
                        + "\"verification_uri_complete\":\"$/v?c=AB-CD\",\"expires_in\":300,\"interval\":1}");
        DeviceCode code = login.tokenRequests().deviceCode(client, List.of("a"));
        assertThat(code.userCode()).isEqualTo("AB-CD");
        assertThat(code.completeUri()).hasToString(server.url() + "/v?c=AB-CD");
        assertThat(code.lifetime()).isEqualTo(Duration.ofMinutes(5));
        assertThat(code.interval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(code).asString().doesNotContain("d1");
        assertThat(server.last("/device").form())
                .isEqualTo(Map.of("scope", "a", "resource", "https://a.test/mcp", "client_id", "me"));
        server.json("/token", TOKENS + "}");
        assertThat(login.tokenRequests().poll(client, code)).isInstanceOf(TokenAnswer.Issued.class);
        assertThat(server.last("/token").form())
                .containsEntry("grant_type", "urn:ietf:params:oauth:grant-type:device_code")
                .containsEntry("device_code", "d1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"user_code\":\"A\",\"verification_uri\":\"$/v\"}|device_code is missing",
                "{\"device_code\":\"d1\",\"verification_uri\":\"$/v\"}|user_code is missing",
                "{\"device_code\":\"d1\",\"user_code\":\"A\"}|verification_uri is missing",
                "{\"device_code\":\"d1\",\"user_code\":\"A\",\"verification_uri\":\"javascript:x\"}|verification_uri",
                "{\"device_code\":\"d1\",\"user_code\":\"A\",\"verification_uri\":\"http://10.0.0.1/\"}|not allowed",
                "{\"device_code\":\"d1\",\"user_code\":\"A\\u202e\",\"verification_uri\":\"$/v\"}|user_code is not",
                "<html>|not JSON"
            })
    void unusable_device_authorization_is_refused(String json, String reason) {
        server.json("/device", json);
        OAuthException failure = catchThrowableOfType(
                OAuthException.class, () -> login.tokenRequests().deviceCode(client, List.of()));
        assertThat(failure).hasMessageContaining(reason).hasMessageNotContaining("d1");
    }

    @Test
    void device_times_have_defaults_and_limits() throws Exception {
        String code = "{\"device_code\":\"d1\",\"user_code\":\"A\",\"verification_uri\":\"$/v\"";
        server.json("/device", code + "}");
        DeviceCode usual = login.tokenRequests().deviceCode(client, List.of());
        assertThat(usual.lifetime()).isEqualTo(Duration.ofMinutes(10));
        assertThat(usual.interval()).isEqualTo(Duration.ofSeconds(5));
        server.json("/device", code + ",\"expires_in\":1e9,\"interval\":\"86400\"}");
        DeviceCode endless = login.tokenRequests().deviceCode(client, List.of());
        assertThat(endless.lifetime()).isEqualTo(Duration.ofMinutes(30));
        assertThat(endless.interval()).isEqualTo(Duration.ofMinutes(1));
    }
}
