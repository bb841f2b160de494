package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.http.HttpProxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the keys of a server change.
class ServerConfigTest {
    private static ServerEndpoint.Stdio process(String members) {
        return switch (endpoint(Reads.server(members))) {
            case ServerEndpoint.Stdio process -> process;
            case ServerEndpoint other -> throw new AssertionError(other);
        };
    }

    private static ServerEndpoint.Remote target(String members) {
        return switch (endpoint(Reads.server(members))) {
            case ServerEndpoint.Http(var remote) -> remote;
            case ServerEndpoint other -> throw new AssertionError(other);
        };
    }

    private static ServerEndpoint endpoint(ServerConfig server) {
        return switch (server.state()) {
            case ServerState.Ready(ServerEndpoint endpoint) -> endpoint;
            case ServerState other -> throw new AssertionError(other);
        };
    }

    @Test
    void servers_keep_the_order_of_the_file() {
        Configuration file = Reads.usable("{\"servers\":{\"z\":{\"command\":\"c\"},\"a\":{\"url\":\"http://h/\"},"
                + "\"m\":{\"command\":\"c\",\"disabled\":true}}}");

        assertThat(file.servers()).extracting(ServerConfig::id).containsExactly("z", "a", "m");
        assertThat(file.servers().getLast().state()).isInstanceOf(ServerState.Disabled.class);
    }

    @Test
    void process_has_the_settings_of_the_file() {
        ServerEndpoint.Stdio spec = process("\"type\":\"stdio\",\"command\":\"server\",\"args\":[\"-v\",\"\"],"
                + "\"env\":{\"A\":\"1\"},\"inheritEnv\":[\"HTTPS_PROXY\"],\"cwd\":\"sub\"");

        assertThat(spec.command()).isEqualTo("server");
        assertThat(spec.args()).containsExactly("-v", "");
        assertThat(spec.env()).isEqualTo(Map.of("A", "1"));
        assertThat(spec.inheritEnv()).containsExactly("HTTPS_PROXY");
        assertThat(spec.cwd()).isEqualTo("sub");
    }

    @ParameterizedTest
    @CsvSource({
        "'',Http",
        "',\"type\":\"http\"',Http",
        "',\"type\":\"streamable-http\"',Http",
        "',\"type\":\"streamableHttp\"',Http",
        "',\"type\":\"sse\"',Sse"
    })
    void a_server_with_a_url_is_reached_over_http(String type, String kind) {
        ServerEndpoint endpoint = endpoint(
                Reads.server("\"url\":\"https://tools.test/mcp\",\"headers\":{\"Authorization\":\"Bearer x\"}" + type));

        assertThat(endpoint.getClass().getSimpleName()).isEqualTo(kind);
        ServerEndpoint.Remote target = Objects.requireNonNull(endpoint.address());
        assertThat(target.uri()).hasToString("https://tools.test/mcp");
        assertThat(target.headers()).isEqualTo(Map.of("Authorization", "Bearer x"));
    }

    @Test
    void a_proxy_holds_for_one_server() {
        assertThat(target("\"url\":\"http://h/\"").proxy()).isNull();
        assertThat(target("\"url\":\"http://h/\",\"proxy\":\"none\"").proxy())
                .isEqualTo(new ServerEndpoint.Proxy(null));
        assertThat(target("\"url\":\"http://h/\",\"proxy\":\"http://p:3128\"").proxy())
                .isEqualTo(new ServerEndpoint.Proxy(HttpProxy.parse("http://p:3128")));
    }

    @ParameterizedTest
    @CsvSource({
        "'\"command\":\"server\"',AUTO",
        "'\"command\":\"server\",\"era\":\"legacy\"',SESSION",
        "'\"command\":\"server\",\"era\":\"auto\"',AUTO",
        "'\"url\":\"http://host/\",\"era\":\"modern\"',STATELESS",
        "'\"url\":\"http://host/\",\"type\":\"sse\"',SESSION",
        "'\"url\":\"http://host/\",\"type\":\"sse\",\"era\":\"auto\"',SESSION"
    })
    void era_is_configured_and_the_old_transport_supports_only_one(String server, EraPolicy era) {
        assertThat(Reads.server(server).eras().policy()).isEqualTo(era);
    }

    @Test
    void era_detection_has_the_timeout_of_the_file() {
        Configuration file = Reads.with("\"limits\":{\"eraProbeMs\":250}");

        assertThat(file.servers().getFirst().eras().probe()).hasMillis(250);
    }

    @Test
    void a_server_has_times_of_its_own() {
        ServerConfig server = Reads.server("\"url\":\"http://h/\",\"criticality\":\"vital\",\"timeoutMs\":1500,"
                + "\"connectTimeoutMs\":2500,\"tcpConnectTimeoutMs\":50");

        assertThat(server.isVital()).isTrue();
        assertThat(server.times())
                .isEqualTo(new ServerTimeouts(Duration.ofMillis(1500), Duration.ofMillis(2500), Duration.ofMillis(50)));
    }

