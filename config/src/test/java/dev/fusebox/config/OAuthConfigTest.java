package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The keys of logins.
class OAuthConfigTest {
    private static ServerEndpoint.Remote remote(String members) {
        ServerState state = Reads.server("\"url\":\"https://h/\"" + members).state();
        if (state instanceof ServerState.Ready(ServerEndpoint endpoint)) {
            return Objects.requireNonNull(endpoint.address());
        }
        throw new AssertionError(state);
    }

    private static OAuthConfig oauth(String value) {
        return remote(",\"oauth\":" + value).oauth();
    }

    @Test
    void server_without_the_key_uses_logins() {
        assertThat(remote("").oauth()).isEqualTo(OAuthConfig.USUAL);
        assertThat(remote("").headersHelper()).isEmpty();
        assertThat(OAuthConfig.USUAL.isEnabled()).isTrue();
        assertThat(OAuthConfig.USUAL.grant()).isEqualTo(OAuthGrant.AUTHORIZATION_CODE);
        assertThat(OAuthConfig.USUAL.redirectPort()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"true,true", "false,false", "{},true"})
    void word_enables_or_disables(String written, boolean isEnabled) {
        assertThat(oauth(written)).isEqualTo(OAuthConfig.plain(isEnabled));
    }

    @Test
    void object_has_all_settings() {
        assertThat(oauth("{\"clientId\":\"id-${HOST}\",\"clientSecret\":\"${TOKEN}\",\"issuer\":\"https://a.b\","
                        + "\"scopes\":[\"read\",\"write:all\"],\"resource\":\"https://h\",\"redirectPort\":1024}"))
                .isEqualTo(new OAuthConfig(
                        true,
                        "id-tools.test",
                        "s3cr3t-value",
                        null,
                        null,
                        "https://a.b",
                        List.of("read", "write:all"),
                        "https://h",
                        1024,
                        OAuthGrant.AUTHORIZATION_CODE));
    }

    @Test
    void key_file_is_relative_to_the_configuration_file() {
        OAuthConfig oauth =
                oauth("{\"clientId\":\"a\",\"privateKey\":\"keys/a.pem\",\"grant\":\"client_credentials\"}");

        assertThat(oauth.privateKey()).isEqualTo(Path.of("keys/a.pem").toAbsolutePath());
        assertThat(oauth.grant()).isEqualTo(OAuthGrant.CLIENT_CREDENTIALS);
    }

    @Test
    void client_metadata_document_is_an_address() {
        assertThat(oauth("{\"clientMetadataUrl\":\"https://a.b/c.json\"}").clientMetadataUrl())
                .isEqualTo(URI.create("https://a.b/c.json"));
    }

    @Test
    void client_secret_is_a_known_secret_and_in_no_text_form() {
        ServerEndpoint.Remote remote = remote(",\"oauth\":{\"clientId\":\"${HOST}\",\"clientSecret\":\"plain\"}");

        assertThat(remote.secrets()).contains("plain");
        assertThat(remote.oauth().toString() + remote).doesNotContain("plain");
    }

    @Test
    void missing_variable_of_a_client_is_reported() {
        assertThat(Reads.server("\"url\":\"https://h/\",\"oauth\":{\"clientId\":\"${A}\",\"clientSecret\":\"${B}\"}")
                        .state())
                .isEqualTo(new ServerState.AwaitingConfig(List.of("A", "B")));
    }

    @Test
    void login_is_part_of_the_endpoint_but_not_of_its_identity() {
        ServerState one = Reads.server("\"url\":\"https://h/\"").state();
        ServerState other = Reads.server("\"url\":\"https://h/\",\"oauth\":{\"issuer\":\"https://a.b\"}")
                .state();

        assertThat(one).isNotEqualTo(other);
        assertThat(((ServerState.Ready) one).endpoint().identity())
                .isEqualTo(((ServerState.Ready) other).endpoint().identity());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"/opt/my helper\"|[/opt/my helper]",
                "\"./h\"|[./h]",
                "[\"h\",\"--x y\",\"\"]|faulty",
                "[\"h\",\"a b\"]|[h, a b]"
            })
    void helper_is_a_program_or_a_list(String written, String expected) {
        ServerState state = Reads.server("\"url\":\"https://h/\",\"headersHelper\":" + written)
                .state();
        String found = state instanceof ServerState.Ready(ServerEndpoint endpoint)
                ? Objects.requireNonNull(endpoint.address()).headersHelper().toString()
                : "faulty";

        assertThat(found).isEqualTo(expected);
    }

    @Test
    void credentials_and_login_have_defaults() {
        Configuration usual = Reads.with("");
        assertThat(usual.credentials()).isEqualTo(CredentialsConfig.USUAL);
        assertThat(usual.login()).isEqualTo(new LoginConfig(LoginConfig.Ask.ELICITATION));

        Configuration own = Reads.with(
                "\"credentials\":{\"store\":\"command\",\"command\":[\"p\",\"x\"]}," + "\"login\":{\"ask\":\"never\"}");
        assertThat(own.credentials()).isEqualTo(new CredentialsConfig(CredentialStore.COMMAND, List.of("p", "x")));
        assertThat(own.login().ask()).isEqualTo(LoginConfig.Ask.NEVER);
    }

    @Test
    void plain_client_secret_is_found_and_masked() {
        byte[] entry = "{\"url\":\"https://h/\",\"oauth\":{\"clientId\":\"a\",\"clientSecret\":\"hunter-2-hunter\"}}"
                .getBytes(UTF_8);
        LiteralSecrets found = LiteralSecrets.in("one", JsonView.of(new String(entry, UTF_8)), new HashMap<>());

        assertThat(found.masked()).contains("\"clientSecret\":\"***\"").contains("\"clientId\":\"a\"");
        assertThat(found.replaced()).contains("${ONE_CLIENTSECRET}");
    }
}
