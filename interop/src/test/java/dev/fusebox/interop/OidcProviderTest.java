package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A real authorization server in front of a server of the official SDK, with the official client. What is shown
/// here about the pair is what tests of logins with the gateway rely on.
///
/// Over five seconds: starts the servers and a client for each test, and the first test of the module waits for
/// npm.
@Tag("interop")
@Timeout(300)
class OidcProviderTest {
    private static final String METADATA_URL = "https://client.example/metadata.json";
    private static final String METADATA = """
            {"metadataDocuments": {"https://client.example/metadata.json": {
                "client_id": "https://client.example/metadata.json", "client_name": "a client",
                "application_type": "native", "redirect_uris": ["http://127.0.0.1:33418/callback"],
                "grant_types": ["authorization_code", "refresh_token"], "token_endpoint_auth_method": "none"}}}""";

    private static final String SERVICE = """
            "clients": [{"client_id": "service", "client_secret": "service-secret", "redirect_uris": [],
                "response_types": [], "token_endpoint_auth_method": "client_secret_post",
                "grant_types": ["client_credentials"]}]""";

    private static final String DEVICE = """
            {"clients": [{"client_id": "device", "redirect_uris": [], "response_types": [],
                "token_endpoint_auth_method": "none",
                "grant_types": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"]}]}""";

    @ParameterizedTest
    @ValueSource(strings = {"opaque", "jwt"})
    void person_logs_in_and_tool_is_called(String format) {
        try (ProtectedServer server = ProtectedServer.start("{\"format\": \"" + format + "\"}")) {
            JsonView seen = seen(login(server, ScriptedPerson.agreeing("alice")).succeeds());

            assertThat(value(seen, "before", "status")).isEqualTo("401");
            assertThat(seen.string("issuer")).isEqualTo(server.issuer());
            assertThat(value(seen, "sameState")).isEqualTo("true");
            assertThat(Scripts.part(seen, "called").string("subject")).isEqualTo("alice");
            assertThat(server.observed()).startsWith("registered", "granted authorization_code");
        }
    }

    @Test
    void refresh_token_rotates_and_its_reuse_revokes_the_grant() {
        try (ProtectedServer server = ProtectedServer.start()) {
            JsonView seen = seen(login(server, ScriptedPerson.agreeing("alice")).succeeds());

            assertThat(value(seen, "rotated")).isEqualTo("true");
            assertThat(Scripts.part(seen, "calledAfterRefresh").string("token"))
                    .isNotEqualTo(Scripts.part(seen, "called").string("token"));
            assertThat(seen.string("firstAgain")).isEqualTo("invalid_grant");
            assertThat(seen.string("secondAfterReuse")).isEqualTo("invalid_grant");
            assertThat(value(seen, "after", "status")).isEqualTo("401");
            assertThat(server.observed())
                    .endsWith(
                            "granted refresh_token",
                            "revoked",
                            "refused refresh_token invalid_grant",
                            "refused refresh_token invalid_grant");
        }
    }

    @Test
    void refused_consent_is_reported_to_the_callback() {
        try (ProtectedServer server = ProtectedServer.start()) {
            Run run = login(server, ScriptedPerson.refusing("alice"));

            assertThat(run.code()).as("%s", run).isEqualTo(1);
            assertThat(seen(run).string("refused")).isEqualTo("access_denied");
        }
    }

    @Test
    void client_with_metadata_document_is_not_registered() {
        try (ProtectedServer server = ProtectedServer.start(METADATA)) {
            ProcessBuilder command = command(server);
            command.environment().put("LOGIN_METADATA_URL", METADATA_URL);
            JsonView seen = seen(LoginRun.of(command, ScriptedPerson.agreeing("alice")::authorize)
                    .succeeds());

            assertThat(seen.string("client")).isEqualTo(METADATA_URL);
            assertThat(server.observed()).startsWith("granted authorization_code");
        }
    }

    @Test
    void device_login_is_confirmed_by_person() {
        try (ProtectedServer server = ProtectedServer.start(DEVICE)) {
            JsonView device =
                    server.post("device_authorization_endpoint", "client_id=device&scope=mcp&resource=" + server.url());
            String form = "client_id=device&grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code="
                    + device.string("device_code") + "&resource=" + server.url();
            assertThat(server.post("token_endpoint", form).string("error")).isEqualTo("authorization_pending");

            String page = ScriptedPerson.agreeing("alice")
                    .confirmDevice(text(device, "verification_uri"), text(device, "user_code"));

            assertThat(page).contains("Sign-in Success");
            JsonView tokens = server.post("token_endpoint", form);
            assertThat(server.statusWith(text(tokens, "access_token"))).isEqualTo(400);
            assertThat(tokens.string("refresh_token")).isNotNull();
        }
    }

    @Test
    void tokens_are_refused_after_change_of_key_or_revocation() {
        for (Map.Entry<String, Runner> way : WAYS.entrySet()) {
            String options = "{\"format\": \"" + way.getKey() + "\", " + SERVICE + "}";
            try (ProtectedServer server = ProtectedServer.start(options)) {
                String token = serviceToken(server);
                assertThat(server.statusWith(token)).isEqualTo(400);

                way.getValue().run(server);

                assertThat(server.statusWith(token)).isEqualTo(401);
                assertThat(server.statusWith(serviceToken(server))).isEqualTo(400);
            }
        }
    }

    private interface Runner {
        void run(ProtectedServer server);
    }

    private static final Map<String, Runner> WAYS =
            Map.of("jwt", ProtectedServer::changeKey, "opaque", ProtectedServer::revokeAll);

    private static String serviceToken(ProtectedServer server) {
        String form =
                "grant_type=client_credentials&client_id=service&client_secret=service-secret&scope=mcp&resource=";
        return text(server.post("token_endpoint", form + server.url()), "access_token");
    }

    /// As JSON.
    private static String value(JsonView json, String... path) {
        return Objects.requireNonNull(json.path(path), () -> "not there: " + json)
                .json();
    }

    private static String text(JsonView json, String member) {
        return Objects.requireNonNull(json.string(member), () -> "no " + member + " in " + json);
    }

    private static Run login(ProtectedServer server, ScriptedPerson person) {
        return LoginRun.of(command(server), person::authorize);
    }

    private static ProcessBuilder command(ProtectedServer server) {
        return new ProcessBuilder(Npm.node(), Npm.script("oauth-login.mjs"), server.url());
    }

    /// The last line that the client printed.
    private static JsonView seen(Run run) {
        List<String> lines = run.out().lines().toList();
        try {
            return JsonView.parse(lines.getLast().getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError e) {
            throw new AssertionError("no JSON: " + run, e);
        }
    }
}
