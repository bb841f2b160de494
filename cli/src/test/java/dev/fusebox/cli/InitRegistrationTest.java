package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.Overrides;
import dev.fusebox.config.edit.ClientEntryTranslator;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.fixtures.server.FreePort;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.Gateway;
import dev.fusebox.gateway.GatewayConfig;
import dev.fusebox.gateway.GatewayOptions;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `init --profile` and `init --transport http`: how clients reach Fusebox afterwards.
@Tag("process")
@Timeout(120)
class InitRegistrationTest extends InitSteps {
    private static final String PROFILES =
            ",\"profiles\":{\"work\":{\"servers\":[\"one\"],\"tools\":{\"include\":[\"one/echo\"]}},\"all\":{}}";

    private static String server() {
        List<String> command = ScriptedServer.stdio(ServerScript.faultless());
        JsonWriter args = new JsonWriter().beginArray();
        command.stream().skip(1).forEach(args::string);
        return "{\"command\":" + JsonWriter.quoted(command.getFirst()) + ",\"args\":" + args.endArray() + "}";
    }

    private void configure(String more) {
        Disk.write(config, "{\"mcpServers\":{\"one\":" + server() + "}" + more + "}", false);
    }

    private Path token() {
        return home.path().resolve(".fusebox/run/client.token");
    }

    private String entry(ClientFile client) throws Exception {
        return Objects.requireNonNull(
                        client.servers(Files.readAllBytes(home.file(client))).get("fusebox"))
                .json();
    }

    /// The entry as Fusebox itself would read it.
    private JsonView read(ClientFile client) throws Exception {
        return JsonView.of(Objects.requireNonNull(ClientEntryTranslator.of(JsonView.of(entry(client)), client)));
    }

