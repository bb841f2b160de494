package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.fixtures.server.SocketServer;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the commands show of servers over WebSocket, TCP and Unix sockets.
///
/// Over five seconds: the doctor measures three servers, and the first use of all its checks takes seconds on a busy
/// machine.
@Tag("process")
@Timeout(300)
class SocketCommandsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path home;

    private Platform platform;

    @BeforeEach
    void open() {
        platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home.toString()));
    }

    private void configure(String text) throws IOException {
        Files.writeString(home.resolve("config.json"), text);
    }

    private CommandOutput output() {
        return new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
    }

    private String out() {
        return out.toString(UTF_8);
    }

    @Test
    void config_check_names_the_transports() throws Exception {
        configure("{\"mcpServers\": {\"a\": {\"url\": \"wss://h.test/mcp\"}, \"b\": {\"url\": \"tcp://h.test:1\"},"
                + " \"c\": {\"url\": \"unix:/x\"}}}");

        assertThat(new ConfigCommand(platform).run(List.of("check"), output())).isEqualTo(ExitStatus.DONE);
        assertThat(out())
                .contains("  a  configured, WebSocket", "  b  configured, TCP", "  c  configured, Unix socket");
        out.reset();
        assertThat(new ConfigCommand(platform).run(List.of("check", "--json"), output()))
                .isEqualTo(ExitStatus.DONE);
        assertThat(out()).contains("\"transport\":\"websocket\"", "\"transport\":\"tcp\"", "\"transport\":\"unix\"");
    }

    @Test
    void doctor_checks_servers_that_work() throws Exception {
        ServerScript script = ServerScript.faultless();
        try (SocketServer web = SocketServer.webSocket(script);
                SocketServer tcp = SocketServer.tcp(script);
                SocketServer unix = SocketServer.unix(script, home.resolve("s"))) {
            configure("{\"mcpServers\": {\"a\": {\"url\": \"" + web.url() + "\", \"oauth\": false}, \"b\": {\"url\": \""
                    + tcp.url() + "\"}, \"c\": {\"url\": \"" + unix.url() + "\"}}}");

            new DoctorCommand(platform).run(List.of("--json"), output());
            assertThat(out()).doesNotContain("\"severity\":\"fail\"");
            assertThat(out().split("ping answered in", -1)).as(out()).hasSize(4);
        }
    }

    @Test
    void doctor_names_the_address_of_a_server_that_is_gone() throws Exception {
        configure("{\"mcpServers\": {\"a\": {\"url\": \"ws://127.0.0.1:1/mcp\", \"oauth\": false}, \"b\": {\"url\":"
                + " \"tcp://127.0.0.1:1\"}, \"c\": {\"url\": \"unix:" + home.resolve("gone") + "\"}}}");

        assertThat(new DoctorCommand(platform).run(List.of(), output())).isEqualTo(ExitStatus.FAILED);
        assertThat(out())
                .contains(
                        "Server unreachable: ws://127.0.0.1:1",
                        "start the server there, or correct the port of \"url\" (ws://127.0.0.1:1)",
                        "Server unreachable: tcp://127.0.0.1:1",
                        "start the server there, or correct the port of \"url\" (tcp://127.0.0.1:1)",
                        "Server unreachable: unix:" + home.resolve("gone"),
                        "[connect-failed]");
    }

    @Test
    void login_of_a_server_without_requests_says_why_there_is_none() throws Exception {
        configure("{\"mcpServers\": {\"b\": {\"url\": \"tcp://127.0.0.1:1\"}}}");

        assertThat(LoginCommand.run(platform, InputStream.nullInputStream(), List.of("b"), output()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString(UTF_8)).contains("b is a server over TCP or a Unix socket", "there is no login");
    }
}
