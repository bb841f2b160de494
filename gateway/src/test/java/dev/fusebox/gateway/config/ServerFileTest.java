package dev.fusebox.gateway.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.gateway.config.ServerFile.Server;
import dev.fusebox.gateway.served.EraPolicy;
import dev.fusebox.protocol.JsonFault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The one server of a configuration file.
class ServerFileTest {
    private static ServerFile parse(byte[] text) throws JsonFault, ServerFile.Problem {
        return ServerFile.parse(text, Path.of(""));
    }

    private static ServerFile read(String server) throws JsonFault, ServerFile.Problem {
        return parse(("{\"mcpServers\":{\"one\":" + server + "}}").getBytes(UTF_8));
    }

    @Test
    void a_server_with_a_command_is_a_process() throws Exception {
        ServerFile file = read("{\"type\":\"stdio\",\"command\":\"server\",\"args\":[\"-v\"]}");

        assertThat(file.name()).isEqualTo("one");
        assertThat(file.server()).isInstanceOf(Server.Stdio.class);
    }

    @ParameterizedTest
    @CsvSource({
        "'',Http",
        "',\"type\":\"http\"',Http",
        "',\"type\":\"streamable-http\"',Http",
        "',\"type\":\"sse\"',Sse"
    })
    void a_server_with_a_url_is_reached_over_http(String type, String kind) throws Exception {
        Server server = read("{\"url\":\"https://tools.test/mcp\",\"headers\":{\"Authorization\":\"Bearer x\"}" + type
                        + "}")
                .server();

        assertThat(server.getClass().getSimpleName()).isEqualTo(kind);
        HttpTarget target = switch (server) {
            case Server.Http(HttpTarget http) -> http;
            case Server.Sse(HttpTarget sse) -> sse;
            case Server.Stdio stdio -> throw new AssertionError(stdio);
        };
        assertThat(target.uri()).hasToString("https://tools.test/mcp");
        assertThat(target.headers()).isEqualTo(Map.of("Authorization", "Bearer x"));
        assertThat(target.isForeign()).isFalse();
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
    void a_server_says_its_era_and_the_old_transport_has_but_one(String server, EraPolicy era) throws Exception {
        assertThat(read("{" + server + "}").eras().policy()).isEqualTo(era);
    }

    @Test
    void finding_out_the_era_takes_as_long_as_the_file_says() throws Exception {
        String servers = "\"mcpServers\":{\"one\":{\"command\":\"server\"}}";

        assertThat(parse(("{" + servers + "}").getBytes(UTF_8)).eras().probe()).hasSeconds(3);
        assertThat(parse(("{" + servers + ",\"limits\":{\"eraProbeMs\":250}}").getBytes(UTF_8))
                        .eras()
                        .probe())
                .hasMillis(250);
    }

    /// The pointer, and what is wrong there.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{\"command\":\"s\",\"era\":\"old\"}' | /mcpServers/one/era is \"old\"; it must be legacy, auto or"
                        + " modern",
                "'{\"command\":\"s\",\"era\":7}' | /mcpServers/one/era is not a string",
                "'{\"url\":\"http://h/\",\"type\":\"sse\",\"era\":\"modern\"}' | /mcpServers/one/era is \"modern\"",
                "'{\"command\":\"s\",\"args\":[\"a\",7]}' | /mcpServers/one/args/1 is not a string",
                "'{\"command\":\"s\",\"env\":{\"a/b\":7}}' | /mcpServers/one/env/a~1b is not a string",
                "'{\"command\":\"s\",\"command\":\"t\"}' | /mcpServers/one/command stands twice",
                "'{\"url\":\"ftp://h/\"}' | /mcpServers/one/url cannot be used",
                "'{\"url\":\"http://h/\",\"headers\":{\"Host\":\"x\"}}' | /mcpServers/one/headers cannot",
                "'{\"url\":\"http://h/\",\"cwd\":\".\"}' | /mcpServers/one/cwd is not known yet for a server with a"
                        + " url",
                "'{\"url\":\"http://h/\",\"proxy\":\"http://p:99999\"}' | /mcpServers/one/proxy cannot",
                "'{\"url\":\"http://localhost/\",\"proxy\":\"none\"}' | /mcpServers/one/proxy has no meaning",
                "'{\"url\":\"https://h/\",\"ca\":\"none.pem\"}' | /mcpServers/one/ca cannot be used",
                "'{\"url\":\"http://h/\",\"ca\":\"none.pem\"}' | /mcpServers/one/ca has no"
                        + " meaning: the url is not https",
                "'{\"command\":\"s\",\"ca\":\"a.pem\"}' | /mcpServers/one/ca is not known yet",
                "'[]' | /mcpServers/one is not an object"
            })
    void what_is_wrong_is_told_with_its_json_pointer(String server, String message) {
        assertThatThrownBy(() -> read(server))
                .isInstanceOf(ServerFile.Problem.class)
                .hasMessageStartingWith(message);
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
    void a_url_that_cannot_be_used_is_told_without_its_text(String url) {
        assertThatThrownBy(() -> read("{\"url\":\"" + url + "\"}"))
                .isInstanceOf(ServerFile.Problem.class)
                .hasMessageStartingWith("/mcpServers/one/url cannot be used: ")
                .hasMessageNotContaining("s3cr3t");
    }

    @Test
    void a_file_of_authorities_is_looked_for_beside_the_configuration(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("fusebox.json"),
                "{\"mcpServers\":{\"one\":{\"url\":\"https://h/\",\"ca\":\"certificates/company.pem\"}}}");
        Path authorities = folder.resolve("certificates/company.pem");

        assertThatThrownBy(() -> ServerFile.read(file))
                .isInstanceOf(ServerFile.Problem.class)
                .hasMessageContaining("/mcpServers/one/ca cannot be used: " + authorities + " does not exist");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"limits\":{\"eraProbeMs\":0}' | /limits/eraProbeMs is not a whole number from 1 to 60000",
                "'\"limits\":{\"eraProbeMs\":60001}' | /limits/eraProbeMs is not a whole number",
                "'\"limits\":{\"eraProbeMs\":1.5}' | /limits/eraProbeMs is not a whole number",
                "'\"limits\":{\"eraProbeMs\":\"3000\"}' | /limits/eraProbeMs is not a whole number",
                "'\"limits\":{\"eraProbeMs\":99999999999999999999}' | /limits/eraProbeMs is not a whole number",
                "'\"limits\":{\"depth\":12}' | /limits/depth is not known yet",
                "'\"limits\":3000' | /limits is not an object",
                "'\"mcpServer\":{}' | /mcpServer is not known yet"
            })
    void what_is_wrong_beside_the_servers_is_told_too(String member, String message) {
        String file = "{\"mcpServers\":{\"one\":{\"command\":\"server\"}}," + member + "}";

        assertThatThrownBy(() -> parse(file.getBytes(UTF_8)))
                .isInstanceOf(ServerFile.Problem.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"url\":7}",
                "{\"url\":\"ftp://host/\"}",
                "{\"url\":\"not an address\"}",
                "{\"url\":\"http://host/\",\"type\":\"stdio\"}",
                "{\"url\":\"http://host/\",\"type\":\"smoke\"}",
                "{\"url\":\"http://host/\",\"command\":\"server\"}",
                "{\"url\":\"http://host/\",\"headers\":{\"Host\":\"other\"}}",
                "{\"url\":\"http://host/\",\"headers\":{\"X\":\"a\\r\\nY: b\"}}",
                "{\"command\":\"server\",\"type\":\"http\"}",
                "{\"command\":\"server\",\"headers\":{}}"
            })
    void what_cannot_be_meant_is_refused_with_its_place(String server) {
        assertThatThrownBy(() -> read(server))
                .isInstanceOf(ServerFile.Problem.class)
                .hasMessageContaining("/mcpServers/one");
    }
}
