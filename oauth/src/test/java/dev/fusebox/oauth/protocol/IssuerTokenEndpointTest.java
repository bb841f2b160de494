package dev.fusebox.oauth.protocol;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Principal;
import dev.fusebox.oauth.protocol.ClientRegistration.Kind;
import dev.fusebox.oauth.token.RefreshAnswer;
import dev.fusebox.oauth.token.RefreshFailure;
import dev.fusebox.oauth.token.TokenEndpoint.ProbeResult;
import dev.fusebox.oauth.token.TokenKey;
import dev.fusebox.oauth.token.TokenRecord;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import dev.fusebox.oauth.token.TokenState;
import dev.fusebox.oauth.token.Tokens;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Refreshes over real connections, and the guard in front of an authorization server.
@Timeout(60)
class IssuerTokenEndpointTest {
    private static final String META = "/.well-known/oauth-authorization-server";
    private static final String TOKENS = "{\"access_token\":\"a2\",\"refresh_token\":\"r2\",\"token_type\":\"Bearer\"}";

    @TempDir
    Path folder;

    private ScriptedHttp server;
    private Login login;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedHttp().json(META, "{\"issuer\":\"$\",\"token_endpoint\":\"$/token\"}");
        login = new Login(server.uri("/mcp"), folder.resolve("issuers"));
        login.store.add(
                server.url(),
                new ClientRegistration(
                        "dynamic", null, ClientAuthMethod.NONE, Kind.DYNAMIC, null, Instant.EPOCH, null));
    }

    @AfterEach
    void stop() throws Exception {
        login.close();
        server.close();
    }

    private IssuerTokenEndpoint endpoint() {
        return new IssuerTokenEndpoint(login.context, login.settings());
    }

    private TokenRecord tokenRecord(GrantType type, String clientId, @Nullable String refresh) {
        Instant now = Instant.now();
        return new TokenRecord(
                new TokenKey(server.url(), "https://a.test/mcp", Principal.OWNER),
                1,
                new TokenRecord.Grant(
                        type,
                        now,
                        Set.of(server.url() + "/mcp"),
                        new TokenRecord.TokenClient(clientId, false),
                        Set.of("b", "a"),
                        null),
                new Tokens("a1", refresh, now, null, Set.of()),
                new TokenState.Ready());
    }

    private RefreshAnswer refreshed() {
        return endpoint().refresh(tokenRecord(GrantType.LOGIN, "dynamic", "r1"));
    }

    private static RefreshFailure failure(RefreshAnswer answer) {
        assertThat(answer).isInstanceOf(RefreshAnswer.Failed.class);
        return ((RefreshAnswer.Failed) answer).failure();
    }

    @Test
    void refresh_uses_the_client_that_the_tokens_were_issued_to() throws Exception {
        server.json("/token", TOKENS);
        assertThat(refreshed()).isInstanceOf(RefreshAnswer.Renewed.class);
        assertThat(server.last("/token").form())
                .containsEntry("client_id", "dynamic")
                .containsEntry("refresh_token", "r1")
                .containsEntry("resource", "https://a.test/mcp");
        login.client("mine", null);
        assertThat(endpoint().refresh(tokenRecord(GrantType.LOGIN, "mine", "r1")))
                .isInstanceOf(RefreshAnswer.Renewed.class);
        assertThat(server.last("/token").form()).containsEntry("client_id", "mine");
        assertThat(server.paths()).containsExactly(META, "/token", "/token");
    }

    @Test
    void client_credentials_are_requested_again_with_their_scopes() {
        server.json("/token", TOKENS);
        login.client("mine", "pa55").withoutPerson();
        assertThat(endpoint().refresh(tokenRecord(GrantType.CLIENT_CREDENTIALS, "mine", null)))
                .isInstanceOf(RefreshAnswer.Renewed.class);
        assertThat(server.last("/token").form())
                .containsEntry("grant_type", "client_credentials")
                .containsEntry("scope", "a b");
        assertThat(server.last("/token").header("authorization")).startsWith("Basic ");
    }

    @Test
    void client_that_is_no_longer_stored_is_missing_and_nothing_is_sent() {
        assertThat(endpoint().refresh(tokenRecord(GrantType.LOGIN, "other", "r1")))
                .isInstanceOf(RefreshAnswer.ClientMissing.class);
        assertThat(server.paths()).containsExactly(META);
    }

    @Test
    void refused_client_is_unknown_if_it_was_registered_and_a_mistake_if_it_is_configured() throws Exception {
        server.on("/token", request -> ScriptedHttp.answer(401, "{\"error\":\"invalid_client\"}"));
        assertThat(refreshed()).isInstanceOf(RefreshAnswer.ClientUnknown.class);
        login.client("mine", "pa55");
        RefreshFailure failure = failure(endpoint().refresh(tokenRecord(GrantType.LOGIN, "mine", "r1")));
        assertThat(failure.kind()).isEqualTo(RefreshFailure.Kind.REFUSED_FOR_NOW);
        assertThat(failure.message()).contains("oauth.clientSecret").doesNotContain("pa55");
    }

    @Test
    void missing_metadata_is_not_sent() {
        server.remove(META);
        assertThat(failure(refreshed()).kind()).isEqualTo(RefreshFailure.Kind.NOT_SENT);
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid_grant, true",
        "400, invalid_request, false",
        "400, unauthorized_client, false",
        "500, invalid_grant, false"
    })
    void only_invalid_grant_is_final(int status, String code, boolean isFinal) {
        server.on("/token", request -> ScriptedHttp.answer(status, "{\"error\":\"" + code + "\"}"));
        RefreshAnswer answer = refreshed();
        if (isFinal) {
            assertThat(answer).isInstanceOf(RefreshAnswer.InvalidGrant.class);
        } else {
            assertThat(failure(answer).kind()).isEqualTo(RefreshFailure.Kind.REFUSED_FOR_NOW);
        }
    }

    @Test
    void metadata_is_retrieved_again_after_invalid_client() {
        server.on("/token", request -> ScriptedHttp.answer(401, "{\"error\":\"invalid_client\"}"));
        refreshed();
        refreshed();
        assertThat(server.paths()).containsExactly(META, "/token", META, "/token");
    }

    @Test
    void metadata_older_than_a_day_is_retrieved_again() throws Exception {
        server.json("/token", TOKENS);
        IssuerMetadata known = IssuerMetadata.read(
                server.uri(META),
                "{\"issuer\":\"$\",\"token_endpoint\":\"$/token\"}"
                        .replace("$", server.url())
                        .getBytes(UTF_8));
        login.store.keep(known, Instant.now().minus(Duration.ofHours(23)));
        refreshed();
        assertThat(server.paths()).containsExactly("/token");
        login.store.keep(known, Instant.now().minus(Duration.ofHours(25)));
        refreshed();
        assertThat(server.paths()).containsExactly("/token", META, "/token");
        login.store.keep(known, Instant.now().plus(Duration.ofHours(1)));
        refreshed();
        assertThat(server.received).hasSize(5);
    }

    @Test
    void assumed_endpoints_are_assumed_again_after_a_day() throws Exception {
        server.remove(META).json("/token", TOKENS);
        login.store.keep(
                IssuerMetadata.assumed(server.uri(""), server.uri(META)),
                Instant.now().minus(Duration.ofDays(2)));
        assertThat(refreshed()).isInstanceOf(RefreshAnswer.Renewed.class);
    }

    // ---- Probe and guard

    @ParameterizedTest
    @CsvSource({"200", "404", "500", "302"})
    void any_answer_to_a_probe_counts(int status) {
        server.on(META, request -> ScriptedHttp.answer(status, "<html>"));
        assertThat(endpoint().probe(tokenRecord(GrantType.LOGIN, "dynamic", "r1")))
                .isInstanceOf(ProbeResult.Answered.class);
        assertThat(server.paths()).containsExactly(META);
    }

    @Test
    void silence_is_no_answer_to_a_probe() {
        server.on(META, request -> "");
        assertThat(endpoint().probe(tokenRecord(GrantType.LOGIN, "dynamic", "r1")))
                .isInstanceOf(ProbeResult.Silent.class);
    }

    @Test
    void nothing_is_sent_to_an_issuer_that_has_failed_three_times() {
        server.on("/token", request -> ScriptedHttp.answer(503, ""));
        for (int i = 0; i < 3; i++) {
            assertThat(failure(refreshed()).kind()).isEqualTo(RefreshFailure.Kind.REFUSED_FOR_NOW);
        }
        // On a machine that stalls, the pause of a second may be over, which admits one more.
        eventually("a refresh is not sent", () -> {
            int before = server.received.size();
            RefreshAnswer refused = refreshed();
            assertThat(failure(refused).kind()).isEqualTo(RefreshFailure.Kind.NOT_SENT);
            assertThat(((RefreshAnswer.Failed) refused).retryAfter()).isNotNull();
            assertThat(server.received).hasSize(before);
        });
        assertThat(server.paths()).startsWith(META, "/token", "/token", "/token");
        server.json("/token", TOKENS);
        eventually("the issuer is asked again", () -> refreshed() instanceof RefreshAnswer.Renewed);
    }

    @Test
    void refusals_of_an_issuer_do_not_count_against_it() {
        server.on("/token", request -> ScriptedHttp.answer(400, "{\"error\":\"invalid_grant\"}"));
        for (int i = 0; i < 10; i++) {
            assertThat(refreshed()).isInstanceOf(RefreshAnswer.InvalidGrant.class);
        }
    }

    @Test
    void at_most_one_request_of_all_servers_is_sent_to_an_issuer_at_a_time() throws Exception {
        server.json("/token", TOKENS);
        refreshed();
        CountDownLatch go = new CountDownLatch(1);
        server.on("/token", request -> {
            go.await();
            return ScriptedHttp.answer(200, TOKENS);
        });
        List<RefreshAnswer> answers = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 20; i++) {
            threads.add(Thread.ofVirtual().start(() -> answers.add(refreshed())));
        }
        eventually("one is sent", () -> server.received.size() == 3);
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(answers).hasSize(20).allMatch(answer -> answer instanceof RefreshAnswer.Renewed);
        assertThat(server.atOnce).hasValue(1);
    }

    @Test
    void interrupted_caller_leaves_the_queue() throws Exception {
        server.json("/token", TOKENS);
        refreshed();
        CountDownLatch go = new CountDownLatch(1);
        server.on("/token", request -> {
            go.await();
            return ScriptedHttp.answer(200, TOKENS);
        });
        Thread first = Thread.ofVirtual().start(this::refreshed);
        eventually("the first is sent", () -> server.received.size() == 3);
        List<RefreshAnswer> answers = new CopyOnWriteArrayList<>();
        Thread second = Thread.ofVirtual().start(() -> answers.add(refreshed()));
        second.interrupt();
        second.join();
        assertThat(failure(answers.getFirst()).kind()).isEqualTo(RefreshFailure.Kind.NOT_SENT);
        go.countDown();
        first.join();
        assertThat(refreshed()).isInstanceOf(RefreshAnswer.Renewed.class);
    }

    @Test
    void each_issuer_has_one_guard() {
        assertThat(login.context.guard("https://x")).isSameAs(login.context.guard("https://x"));
        assertThat(login.context.guard("https://x")).isNotSameAs(login.context.guard("https://y"));
    }
}
