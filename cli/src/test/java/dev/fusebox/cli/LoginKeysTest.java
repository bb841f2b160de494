package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.FixtureClient;
import dev.fusebox.fixtures.oauth.ObservedRequest;
import dev.fusebox.fixtures.oauth.ProtectedServer;
import dev.fusebox.fixtures.server.FreePort;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The keys of logins, each with a value that changes what the authorization server sees.
@Timeout(60)
class LoginKeysTest {
    private final BrowserOfTest browser = new BrowserOfTest();
    private final CapturedOutput output = CapturedOutput.before(browser);

    @TempDir
    private Path home;

    private AuthorizationServer authorization;
    private ProtectedServer server;

    @BeforeEach
    void start() throws IOException {
        authorization = AuthorizationServer.start();
        server = ProtectedServer.start(authorization);
    }

    @AfterEach
    void stop() {
        server.close();
        authorization.close();
    }

    private ExitStatus login(String oauth) throws IOException {
        Files.writeString(
                home.resolve("config.json"),
                "{\"mcpServers\": {\"jira\": {\"url\": \"" + server.uri() + "\", \"oauth\": " + oauth + "}}}");
        Platform platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
        return LoginCommand.run(platform, InputStream.nullInputStream(), List.of("jira"), output.next());
    }

    private ObservedRequest authorized() {
        return authorization.observed().requests(FaultPoint.AUTHORIZE).getFirst();
    }

    @Test
    void login_can_be_turned_off() throws IOException {
        assertThat(login("false")).isEqualTo(ExitStatus.USAGE);
        assertThat(output.err()).contains("uses no login");
        assertThat(login("true")).isEqualTo(ExitStatus.DONE);
    }

    @Test
    @Shows({"oauth.scopes", "oauth.resource"})
    void scopes_and_resource_are_requested() throws IOException {
        URI root = server.uri().resolve("/");
        assertThat(login("{\"scopes\": [\"files:write\"], \"resource\": \"" + root + "\"}"))
                .isNotEqualTo(ExitStatus.USAGE);
        assertThat(authorized().parameter("scope")).contains("files:write").doesNotContain("files:read");
        assertThat(authorized().parameter("resource")).isEqualTo(root.toString());
    }

    @Test
    @Shows({"oauth.clientMetadataUrl", "oauth.redirectPort"})
    void metadata_document_is_the_client_and_port_is_that_of_the_callback() throws IOException {
        int port = FreePort.next();
        assertThat(login("{\"clientMetadataUrl\": \"https://client.example/fusebox.json\", \"redirectPort\": " + port
                        + "}"))
                .as(output::err)
                .isEqualTo(ExitStatus.DONE);
        assertThat(authorized().parameter("client_id")).isEqualTo("https://client.example/fusebox.json");
        assertThat(authorized().parameter("redirect_uri")).contains(":" + port + "/");
        assertThat(authorization.observed().registrations()).isZero();
    }

    @Test
    @Shows("oauth.issuer")
    void other_issuer_than_the_configured_one_is_refused() throws IOException {
        assertThat(login("{\"issuer\": \"http://127.0.0.1:9/other\"}")).isEqualTo(ExitStatus.FAILED);
        assertThat(browser.opened()).isEmpty();
    }

    @Test
    @Shows({"oauth.clientId", "oauth.clientSecret", "oauth.grant"})
    void client_credentials_need_no_browser() throws IOException {
        authorization.addClient(FixtureClient.withSecret("robot", "robot-secret-1", FixtureClient.Method.BASIC));
        assertThat(login("{\"clientId\": \"robot\", \"clientSecret\": \"robot-secret-1\","
                        + " \"grant\": \"client_credentials\"}"))
                .as(output::err)
                .isEqualTo(ExitStatus.DONE);
        assertThat(browser.opened()).isEmpty();
    }

    @Test
    @Shows("oauth.privateKey")
    void client_signs_with_its_key() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair keys = generator.generateKeyPair();
        Files.writeString(
                home.resolve("client.pem"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        authorization.addClient(FixtureClient.withKey("signer", keys.getPublic()));
        assertThat(login("{\"clientId\": \"signer\", \"privateKey\": \"client.pem\","
                        + " \"grant\": \"client_credentials\"}"))
                .as(output::err)
                .isEqualTo(ExitStatus.DONE);
        assertThat(browser.opened()).isEmpty();
    }
}
