package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.gateway.GatewayException;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Outbound HTTPS connections: proxies and trusted certificate authorities. The server is called `tools.test`, a
/// name that only the proxy resolves.
@Tag("process")
@Timeout(120)
class WayOutTest {
    private static final String RESULT = "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
            + "\"capabilities\":{},\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}";

    @TempDir
    static Path folder;

    private SecureServer server;
    private ConnectProxy proxy;

    /// An authority, and a key for the server that it has signed.
    @BeforeAll
    static void makeKeys() throws Exception {
        KeyStores keys = new KeyStores(folder);
        keys.keytool(
                "authority", "-genkeypair", "-keyalg", "EC", "-dname", "CN=fusebox authority", "-ext", "bc:c=ca:true");
        keys.keytool("authority", "-exportcert", "-rfc", "-file", "authority.pem");
        keys.keytool("server", "-genkeypair", "-keyalg", "EC", "-dname", "CN=fusebox test");
        keys.keytool("server", "-certreq", "-file", "server.csr");
        keys.keytool(
                "authority",
                "-gencert",
                "-rfc",
                "-infile",
                "server.csr",
                "-outfile",
                "server.pem",
                "-ext",
                "san=ip:127.0.0.1,dns:tools.test");
        keys.keytool("authority", "-importcert", "-noprompt", "-file", "authority.pem", "-keystore", "server.p12");
        keys.keytool("server", "-importcert", "-noprompt", "-file", "server.pem");
    }

    @BeforeEach
    void begin() throws Exception {
        server = new SecureServer(new KeyStores(folder).context("server"), RESULT);
        proxy = new ConnectProxy(server.port());
    }

    @AfterEach
    void end() throws IOException {
        server.close();
        proxy.close();
    }

    /// What a call comes to: `tools`, or the category of its failure.
    private static String outcome(String url, String more, Map<String, String> environment) throws Exception {
        String config = "{\"mcpServers\":{\"one\":{\"url\":\"" + url + "\",\"era\":\"modern\"" + more + "}}}";
        Map<String, String> all = new HashMap<>(Platform.system().environment());
        all.keySet().removeIf(name -> name.matches("(?i).*_proxy"));
        all.putAll(environment);
        try (ServedHere gateway = ServedHere.of(Platform.system().withEnvironment(all), folder, config)) {
            JsonView answer = gateway.tools();
            JsonView category = answer.path("error", "data", "fusebox/error", "category");
            return category != null ? String.valueOf(category.string()) : answer.path("result", "tools") + "";
        }
    }

    private static String ca() {
        return ",\"ca\":\"" + folder.resolve("authority.pem") + "\"";
    }

    private String here() {
        return "https://127.0.0.1:" + server.port() + "/mcp";
    }

    private static final String AWAY = "https://tools.test/mcp";

    @Test
    @Shows("server.ca")
    void ca_setting_is_trusted() throws Exception {
        assertThat(outcome(here(), ca(), Map.of())).isEqualTo("[]");
        assertThat(outcome(here(), "", Map.of())).isEqualTo("offline");
    }

    @Test
    @Shows("server.proxy")
    void proxy_setting_is_used_for_remote_servers() throws Exception {
        String key = ",\"proxy\":\"http://me:secret@" + proxy.address() + "\"";

        assertThat(outcome(AWAY, ca() + key, Map.of())).isEqualTo("[]");
        assertThat(proxy.asked)
                .isNotEmpty()
                .allMatch(head -> head.startsWith("CONNECT tools.test:443 ") && head.contains("Basic bWU6c2VjcmV0"));
        assertThat(outcome(AWAY, ca(), Map.of())).isEqualTo("offline");
    }

    @Test
    void environment_proxies_apply_and_setting_has_precedence() throws Exception {
        Map<String, String> named = Map.of("HTTPS_PROXY", proxy.address());
        assertThat(outcome(AWAY, ca(), named)).isEqualTo("[]");
        assertThat(outcome(AWAY, ca(), Map.of("https_proxy", "http://" + proxy.address())))
                .isEqualTo("[]");
        int before = proxy.asked.size();

        Map<String, String> excepted = Map.of("HTTPS_PROXY", proxy.address(), "NO_PROXY", "other.test,.test");
        assertThat(outcome(AWAY, ca(), excepted)).isEqualTo("offline");
        assertThat(outcome(AWAY, ca() + ",\"proxy\":\"none\"", named)).isEqualTo("offline");
        assertThat(proxy.asked).hasSize(before);
        assertThat(outcome(AWAY, ca() + ",\"proxy\":\"" + proxy.address() + "\"", excepted))
                .isEqualTo("[]");
    }

    @Test
    void local_server_is_reached_without_proxy() throws Exception {
        Map<String, String> environment = Map.of("HTTPS_PROXY", proxy.address(), "HTTP_PROXY", proxy.address());

        assertThat(outcome(here(), ca(), environment)).isEqualTo("[]");
        assertThat(proxy.asked).isEmpty();
    }

    @Test
    void invalid_proxy_is_reported_at_start_if_needed() throws Exception {
        Map<String, String> wrong = Map.of("HTTPS_PROXY", "https://me:s3cret@proxy.test");

        assertThatThrownBy(() -> outcome(AWAY, "", wrong))
                .isInstanceOf(GatewayException.class)
                .hasMessageStartingWith("HTTPS_PROXY cannot be used")
                .hasMessageNotContaining("s3cret");
        assertThat(outcome(here(), ca(), wrong)).isEqualTo("[]");
        assertThat(outcome(AWAY, ca() + ",\"proxy\":\"none\"", wrong)).isEqualTo("offline");
        assertThat(outcome(AWAY, ca() + ",\"proxy\":\"" + proxy.address() + "\"", wrong))
                .isEqualTo("[]");
        Platform platform = Platform.system().withEnvironment(wrong);
        try (ServedHere gateway =
                ServedHere.of(platform, folder, "{\"mcpServers\":{\"one\":{\"command\":\"/nowhere\"}}}")) {
            assertThat(gateway.tools().member("error")).isNotNull();
        }
    }
}
