package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.fixtures.server.SocketServer;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.InputStream;
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
    private final CapturedOutput output = new CapturedOutput();

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

    @Test
    void config_check_names_the_transports() throws Exception {
        configure("{\"mcpServers\": {\"a\": {\"url\": \"wss://h.test/mcp\"}, \"b\": {\"url\": \"tcp://h.test:1\"},"
                + " \"c\": {\"url\": \"unix:/x\"}}}");

        assertThat(new ConfigCommand(platform).run(List.of("check"), output.next()))
                .isEqualTo(ExitStatus.DONE);
        assertThat(output.out())
                .contains("  a  configured, WebSocket", "  b  configured, TCP", "  c  configured, Unix socket");
        assertThat(new ConfigCommand(platform).run(List.of("check", "--json"), output.next()))
                .isEqualTo(ExitStatus.DONE);
        assertThat(output.out())
                .contains("\"transport\":\"websocket\"", "\"transport\":\"tcp\"", "\"transport\":\"unix\"");
    }

    @Test
    void doctor_checks_servers_that_work() throws Exception {
        ServerScript script = ServerScript.faultless();
        try (SocketServer web = SocketServer.webSocket(script);
                SocketServer tcp = SocketServer.tcp(script);
                SocketServer unix = SocketServer.unix(script, home.resolve("s"))) {
            configure("{\"mcpServers\": {\"a\": {\"url\": \"" + web.url() + "\", \"oauth\": false}, \"b\": {\"url\": \""
                    + tcp.url() + "\"}, \"c\": {\"url\": \"" + unix.url() + "\"}}}");

            new DoctorCommand(platform).run(List.of("--json"), output.next());
            assertThat(output.out()).doesNotContain("\"severity\":\"fail\"");
            assertThat(output.out().split("ping answered in", -1))
                    .as(output.out())
                    .hasSize(4);
        }
    }

    @Test
    void doctor_names_the_address_of_a_server_that_is_gone() throws Exception {
        configure("{\"mcpServers\": {\"a\": {\"url\": \"ws://127.0.0.1:1/mcp\", \"oauth\": false}, \"b\": {\"url\":"
                + " \"tcp://127.0.0.1:1\"}, \"c\": {\"url\": \"unix:" + home.resolve("gone") + "\"}}}");

        assertThat(new DoctorCommand(platform).run(List.of(), output.next())).isEqualTo(ExitStatus.FAILED);
        assertThat(output.out())
                .contains(
                        "Server unreachable: ws://127.0.0.1:1",
                        "start the server there, or correct the port of \"url\" (ws://127.0.0.1:1)",
                        "Server unreachable: tcp://127.0.0.1:1",
                        "start the server there, or correct the port of \"url\" (tcp://127.0.0.1:1)",
                        "Server unreachable: unix:" + home.resolve("gone"),
                        "start the server there, or correct \"url\" (unix:" + home.resolve("gone"));
    }

    @Test
    void login_of_a_server_without_requests_says_why_there_is_none() throws Exception {
        configure("{\"mcpServers\": {\"b\": {\"url\": \"tcp://127.0.0.1:1\"}}}");

        assertThat(LoginCommand.run(platform, InputStream.nullInputStream(), List.of("b"), output.next()))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(output.err()).contains("b is a server over TCP or a Unix socket", "is no login");
    }
}