    @Test
    void profile_is_written_for_all_clients_and_undone() throws Exception {
        configure(PROFILES);
        home.fill();
        Map<String, String> before = home.everything();
        String mine = Disk.read(config);

        assertThat(init("--profile", "work")).isEqualTo(ExitStatus.DONE);
        assertThat(said())
                .contains("Clients start Fusebox with: " + LAUNCHER + " serve --config " + config + " --profile work")
                .contains("init --profile work --yes");
        assertThat(home.everything()).isEqualTo(before);
        assertThat(init("--profile", "work", "--yes")).as(said()).isEqualTo(ExitStatus.DONE);
        said();
        for (ClientFile client : ClientFile.values()) {
            assertThat(entry(client)).as(client.id()).contains("\"serve\"").contains("--profile", "work");
        }
        assertThat(init("--profile", "work", "--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("already uses Fusebox").doesNotContain("Restart");
        assertThat(init("--profile", "all", "--client", "cursor", "--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("replaced the Fusebox entry");

        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).isEqualTo(before);
        assertThat(Disk.read(config)).isEqualTo(mine);
    }

    @Test
    void unknown_profile_and_meaningless_options_are_rejected() {
        configure(PROFILES);
        home.fill();
        Map<String, String> before = home.everything();

        assertThat(init("--profile", "wrok", "--yes")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("unknown profile \"wrok\"; " + config + " has work, all");
        assertThat(init("--transport", "tcp", "--yes")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("invalid --transport \"tcp\": must be stdio or http");
        assertThat(init("--undo", "--profile", "work")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("--profile and --undo cannot be combined");
        configure(",\"http\":{\"port\":0}");
        assertThat(init("--transport", "http", "--yes")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains("http.port of " + config + " is 0");
        assertThat(init("--profile", "work", "--yes")).isEqualTo(ExitStatus.USAGE);
        assertThat(said()).contains(config + " has none");
        assertThat(home.everything()).isEqualTo(before);
    }

    @Test
    void clients_over_http_get_a_url_and_a_token_which_the_report_does_not_show() throws Exception {
        configure(PROFILES);
        home.fill();
        Map<String, String> before = home.everything();

        assertThat(init("--transport", "http", "--profile", "work")).isEqualTo(ExitStatus.DONE);
        assertThat(said())
                .contains("Clients connect to http://127.0.0.1:7332/mcp/p/work with the token of " + token())
                .contains("init --profile work --transport http --yes");
        assertThat(token()).doesNotExist();
        assertThat(init("--transport", "http", "--profile", "work", "--yes", "--json"))
                .isEqualTo(ExitStatus.DONE);
        String secret = Disk.read(token()).strip();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token())))
                .isEqualTo("rw-------");
        assertThat(said()).contains("/mcp/p/work", "Bearer TOKEN").doesNotContain(secret);
        for (ClientFile client : ClientFile.values()) {
            if (client == ClientFile.CLAUDE_DESKTOP) {
                assertThat(entry(client)).contains("--profile").doesNotContain(secret);
                continue;
            }
            JsonView entry = read(client);
            assertThat(entry.string("url")).as(client.id()).isEqualTo("http://127.0.0.1:7332/mcp/p/work");
            assertThat(Objects.requireNonNull(entry.member("headers")).string("Authorization"))
                    .as(client.id())
                    .isEqualTo("Bearer " + secret);
        }
        assertThat(init("--transport", "http", "--profile", "work", "--yes")).isEqualTo(ExitStatus.DONE);
        assertThat(said()).contains("already uses Fusebox").doesNotContain("Restart", secret);
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(home.everything()).isEqualTo(before);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void only_the_owner_can_read_files_with_a_token_and_their_backups() throws Exception {
        configure(PROFILES);
        Path cursor = home.write(ClientFile.CURSOR, "{\"mcpServers\":{}}");
        Files.setPosixFilePermissions(cursor, PosixFilePermissions.fromString("rw-r--r--"));
        String restricted = "only you can read the file now (mode 0600), because it contains the token";

        assertThat(init("--client", "cursor", "--client", "windsurf", "--transport", "http", "--yes"))
                .isEqualTo(ExitStatus.DONE);
        assertThat(said()).containsOnlyOnce(restricted);
        assertThat(mode(cursor)).isEqualTo("rw-------");
        assertThat(mode(home.file(ClientFile.WINDSURF))).as("created").isEqualTo("rw-------");

        Files.setPosixFilePermissions(cursor, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(init("--client", "cursor", "--profile", "work", "--transport", "http", "--yes"))
                .isEqualTo(ExitStatus.DONE);
        assertThat(said()).containsOnlyOnce(restricted);
        assertThat(mode(cursor)).isEqualTo("rw-------");
        Path backup = cursor.resolveSibling("mcp.json.before-fusebox-2");
        assertThat(backup).content().contains("Bearer");
        assertThat(mode(backup)).isEqualTo("rw-------");
        assertThat(init("--undo")).as(said()).isEqualTo(ExitStatus.DONE);
        assertThat(mode(cursor)).as("as it was").isEqualTo("rw-r--r--");
    }

    @Test
    void file_in_a_work_tree_gets_no_token() throws Exception {
        configure(PROFILES);
        Disk.make(home.path().resolve(".git"));
        home.write(ClientFile.CURSOR, "{}");

        assertThat(init("--transport", "http", "--client", "cursor", "--yes")).isEqualTo(ExitStatus.DONE);

        assertThat(said()).contains("files in work trees, start Fusebox with: ");
        assertThat(entry(ClientFile.CURSOR)).contains("\"serve\"").doesNotContain("Bearer");
    }

    private Platform ofThisHome() {
        Map<String, String> environment = new HashMap<>(Platform.system().environment());
        environment.put("HOME", home.path().toString());
        environment.remove("FUSEBOX_HOME");
        return Platform.system().withEnvironment(environment);
    }

    /// The response to a request of the modern era.
    private record Answer(int status, String challenge, String body) {}

    private static Answer tools(String url, String authorization) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Accept", "application/json, text/event-stream");
        connection.setRequestProperty("MCP-Protocol-Version", "2026-07-28");
        connection.setRequestProperty("Mcp-Method", "tools/list");
        if (!authorization.isEmpty()) {
            connection.setRequestProperty("Authorization", authorization);
        }
        String frame = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
        connection.getOutputStream().write(frame.getBytes(UTF_8));
        int status = connection.getResponseCode();
        InputStream body = status < 400 ? connection.getInputStream() : connection.getErrorStream();
        String challenge = String.valueOf(connection.getHeaderField("WWW-Authenticate"));
        return new Answer(status, challenge, new String(body.readAllBytes(), UTF_8));
    }

    @Test
    @Shows({"http.auth", "httpAuth.mode"})
    void what_init_writes_opens_a_gateway_that_requires_a_token() throws Exception {
        String needed = "{\"port\":" + FreePort.next() + ",\"auth\":{\"mode\":\"token\"}}";
        configure(",\"expose\":\"proxy\",\"http\":" + needed + PROFILES);
        home.write(ClientFile.CURSOR, "{}");
        assertThat(init("--transport", "http", "--profile", "work", "--client", "cursor", "--yes"))
                .as(said())
                .isEqualTo(ExitStatus.DONE);
        JsonView entry = read(ClientFile.CURSOR);
        String url = Objects.requireNonNull(entry.string("url"));
        String authorization = Objects.requireNonNull(
                Objects.requireNonNull(entry.member("headers")).string("Authorization"));

        GatewayOptions options = GatewayOptions.defaults().withPlatform(ofThisHome());
        GatewayConfig read = GatewayConfig.read(ofThisHome(), config, Overrides.NONE);
        try (Gateway gateway = Gateway.start(read, options)) {
            assertThat(tools(url, authorization).body()).contains("one__echo").doesNotContain("one__add");
            String all = gateway.address().toString();
            assertThat(tools(all, authorization).body()).contains("one__echo", "one__add");
            for (String wrong : List.of("", "Bearer wrong", authorization + "x", "Basic eDp5")) {
                for (String path : List.of(url, all, all.replace("/mcp", "/sse"), all.replace("/mcp", "/messages"))) {
                    Answer refused = tools(path, wrong);
                    assertThat(refused.status()).as(path).isEqualTo(401);
                    assertThat(refused.challenge()).isEqualTo("Bearer");
                    assertThat(refused.body()).contains("init --transport http").doesNotContain("echo");
                }
            }
        }
        configure(",\"expose\":\"proxy\",\"http\":" + needed.replace("token", "none") + PROFILES);
        GatewayConfig open = GatewayConfig.read(ofThisHome(), config, Overrides.NONE);
        try (Gateway _ = Gateway.start(open, options)) {
            assertThat(tools(url, "").body()).contains("one__echo");
        }
    }
}
