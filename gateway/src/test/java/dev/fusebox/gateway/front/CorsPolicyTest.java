package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.ServerScript;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a browser requires before it lets a page of an allowed origin call the gateway and read the responses.
@Timeout(60)
class CorsPolicyTest {
    private static final String PAGE = "https://app.example";
    private static final String FROM_PAGE = "Origin: " + PAGE + "\r\n";
    private static final String ASKS = "Access-Control-Request-Method: POST\r\n";

    private WebGateway gateway;

    @BeforeEach
    void open() {
        gateway = WebGateway.of(PAGE, Servers.scripted(ServerScript.faultless()));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private WebClient.Answer preflight(String path, String more) throws IOException {
        try (WebClient client = gateway.connect().at(path)) {
            return client.ask("OPTIONS", more);
        }
    }

    private static String header(WebClient.Answer answer, String name) {
        return Objects.requireNonNull(answer.headers().get(name), name);
    }

    private static List<String> listed(WebClient.Answer answer, String header) {
        return Arrays.stream(header(answer, header).split(",", -1))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"/mcp | POST, GET, DELETE", "/sse | GET", "/messages | POST", "/api/v1/servers | GET"})
    void preflight_is_answered_on_every_path(String path, String methods) throws IOException {
        WebClient.Answer answer = preflight(path, FROM_PAGE + ASKS);
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.headers())
                .containsEntry("access-control-allow-origin", PAGE)
                .containsEntry("access-control-allow-methods", methods)
                .containsEntry("vary", "Origin")
                .containsKey("access-control-max-age")
                .doesNotContainKeys("access-control-allow-credentials", "access-control-allow-private-network");
        assertThat(listed(answer, "access-control-allow-headers"))
                .contains("content-type", "accept", "authorization", "mcp-session-id", "mcp-protocol-version")
                .contains("mcp-method", "mcp-name", "last-event-id");
    }

    @Test
    void preflight_allows_tool_argument_headers_and_no_others() throws IOException {
        String wanted =
                "Access-Control-Request-Headers: content-type,mcp-param-region, X-Forwarded-For,mcp-param-\u00e4\r\n";
        assertThat(listed(preflight("/mcp", FROM_PAGE + ASKS + wanted), "access-control-allow-headers"))
                .contains("mcp-param-region")
                .noneMatch(name -> name.startsWith("x-") || name.contains("\u00e4"));
    }

    @Test
    void preflight_allows_private_network_access() throws IOException {
        String asks = FROM_PAGE + ASKS + "Access-Control-Request-Private-Network: true\r\n";
        assertThat(preflight("/mcp", asks).headers()).containsEntry("access-control-allow-private-network", "true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://app.example",
                "https://app.example:444",
                "https://app.example.evil.example",
                "http://localhost:1",
                "http://localhost",
                "null"
            })
    void foreign_origin_gets_neither_preflight_nor_response(String origin) throws IOException {
        WebClient.Answer refused = preflight("/mcp", "Origin: " + origin + "\r\n" + ASKS);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
        try (WebClient client = gateway.connect()) {
            byte[] hello = Frame.hello("0").getBytes(UTF_8);
            WebClient.Answer answer = client.post(hello, "Origin: " + origin + "\r\n");
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
        }
        assertThat(gateway.sessions()).isZero();
    }

    private static void assertReadable(Map<String, String> headers, String origin) {
        assertThat(headers)
                .containsEntry("access-control-allow-origin", origin)
                .containsEntry("access-control-expose-headers", CorsPolicy.EXPOSED)
                .containsEntry("vary", "Origin");
    }

    @Test
    void web_page_uses_a_session_and_reads_responses_and_streams() throws IOException {
        try (WebClient page = gateway.connect()) {
            WebClient.Answer hello = page.post(Frame.hello("0").getBytes(UTF_8), FROM_PAGE);
            assertReadable(hello.headers(), PAGE);
            page.in(header(hello, "mcp-session-id"));
            assertReadable(
                    page.post(Frame.INITIALIZED.getBytes(UTF_8), FROM_PAGE).headers(), PAGE);
            WebClient.Answer echo = page.post(Frame.echo("1", "hi").getBytes(UTF_8), FROM_PAGE);
            assertReadable(echo.headers(), PAGE);
            assertThat(echo.body()).contains("hi");
            assertReadable(page.ask("DELETE", FROM_PAGE).headers(), PAGE);
        }
    }

    @Test
    void modern_web_page_reads_responses_and_errors() throws IOException {
        try (WebClient page = gateway.connect().stateless("echo")) {
            byte[] call =
                    Frame.statelessCall("1", "", "echo", "{\"text\":\"hi\"}").getBytes(UTF_8);
            WebClient.Answer echo = page.post(call, FROM_PAGE);
            assertThat(echo.status()).as(echo.body()).isEqualTo(200);
            assertReadable(echo.headers(), PAGE);
            WebClient.Answer refused = page.post("{".getBytes(UTF_8), FROM_PAGE);
            assertThat(refused.status()).isEqualTo(400);
            assertReadable(refused.headers(), PAGE);
        }
    }

    @Test
    void web_page_reads_the_stream_of_the_older_transport() throws IOException {
        try (WebClient page = gateway.connect().at("/sse").accepting("text/event-stream")) {
            page.send("GET", FROM_PAGE);
            assertReadable(page.head().headers(), PAGE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "413 | POST /mcp HTTP/1.1 | Content-Length: 4194305",
                "413 | POST /mcp HTTP/1.1 | Transfer-Encoding: chunked",
                "417 | POST /mcp HTTP/1.1 | Expect: more",
                "501 | POST /mcp HTTP/1.1 | Transfer-Encoding: gzip",
                "403 | GET /mcp HTTP/1.1  | Host: elsewhere"
            })
    void web_page_reads_error_responses(int status, String line, String header) throws IOException {
        WebClient.Answer refused = refusal(line, header, PAGE);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.headers()).containsEntry("access-control-allow-origin", PAGE);
        assertThat(refused.headers()).containsEntry("vary", "Origin");
        assertThat(refused.body()).isNotBlank();
        if (status == 413) {
            assertThat(Frame.read(refused.body()).path("error", "code")).hasToString("-32600");
        }
    }

    @Test
    void foreign_origin_reads_no_error_response() throws IOException {
        WebClient.Answer refused = refusal("POST /mcp HTTP/1.1", "Content-Length: 4194305", "https://other.example");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    private WebClient.Answer refusal(String line, String header, String origin) throws IOException {
        String host = header.startsWith("Host: ") ? "" : "Host: localhost:" + gateway.port() + "\r\n";
        String body = header.endsWith("chunked") ? "400001\r\n" : "";
        try (WebClient client = gateway.connect()) {
            client.raw(line + "\r\n" + host + header + "\r\nOrigin: " + origin + "\r\n\r\n" + body);
            return client.answer();
        }
    }

    @Test
    void own_origin_is_allowed_under_each_host_name() throws IOException {
        for (String name : List.of("localhost", "127.0.0.1", "[::1]")) {
            try (WebClient page = gateway.connect()) {
                String own = "http://" + name + ":" + gateway.port();
                WebClient.Answer hello = page.post(Frame.hello("0").getBytes(UTF_8), "Origin: " + own + "\r\n");
                assertThat(hello.status()).isEqualTo(200);
                assertReadable(hello.headers(), own);
            }
        }
    }

    @Test
    void clients_without_origin_get_no_cors_headers() throws IOException {
        try (WebClient client = gateway.connect()) {
            assertThat(client.post(Frame.hello("0")).headers().keySet())
                    .noneMatch(name -> name.startsWith("access-control") || name.equals("vary"));
            assertThat(client.ask("OPTIONS", ASKS).status()).isEqualTo(405);
        }
    }
}
