package dev.fusebox.gateway.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.gateway.config.ServerFile.Server;
import dev.fusebox.protocol.JsonFault;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The one server of a configuration file.
class ServerFileTest {
    private static ServerFile read(String server) throws JsonFault, ServerFile.Problem {
        return ServerFile.parse(("{\"mcpServers\":{\"one\":" + server + "}}").getBytes(UTF_8));
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
