package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.client.ErrorId;
import dev.fusebox.oauth.protocol.ClientRegistration.Kind;
import dev.fusebox.protocol.JsonView;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Registration of this client over real connections, and its store.
@Timeout(60)
class RegistrarTest {
    private static final String REDIRECT = "http://127.0.0.1:4711/callback";
    private static final String OTHER_REDIRECT = "http://127.0.0.1:4712/callback";

    @TempDir
    Path folder;

    private ScriptedHttp server;
    private Login login;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedHttp().on("/register", RegistrarTest::registered);
        login = new Login(server.uri("/mcp"), folder.resolve("issuers"));
    }

    @AfterEach
    void stop() throws Exception {
        login.close();
        server.close();
    }

    private static String registered(ScriptedHttp.Received request) {
        String port = request.body().replaceAll("(?s).*127.0.0.1:(\\d+).*", "$1");
        return ScriptedHttp.answer(201, "{\"client_id\":\"dynamic-" + port + "\"}");
    }

    private IssuerMetadata metadata(String rest) throws InvalidMetadata {
        String json = "{\"issuer\":\"$\",\"token_endpoint\":\"$/token\"" + rest + "}";
        return IssuerMetadata.read(
                server.uri("/meta"), json.replace("$", server.url()).getBytes(UTF_8));
    }

    private IssuerMetadata registering() throws InvalidMetadata {
        return metadata(",\"registration_endpoint\":\"$/register\"");
    }

    private ClientRegistration registration(IssuerMetadata issuer) throws OAuthException {
        return login.registrar().registration(issuer, REDIRECT);
    }

    private OAuthException failure(IssuerMetadata issuer) {
        return catchThrowableOfType(OAuthException.class, () -> registration(issuer));
    }

    // ---- Order

    @Test
    void configured_client_comes_first() throws Exception {
        login.client("mine", "pa55word").document("https://me.test/client.json");
        ClientRegistration client = registration(
                metadata(",\"registration_endpoint\":\"$/register\",\"client_id_metadata_document_supported\":true"));
        assertThat(client)
                .returns("mine", ClientRegistration::clientId)
                .returns(Kind.CONFIGURED, ClientRegistration::kind);
        assertThat(client.toString() + login.settings()).doesNotContain("pa55word");
        assertThat(server.received).isEmpty();
    }

    @Test
    void document_comes_next_where_it_is_supported() throws Exception {
        login.document("https://me.test/client.json");
        IssuerMetadata supporting =
                metadata(",\"registration_endpoint\":\"$/register\",\"client_id_metadata_document_supported\":true");
        assertThat(registration(supporting))
                .returns("https://me.test/client.json", ClientRegistration::clientId)
                .returns(ClientAuthMethod.NONE, ClientRegistration::method);
        assertThat(server.received).isEmpty();
        assertThat(registration(registering()).clientId()).isEqualTo("dynamic-4711");
    }

    @Test
    void nothing_possible_says_what_to_register_and_which_keys_to_set() throws Exception {
        assertThat(failure(metadata("")))
                .returns(ErrorId.REGISTRATION_MISSING, OAuthException::id)
                .hasMessageContainingAll(
                        server.url(), REDIRECT, "authorization_code", "oauth.clientId", "oauth.redirectPort");
    }

    @Test
    void login_without_a_person_needs_a_configured_client() throws Exception {
        login.withoutPerson();
        assertThat(failure(registering())).hasMessageContaining("oauth.clientSecret");
        assertThat(server.received).isEmpty();
    }

    // ---- Dynamic registration

    @Test
    void registration_request_describes_a_native_public_client() throws Exception {
        registration(metadata(",\"registration_endpoint\":\"$/register\",\"device_authorization_endpoint\":\"$/d\","
                + "\"token_endpoint_auth_methods_supported\":[\"client_secret_post\",\"none\"]"));
        ScriptedHttp.Received request = server.last("/register");
        assertThat(request.header("content-type")).isEqualTo("application/json");
        assertThat(JsonView.of(request.body()))
                .isEqualTo(JsonView.of("{\"client_name\":\"Fusebox\",\"application_type\":\"native\","
                        + "\"redirect_uris\":[\"" + REDIRECT + "\"],\"grant_types\":[\"authorization_code\","
                        + "\"refresh_token\",\"urn:ietf:params:oauth:grant-type:device_code\"],"
                        + "\"response_types\":[\"code\"],\"token_endpoint_auth_method\":\"none\"}"));
    }

    @Test
    void registration_is_reused_for_the_same_redirect_uri_even_by_another_process() throws Exception {
        registration(registering());
        try (Login other = new Login(server.uri("/mcp"), folder.resolve("issuers"))) {
            assertThat(other.registrar().registration(registering(), REDIRECT).clientId())
                    .isEqualTo("dynamic-4711");
            assertThat(other.registrar().redirectUris(registering())).containsExactly(REDIRECT);
        }
        assertThat(server.received).hasSize(1);
    }

    @Test
    void client_of_another_redirect_uri_is_kept_for_its_tokens() throws Exception {
        registration(registering());
        Registrar registrar = login.registrar();
        registrar.registration(registering(), OTHER_REDIRECT);
        assertThat(server.received).hasSize(2);
        assertThat(registrar.known(registering(), "dynamic-4711")).isNotNull();
        assertThat(registrar.known(registering(), "dynamic-4712")).isNotNull();
        assertThat(registrar.known(registering(), "other")).isNull();
    }

    @Test
    void client_is_never_used_with_another_issuer() throws Exception {
        registration(registering());
        try (ScriptedHttp elsewhere = new ScriptedHttp()) {
            IssuerMetadata other = IssuerMetadata.read(
                    elsewhere.uri("/meta"),
                    "{\"issuer\":\"$\",\"token_endpoint\":\"$/token\"}"
                            .replace("$", elsewhere.url())
                            .getBytes(UTF_8));
            assertThat(login.registrar().known(other, "dynamic-4711")).isNull();
            assertThat(failure(other).id()).isEqualTo(ErrorId.REGISTRATION_MISSING);
        }
    }

    @Test
    void client_with_an_expired_secret_is_not_used_for_new_logins() throws Exception {
        server.on(
                "/register",
                request -> ScriptedHttp.answer(
                        201, "{\"client_id\":\"c\",\"client_secret\":\"s\",\"client_secret_expires_at\":1}"));
        registration(registering());
        registration(registering());
        assertThat(server.received).hasSize(2);
        assertThat(login.registrar().redirectUris(registering())).isEmpty();
    }

    @Test
    void refused_client_is_replaced_once() throws Exception {
        Instant longAgo = Instant.ofEpochMilli(1_000);
        ClientRegistration old =
                new ClientRegistration("old", null, ClientAuthMethod.NONE, Kind.DYNAMIC, REDIRECT, longAgo, null);
        login.store.add(server.url(), old);
        login.store.keep(registering(), Instant.now());
        Registrar registrar = login.registrar();
        assertThat(registrar.registration(registering(), REDIRECT)).isEqualTo(old);
        ClientRegistration next = registrar.replacement(registering(), old, REDIRECT);
        assertThat(next.clientId()).isEqualTo("dynamic-4711");
        assertThat(registrar.known(registering(), "old")).isNull();
        assertThat(login.store.metadata(server.url())).isNull();
        OAuthException again =
                catchThrowableOfType(OAuthException.class, () -> registrar.replacement(registering(), next, REDIRECT));
        assertThat(again.id()).isEqualTo(ErrorId.REGISTRATION_REFUSED);
        assertThat(server.received).hasSize(1);
    }

    @Test
    void refused_configured_client_is_not_replaced() throws Exception {
        ClientRegistration own = login.client("mine", null).registrar().registration(registering(), REDIRECT);
        OAuthException failure = catchThrowableOfType(
                OAuthException.class, () -> login.registrar().replacement(registering(), own, REDIRECT));
        assertThat(failure).hasMessageContaining("check oauth.clientId");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "400|{\"error\":\"invalid_redirect_uri\"}|REDIRECT_REFUSED",
                "400|{\"error\":\"invalid_client_metadata\"}|REGISTRATION_REFUSED",
                "400|<html>|REGISTRATION_REFUSED",
                "401|{}|REGISTRATION_REFUSED",
                "403|{\"error\":\"access_denied\"}|REGISTRATION_REFUSED",
                "404||REGISTRATION_MISSING",
                "405||REGISTRATION_MISSING",
                "429|{}|ISSUER_DOWN",
                "503||ISSUER_DOWN",
                "200|<html>|REGISTRATION_REFUSED",
                "201|{}|REGISTRATION_REFUSED",
                "201|{\"client_id\":7}|REGISTRATION_REFUSED",
                "201|{\"client_id\":\"\"}|REGISTRATION_REFUSED",
                "201|{\"client_id\":\"x\",\"redirect_uris\":[\"http://127.0.0.1:1/\"]}|REDIRECT_REFUSED"
            })
    void refused_registration_has_its_own_error(int status, String body, ErrorId id) throws Exception {
        server.on("/register", request -> ScriptedHttp.answer(status, body == null ? "" : body));
        assertThat(failure(registering()).id()).isEqualTo(id);
        assertThat(login.store.clients(server.url())).isEmpty();
    }

    @Test
    void server_without_metadata_and_registration_is_no_authorization_server() {
        IssuerMetadata assumed = IssuerMetadata.assumed(URI.create(server.url()), server.uri("/meta"));
        server.remove("/register");
        assertThat(failure(assumed).id()).isEqualTo(ErrorId.RESOURCE_METADATA_MISSING);
    }

    @Test
    void secret_in_an_error_code_is_not_repeated() throws Exception {
        server.on("/register", request -> ScriptedHttp.answer(400, "{\"error\":\"s3cr3t\"}"));
        assertThat(failure(registering()).message()).doesNotContain("s3cr3t");
    }

    // ---- Authentication method

    @ParameterizedTest
    @CsvSource({
        // supported by the server, requested at registration, in the answer, with a secret, used
        "none, none, none, false, none",
        "client_secret_basic, client_secret_basic, client_secret_basic, true, client_secret_basic",
        "client_secret_post, client_secret_post, client_secret_post, true, client_secret_post",
        "client_secret_post client_secret_basic, client_secret_basic, '', true, client_secret_basic",
        "client_secret_post, client_secret_post, '', true, client_secret_post",
        "none client_secret_basic, none, client_secret_post, true, client_secret_post",
        "none, none, '', true, none",
        "'', client_secret_basic, '', true, client_secret_basic",
        "'', client_secret_basic, '', false, none",
        "'', client_secret_basic, client_secret_basic, false, none",
        "private_key_jwt, none, private_key_jwt, true, client_secret_basic",
        "tls_client_auth, none, tls_client_auth, false, none"
    })
    void authentication_method_fits_the_server(
            String supported, String requested, String answered, boolean hasSecret, String used) throws Exception {
        String method = answered.isEmpty() ? "" : ",\"token_endpoint_auth_method\":\"" + answered + "\"";
        String secret = hasSecret ? ",\"client_secret\":\"s\"" : "";
        server.on("/register", request -> ScriptedHttp.answer(201, "{\"client_id\":\"c\"" + method + secret + "}"));
        String methods = supported.isEmpty()
                ? ""
                : ",\"token_endpoint_auth_methods_supported\":[\"" + supported.replace(" ", "\",\"") + "\"]";
        ClientRegistration client = registration(metadata(",\"registration_endpoint\":\"$/register\"" + methods));
        assertThat(JsonView.of(server.last("/register").body()).string("token_endpoint_auth_method"))
                .isEqualTo(requested);
        assertThat(client.method().id()).isEqualTo(used);
    }

    // ---- Document and store

    @Test
    void hosted_document_names_its_own_url() {
        String json = ClientMetadataDocument.hosted(URI.create("https://me.test/client.json"), List.of(REDIRECT));
        JsonView document = JsonView.of(json);
        assertThat(document.string("client_id")).isEqualTo("https://me.test/client.json");
        assertThat(document.string("client_name")).isEqualTo("Fusebox");
        assertThat(document.string("token_endpoint_auth_method")).isEqualTo("none");
        assertThat(document.member("grant_types")).asString().contains("refresh_token");
    }

    @Test
    void stored_files_are_for_their_owner_only() throws Exception {
        registration(registering());
        login.store.keep(registering(), Instant.now());
        try (Stream<Path> files = Files.list(folder.resolve("issuers"))) {
            assertThat(files.toList())
                    .hasSize(2)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void damaged_files_are_like_missing_ones() throws Exception {
        registration(registering());
        login.store.keep(registering(), Instant.now());
        try (Stream<Path> files = Files.list(folder.resolve("issuers"))) {
            for (Path file : files.toList()) {
                Files.writeString(file, "{\"issuer\":");
            }
        }
        assertThat(login.store.metadata(server.url())).isNull();
        assertThat(login.store.clients(server.url())).isEmpty();
    }

    @Test
    void oldest_clients_are_deleted_beyond_fifty() throws Exception {
        for (int i = 0; i < 60; i++) {
            login.store.add(
                    server.url(),
                    new ClientRegistration(
                            "c" + i,
                            null,
                            ClientAuthMethod.NONE,
                            Kind.DYNAMIC,
                            REDIRECT,
                            Instant.ofEpochSecond(i),
                            null));
        }
        assertThat(login.store.clients(server.url())).hasSize(50).first().returns("c59", ClientRegistration::clientId);
    }
}
