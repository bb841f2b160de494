package dev.fusebox.oauth.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.client.ErrorId;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Discovery over real connections: one server has the resource, another one the authorization server.
@Timeout(60)
class DiscoveryTest {
    private static final String RESOURCE = "/.well-known/oauth-protected-resource";
    private static final String OAUTH = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";
    private static final String REST = ",\"authorization_endpoint\":\"$/authorize\",\"token_endpoint\":\"$/token\","
            + "\"code_challenge_methods_supported\":[\"S256\"]}";

    @TempDir
    Path folder;

    private ScriptedHttp server;
    private ScriptedHttp issuer;
    private Login login;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedHttp();
        issuer = new ScriptedHttp().json(OAUTH, "{\"issuer\":\"$\"" + REST);
        login = new Login(server.uri("/mcp"), folder.resolve("issuers"));
    }

    @AfterEach
    void stop() throws Exception {
        login.close();
        server.close();
        issuer.close();
    }

    private String document(String resource, String rest) {
        return "{\"resource\":\"" + resource + "\",\"authorization_servers\":[\"" + issuer.url() + "\"]" + rest + "}";
    }

    private static AuthChallenge challenge(@Nullable String metadata, String... scopes) {
        return new AuthChallenge(metadata, Set.of(scopes), null);
    }

    private OAuthException failure(@Nullable AuthChallenge challenge) {
        return catchThrowableOfType(
                OAuthException.class, () -> login.discovery().discover(challenge));
    }

    // ---- Resource metadata

    @Test
    void resource_metadata_of_the_challenge_comes_first() throws Exception {
        server.json("/meta", document("$/mcp", ""));
        Discovered found = login.discovery().discover(challenge(server.url() + "/meta"));
        assertThat(found.issuer().issuer()).isEqualTo(issuer.url());
        assertThat(found.resource()).isEqualTo(server.url() + "/mcp");
        assertThat(server.paths()).containsExactly("/meta");
    }

    @Test
    void well_known_url_with_the_path_comes_before_the_root() throws Exception {
        server.json(RESOURCE + "/mcp", document("$/mcp", "")).json(RESOURCE, document("$", ""));
        assertThat(login.discovery().discover(null).resource()).isEqualTo(server.url() + "/mcp");
        assertThat(server.paths()).containsExactly(RESOURCE + "/mcp");
    }

    @Test
    void well_known_url_at_the_root_is_the_last() throws Exception {
        server.json(RESOURCE, document("$/", ""));
        assertThat(login.discovery().discover(challenge(null)).resource()).isEqualTo(server.url() + "/");
        assertThat(server.paths()).containsExactly(RESOURCE + "/mcp", RESOURCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"javascript:alert(1)", "/relative", "https://user@127.0.0.1/", "404"})
    void unusable_url_of_the_challenge_does_not_hide_the_well_known_one(String url) throws Exception {
        server.json(RESOURCE + "/mcp", document("$/mcp", ""));
        String named = url.equals("404") ? server.url() + "/nothing" : url;
        assertThat(login.discovery().discover(challenge(named)).issuer().issuer())
                .isEqualTo(issuer.url());
    }

    @Test
    void challenge_whose_metadata_is_missing_is_an_error_that_lists_what_was_tried() {
        OAuthException failure = failure(challenge(server.url() + "/nothing"));
        assertThat(failure.id()).isEqualTo(ErrorId.RESOURCE_METADATA_MISSING);
        assertThat(failure.message())
                .contains("/nothing answered with HTTP 404", RESOURCE + "/mcp answered", "oauth.issuer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.test/mcp", "$/mcp2", "$/mcp/deeper", "https://127.0.0.1/mcp", "nothing"})
    void metadata_of_another_resource_is_refused(String resource) {
        server.json(RESOURCE + "/mcp", document(resource, ""));
        assertThat(failure(null).id()).isEqualTo(ErrorId.RESOURCE_MISMATCH);
        assertThat(issuer.received).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"resource\":7}|resource is not a string",
                "{}|resource is missing",
                "{\"resource\":\"$/mcp\",\"authorization_servers\":\"x\"}|authorization_servers is not an array",
                "no json|not JSON"
            })
    void wrong_resource_metadata_is_an_error_that_names_the_member(String json, String reason) {
        server.json(RESOURCE + "/mcp", json);
        assertThat(failure(null))
                .returns(ErrorId.RESOURCE_METADATA_MISSING, OAuthException::id)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void failing_server_is_not_taken_for_one_of_an_older_revision(int status) {
        server.on(RESOURCE + "/mcp", request -> ScriptedHttp.answer(status, ""));
        assertThat(failure(null).id()).isEqualTo(ErrorId.RESOURCE_METADATA_MISSING);
        assertThat(server.paths()).containsExactly(RESOURCE + "/mcp");
    }

    @Test
    void metadata_behind_a_redirect_to_another_origin_is_not_fetched() {
        server.on("/meta", request -> ScriptedHttp.answer(307, "", "Location: " + issuer.url() + "/meta"));
        assertThat(failure(challenge(server.url() + "/meta")).id()).isEqualTo(ErrorId.RESOURCE_METADATA_MISSING);
        assertThat(issuer.received).isEmpty();
    }

    @Test
    void configured_resource_is_sent_in_place_of_the_one_found() throws Exception {
        server.json(RESOURCE, document("$", ""));
        assertThat(login.resource("https://other.test/")
                        .discovery()
                        .discover(null)
                        .resource())
                .isEqualTo("https://other.test/");
    }

    // ---- Issuer

    @ParameterizedTest
    @CsvSource({
        "/t1, /.well-known/oauth-authorization-server/t1",
        "/t1, /.well-known/openid-configuration/t1",
        "/t1, /t1/.well-known/openid-configuration",
        "/t1/, /t1/.well-known/openid-configuration",
        "'', /.well-known/openid-configuration"
    })
    void issuer_metadata_is_found_at_each_place(String path, String place) throws Exception {
        String name = issuer.url() + path;
        issuer.remove(OAUTH).json(place, "{\"issuer\":\"" + name + "\"" + REST);
        server.json(RESOURCE, "{\"resource\":\"$\",\"authorization_servers\":[\"" + name + "\"]}");
        assertThat(login.discovery().discover(null).issuer().issuer()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$/", "https://evil.test", "$/t1", "HTTP://127.0.0.1"})
    void issuer_that_differs_in_any_character_is_refused(String name) {
        issuer.json(OAUTH, "{\"issuer\":\"" + name + "\"" + REST);
        server.json(RESOURCE, document("$", ""));
        assertThat(failure(null))
                .returns(ErrorId.ISSUER_INVALID, OAuthException::id)
                .hasMessageContaining("its issuer is not exactly " + issuer.url());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "file:///etc/passwd",
                "http://10.0.0.1/token",
                "https://192.168.0.1/token",
                "http://example.com/token",
                "https://169.254.169.254/token"
            })
    void endpoint_that_must_not_be_used_makes_the_issuer_unusable(String endpoint) {
        for (String name : List.of("authorization_endpoint", "token_endpoint", "registration_endpoint")) {
            issuer.json(OAUTH, "{\"" + name + "\":\"" + endpoint + "\",\"issuer\":\"$\"" + REST);
            server.json(RESOURCE, document("$", ""));
            assertThat(failure(null).id()).isEqualTo(ErrorId.ISSUER_INVALID);
        }
    }

    @Test
    void issuer_without_s256_is_refused_for_logins_only() throws Exception {
        issuer.json(OAUTH, "{\"issuer\":\"$\",\"token_endpoint\":\"$/token\",\"authorization_endpoint\":\"$/a\"}");
        server.json(RESOURCE, document("$", ""));
        assertThat(failure(null).id()).isEqualTo(ErrorId.PKCE_MISSING);
        assertThat(login.withoutPerson().discovery().discover(null).issuer().issuer())
                .isEqualTo(issuer.url());
    }

    @Test
    void first_working_issuer_is_used() throws Exception {
        server.json(
                RESOURCE,
                "{\"resource\":\"$\",\"authorization_servers\":[\"ftp://x\",\"http://127.0.0.1:1\",\"" + issuer.url()
                        + "\"]}");
        assertThat(login.discovery().discover(null).issuer().issuer()).isEqualTo(issuer.url());
    }

    @Test
    void unreachable_issuer_is_down() {
        server.json(RESOURCE, "{\"resource\":\"$\",\"authorization_servers\":[\"http://127.0.0.1:1\"]}");
        assertThat(failure(null).id()).isEqualTo(ErrorId.ISSUER_DOWN);
    }

    @ParameterizedTest
    @CsvSource({"500, ISSUER_DOWN", "429, ISSUER_DOWN", "404, ISSUER_INVALID", "403, ISSUER_INVALID"})
    void issuer_without_metadata_is_down_or_invalid(int status, ErrorId id) {
        issuer.on(OAUTH, request -> ScriptedHttp.answer(status, ""));
        server.json(RESOURCE, document("$", ""));
        assertThat(failure(null)).returns(id, OAuthException::id).hasMessageContaining(OPENID);
    }

    @Test
    void too_large_metadata_is_refused() {
        issuer.on(OAUTH, request -> ScriptedHttp.answer(200, " ".repeat(2 << 20)));
        server.json(RESOURCE, document("$", ""));
        assertThat(failure(null).id()).isEqualTo(ErrorId.ISSUER_INVALID);
    }

    @Test
    void metadata_without_an_issuer_asks_for_a_configured_one() {
        server.json(RESOURCE, "{\"resource\":\"$\"}");
        assertThat(failure(null))
                .returns(ErrorId.RESOURCE_METADATA_MISSING, OAuthException::id)
                .hasMessageContaining("set oauth.issuer");
    }

    @Test
    void configured_issuer_must_be_among_the_named_ones() throws Exception {
        server.json(RESOURCE, document("$", ""));
        assertThat(login.issuer(issuer.url() + "/")
                        .discovery()
                        .discover(null)
                        .issuer()
                        .issuer())
                .isEqualTo(issuer.url());
        login.issuer("https://former.test");
        assertThat(failure(null).id()).isEqualTo(ErrorId.ISSUER_CHANGED);
    }

    @Test
    void configured_issuer_needs_no_resource_metadata() throws Exception {
        Discovered found = login.issuer(issuer.url()).discovery().discover(null);
        assertThat(found.issuer().issuer()).isEqualTo(issuer.url());
        assertThat(found.resource()).isEqualTo(server.url() + "/mcp");
    }

    @Test
    void metadata_is_kept_until_it_is_dropped() throws Exception {
        server.json(RESOURCE, document("$", ""));
        login.discovery().discover(null);
        login.discovery().discover(null);
        assertThat(issuer.received).hasSize(1);
        login.store.dropMetadata(issuer.url());
        login.discovery().discover(null);
        assertThat(issuer.received).hasSize(2);
    }

    // ---- Revision 2025-03-26

    @ParameterizedTest
    @CsvSource({OAUTH + ", $", OAUTH + ", $/", OPENID + ", $"})
    void server_without_resource_metadata_may_be_its_own_issuer(String place, String name) throws Exception {
        server.json(place, "{\"issuer\":\"" + name + "\"" + REST);
        IssuerMetadata found = login.discovery().discover(challenge(null)).issuer();
        assertThat(found.issuer()).isEqualTo(name.replace("$", server.url()));
        assertThat(found.isAssumed()).isFalse();
        assertThat(found.endpoints().token()).hasToString(server.url() + "/token");
    }

    @Test
    void server_without_any_metadata_has_the_default_endpoints_and_pkce() throws Exception {
        IssuerMetadata found = login.discovery().discover(null).issuer();
        assertThat(found.isAssumed()).isTrue();
        assertThat(found.hasS256()).isTrue();
        assertThat(found.issuer()).isEqualTo(server.url());
        assertThat(found.endpoints().authorization()).hasToString(server.url() + "/authorize");
        assertThat(found.endpoints().token()).hasToString(server.url() + "/token");
        assertThat(found.endpoints().registration()).hasToString(server.url() + "/register");
        assertThat(login.store.metadata(server.url()))
                .isNotNull()
                .extracting(IssuerStore.Cached::metadata)
                .isEqualTo(found);
    }

    @Test
    void server_that_answers_everything_with_a_page_has_no_metadata() throws Exception {
        for (String path : List.of(RESOURCE, RESOURCE + "/mcp", OAUTH, OPENID)) {
            server.on(path, request -> ScriptedHttp.answerOf("text/html", 200, "<html>hello</html>"));
        }
        assertThat(login.discovery().discover(null).issuer().isAssumed()).isTrue();
    }

    // ---- Scopes

    @ParameterizedTest
    @CsvSource({
        // configured, of the challenge, of the resource, of the issuer, requested
        "'', '', '', '', ''",
        "'', '', '', offline_access, ''",
        "'', '', 'b a', '', 'b a'",
        "'', c, 'b a', 'a c', c",
        "x, c, 'b a', '', x",
        "'', '', 'b a', offline_access, 'b a offline_access'",
        "'', c, 'b a', offline_access, 'c offline_access'",
        "x, c, '', 'x offline_access', 'x offline_access'",
        "'offline_access x', '', '', offline_access, 'offline_access x'"
    })
    void scopes_are_selected(String own, String challenged, String resource, String known, String requested)
            throws Exception {
        Scopes.parse(own).forEach(login::scope);
        issuer.json(OAUTH, "{\"issuer\":\"$\",\"scopes_supported\":" + array(known) + REST);
        server.json(RESOURCE, document("$", resource.isEmpty() ? "" : ",\"scopes_supported\":" + array(resource)));
        String[] scopes = Scopes.parse(challenged).toArray(String[]::new);
        assertThat(login.discovery().discover(challenge(null, scopes)).scopes())
                .containsExactlyElementsOf(Scopes.parse(requested));
    }

    @Test
    void offline_access_is_not_requested_without_a_person() throws Exception {
        issuer.json(OAUTH, "{\"issuer\":\"$\",\"scopes_supported\":[\"offline_access\"]" + REST);
        server.json(RESOURCE, document("$", ",\"scopes_supported\":[\"a\"]"));
        assertThat(login.withoutPerson().discovery().discover(null).scopes()).containsExactly("a");
    }

    private static String array(String scopes) {
        return Scopes.parse(scopes).stream()
                .map(scope -> "\"" + scope + "\"")
                .toList()
                .toString();
    }
}