    @Test
    void a_tcp_connect_takes_no_longer_than_the_whole_connect() {
        assertThat(Reads.server("\"url\":\"http://h/\",\"connectTimeoutMs\":800")
                        .times()
                        .tcpConnect())
                .hasMillis(800);
    }

    @Test
    void tools_are_filtered_and_renamed() {
        ServerConfig server = Reads.server("\"command\":\"c\",\"tools\":{\"include\":[\"get_*\",\"list\"],"
                + "\"exclude\":[\"get_admin\"],\"rename\":{\"list\":\"all\"}}");

        assertThat(server.rules().tools())
                .isEqualTo(new ToolSettings(List.of("get_*", "list"), List.of("get_admin"), Map.of("list", "all")));
    }

    @ParameterizedTest
    @CsvSource({
        "plain-1.2_X,plain-1.2_X",
        "my server,my-server",
        "a/b,a-b",
        "..,--",
        ".,--",
        "...,...",
        "ünï,-n-",
        "😀,--"
    })
    void other_characters_of_a_name_become_hyphens(String written, String id) {
        assertThat(ServerName.of(written)).isEqualTo(new ServerName(written, id));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://h/?key=s3cr3t key",
                "https://h/?key=s3cr3t%zz",
                "https://me:s3cr3t@h/",
                "ftp://h/?key=s3cr3t",
                "https:s3cr3t",
                "https://s3cr3t@me@h/",
                "://s3cr3t"
            })
    void invalid_url_is_reported_without_its_text(String url) {
        assertThat(Reads.server("\"url\":\"" + url + "\"").problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.pointer()).isEqualTo("/mcpServers/one/url");
                    assertThat(problem.message()).startsWith("cannot be used: ").doesNotContain("s3cr3t");
                });
    }

    @Test
    void a_file_of_authorities_is_looked_for_beside_the_configuration(@TempDir Path folder) throws Exception {
        byte[] text = "{\"mcpServers\":{\"one\":{\"url\":\"https://h/\",\"ca\":\"certificates/company.pem\"}}}"
                .getBytes(UTF_8);
        Path file = Files.write(folder.resolve("fusebox.json"), text);

        Configuration read =
                Reads.usable(new FileReader(new HostEnvironment(Map.of()), file, Overrides.NONE).read(text));

        assertThat(read.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message())
                        .isEqualTo(
                                "cannot be used: " + folder.resolve("certificates/company.pem") + " does not exist"));
    }

    @Test
    void a_file_of_authorities_without_certificates_is_refused(@TempDir Path folder) throws Exception {
        Path pem = Files.writeString(folder.resolve("empty.pem"), "nothing\n");
        byte[] text = "{\"mcpServers\":{\"one\":{\"url\":\"https://h/\",\"ca\":\"empty.pem\"}}}".getBytes(UTF_8);
        Path file = Files.write(folder.resolve("fusebox.json"), text);

        Configuration read =
                Reads.usable(new FileReader(new HostEnvironment(Map.of()), file, Overrides.NONE).read(text));

        assertThat(read.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("cannot be used: " + pem));
    }

    @Test
    void no_text_of_a_server_config_shows_a_secret() {
        ServerConfig server = Reads.server(
                "\"url\":\"https://${HOST}/?key=${TOKEN}\"," + "\"headers\":{\"Authorization\":\"Bearer ${TOKEN}\"}");

        assertThat(target("\"url\":\"https://${HOST}/?key=${TOKEN}\"").uri())
                .isEqualTo(URI.create("https://tools.test/?key=s3cr3t-value"));
        assertThat(server.toString()).doesNotContain("s3cr3t");
    }

    @Test
    void command_line_or_address_in_command_is_reported_with_the_correct_members() {
        assertThat(Reads.verdict("{\"mcpServers\":{\"a\":{\"command\":\"npx -y '@a/b c'\",\"args\":[\"${X}\"]}}}"))
                .first()
                .asString()
                .contains("/mcpServers/a/command is a whole command line;")
                .endsWith("\"command\": \"npx\", \"args\": [\"-y\", \"@a/b c\", \"${X}\"]");
        assertThat(Reads.verdict("{\"mcpServers\":{\"a\":{\"command\":\"https://host/mcp\"}}}"))
                .first()
                .asString()
                .endsWith("is a URL; write it as \"url\" instead of \"command\"");
        assertThat(Reads.verdict("{\"mcpServers\":{\"a\":{\"command\":\"/opt/My App/run\"}}}"))
                .containsExactly("usable: a ready");
    }
}
