package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The transports that URLs name, and what they cannot be combined with.
class ServerTransportTest {
    private static ServerEndpoint endpoint(String members) {
        return switch (Reads.server(members).state()) {
            case ServerState.Ready(ServerEndpoint endpoint) -> endpoint;
            case ServerState other -> throw new AssertionError(other);
        };
    }

    private static List<String> problems(String members) {
        return Reads.server(members).problems().stream()
                .map(problem -> problem.pointer() + " " + problem.message())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "ws://h:81/mcp,'',http://h:81/mcp",
        "WSS://h/mcp?key=1,'',https://h/mcp?key=1",
        "wss://h/,',\"type\":\"websocket\"',https://h/",
        "ws://h,',\"type\":\"ws\"',http://h"
    })
    void websocket_is_opened_by_a_request_of_http(String url, String more, String request) {
        ServerEndpoint endpoint =
                endpoint("\"url\":\"" + url + "\",\"headers\":{\"Authorization\":\"Bearer x\"}" + more);

        assertThat(endpoint).isInstanceOf(ServerEndpoint.WebSocket.class);
        ServerEndpoint.Remote remote = Objects.requireNonNull(endpoint.address());
        assertThat(remote.uri()).hasToString(request);
        assertThat(remote.headers()).containsEntry("Authorization", "Bearer x");
        assertThat(String.valueOf(endpoint.url())).isEqualTo(request.replaceFirst("http", "ws"));
    }

    @Test
    void tcp_has_a_host_and_a_port() {
        assertThat(endpoint("\"url\":\"tcp://tools.test:9000\""))
                .isEqualTo(new ServerEndpoint.Tcp(URI.create("tcp://tools.test:9000"), List.of()));
        assertThat(endpoint("\"url\":\"TCP://[::1]:9000/\"").url()).hasToString("tcp://[::1]:9000");
        assertThat(endpoint("\"url\":\"tcp://${HOST}:9000\"").url()).hasToString("tcp://tools.test:9000");
    }

    @ParameterizedTest
    @CsvSource({"unix:/run/x.sock,/run/x.sock", "unix:///run/x.sock,/run/x.sock", "unix:/run/a%20b%23,/run/a b#"})
    void unix_socket_has_an_absolute_path(String url, String path) {
        ServerEndpoint endpoint = endpoint("\"url\":\"" + url + "\"");

        assertThat(endpoint).isEqualTo(new ServerEndpoint.Unix(Path.of(path), List.of()));
        assertThat(Path.of(Objects.requireNonNull(endpoint.url()).getPath())).isEqualTo(Path.of(path));
    }

    @ParameterizedTest
    @CsvSource({
        "ws://h/#part,a WebSocket URL has no fragment",
        "ws:///mcp,must be ws:// or wss://",
        "wss://me:s3cr3t@h/,must be ws:// or wss://",
        "tcp://h,has no port",
        "tcp://h:0,has no port from 1 to 65535",
        "tcp://h:70000,has no port from 1 to 65535",
        "tcp://h:1/path,must be tcp://host:port",
        "tcp://h:1?key=s3cr3t,must be tcp://host:port",
        "tcp://me@h:1,must be tcp://host:port",
        "tcp:9000,must be tcp://host:port",
        "unix:run/x.sock,with an absolute path",
        "unix://run/x.sock,with an absolute path",
        "unix:/run/x?key=s3cr3t,no query and no fragment",
        "ftp://h/,must begin with"
    })
    void unusable_url_is_reported_with_the_reason(String url, String reason) {
        assertThat(problems("\"url\":\"" + url + "\""))
                .singleElement()
                .asString()
                .startsWith("/mcpServers/one/url cannot be used: ")
                .contains(reason)
                .doesNotContain("s3cr3t");
    }

    @Test
    void path_that_is_too_long_for_a_socket_is_reported() {
        assertThat(problems("\"url\":\"unix:/" + "x".repeat(106) + "\"")).isEmpty();
        assertThat(problems("\"url\":\"unix:/" + "x".repeat(107) + "\""))
                .singleElement()
                .asString()
                .contains("107 bytes at most");
    }

    @ParameterizedTest
    @CsvSource({
        "http://h/,websocket,must be http or sse",
        "ws://h/,http,must be websocket",
        "ws://h/,sse,must be websocket",
        "ws://h/,stdio,must be websocket",
        "tcp://h:1,http,has no effect for a tcp: or unix: url",
        "unix:/x,websocket,has no effect for a tcp: or unix: url"
    })
    void type_has_to_fit_the_url(String url, String type, String reason) {
        assertThat(problems("\"url\":\"" + url + "\",\"type\":\"" + type + "\""))
                .singleElement()
                .asString()
                .startsWith("/mcpServers/one/type ")
                .contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "headers|{\"A\":\"b\"}",
                "oauth|false",
                "headersHelper|[\"program\"]",
                "proxy|\"none\"",
                "ca|\"c.pem\""
            })
    void keys_of_requests_have_no_effect_on_a_plain_connection(String key, String value) {
        for (String url : List.of("tcp://h:1", "unix:/x")) {
            assertThat(problems("\"url\":\"" + url + "\",\"" + key + "\":" + value))
                    .containsExactly("/mcpServers/one/" + key + " has no effect for a tcp: or unix: url; remove it");
        }
    }

    @Test
    void proxies_and_authorities_apply_to_websockets_as_to_http() {
        assertThat(problems("\"url\":\"ws://h/\",\"ca\":\"c.pem\""))
                .containsExactly("/mcpServers/one/ca has no effect: the url is not https or wss");
        assertThat(problems("\"url\":\"wss://localhost/\",\"proxy\":\"http://p:1\""))
                .singleElement()
                .asString()
                .contains("a server on this machine is never reached through a proxy");
    }
}
