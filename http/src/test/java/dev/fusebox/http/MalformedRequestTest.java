package dev.fusebox.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of rejected requests, each with its status. After each the connection is closed, the handler has not been
/// called for it nor for a request smuggled behind it, and a valid request on a new connection works.
@Timeout(60)
class MalformedRequestTest {
    private static final List<String> HANDLED = new ArrayList<>();
    private static @Nullable HttpServer opened;

    @BeforeAll
    static void openServer() throws IOException {
        opened = HttpServer.open(
                HttpSettings.loopback(0),
                (request, reply) -> {
                    synchronized (HANDLED) {
                        HANDLED.add(request.path());
                    }
                    reply.respond(200, HttpHeaders.none(), request.body());
                },
                Platform.system());
    }

    @AfterAll
    static void closeServer() {
        if (opened != null) {
            opened.close();
        }
    }

    @AfterEach
    void forgetHandled() {
        synchronized (HANDLED) {
            HANDLED.clear();
        }
    }

    /// `@` stands for the right authority, and a bar for a line end.
    static Stream<Arguments> requests() {
        return Stream.of(requestLines(), targets(), headerLines(), hostsAndOrigins(), lengths(), chunks(), limits())
                .flatMap(it -> it);
    }

    private static Arguments row(String name, int status, String request) {
        return Arguments.of(name, status, request);
    }

    private static Stream<Arguments> requestLines() {
        return Stream.of(
                row("empty line in server", 400, "|GET / HTTP/1.1|Host: @||"),
                row("blank in server", 400, " GET / HTTP/1.1|Host: @||"),
                row("two blanks after the method", 400, "GET  / HTTP/1.1|Host: @||"),
                row("two blanks before the version", 400, "GET /  HTTP/1.1|Host: @||"),
                row("blank behind", 400, "GET / HTTP/1.1 |Host: @||"),
                row("tab for a blank", 400, "GET\t/ HTTP/1.1|Host: @||"),
                row("tab in the target", 400, "GET /a\tb HTTP/1.1|Host: @||"),
                row("vertical tab", 400, "GET\u000b/ HTTP/1.1|Host: @||"),
                row("no version", 400, "GET /|Host: @||"),
                row("version alone", 400, "HTTP/1.1|Host: @||"),
                row("version in small letters", 400, "GET / http/1.1|Host: @||"),
                row("version with three digits", 400, "GET / HTTP/1.10|Host: @||"),
                row("version with a sign", 400, "GET / HTTP/+1.1|Host: @||"),
                row("version 9.9", 505, "GET / HTTP/9.9|Host: @||"),
                row("version 1.2", 505, "GET / HTTP/1.2|Host: @||"),
                row("version 0.9", 505, "GET / HTTP/0.9|Host: @||"),
                row("preface of HTTP/2", 505, "PRI * HTTP/2.0||SM||"),
                row("method in small letters", 501, "get / HTTP/1.1|Host: @||"),
                row("unknown method", 501, "BREW / HTTP/1.1|Host: @||"),
                row("CONNECT", 501, "CONNECT @ HTTP/1.1|Host: @||"),
                row("TRACE", 501, "TRACE / HTTP/1.1|Host: @||"),
                row("method that is not a token", 400, "G(T / HTTP/1.1|Host: @||"),
                row("bare LF", 400, "GET / HTTP/1.1\nHost: @\n\n"),
                row("bare CR", 400, "GET / HTTP/1.1\rHost: @\r\r"),
                row("CR CR LF", 400, "GET / HTTP/1.1\r|Host: @||"),
                row("NUL", 400, "GET /\0 HTTP/1.1|Host: @||"),
                row("TLS client hello", 400, "\u0016\u0003\u0001\u0002\u0000\u0001"));
    }

    private static Stream<Arguments> targets() {
        return Stream.of(
                        "http://@/",
                        "@",
                        "*",
                        "a",
                        "//a",
                        "/a//b",
                        "/../a",
                        "/a/..",
                        "/./a",
                        "/a/%2e%2E/b",
                        "/%2e",
                        "/a%2fb",
                        "/a%5Cb",
                        "/a%00b",
                        "/a%0d%0aX:y",
                        "/a%7f",
                        "/a%25b",
                        "/a%",
                        "/a%4",
                        "/a%zz",
                        "/%c3",
                        "/%c0%af",
                        "/a\\b",
                        "/a#b",
                        "/a\"b",
                        "/a<b",
                        "/a{b",
                        "/a^b",
                        "/\u00fc",
                        "/?a\"b",
                        "/?#")
                .map(target -> row("target " + target, 400, "GET " + target + " HTTP/1.1|Host: @||"));
    }

    private static Stream<Arguments> headerLines() {
        return Stream.of(
                row("blank before the colon", 400, "GET / HTTP/1.1|Host : @||"),
                row("folded line", 400, "GET / HTTP/1.1|Host: @|X: a| b||"),
                row("folded line with a tab", 400, "GET / HTTP/1.1|Host: @|X: a|\tb||"),
                row("folded first line", 400, "GET / HTTP/1.1| Host: @||"),
                row("no colon", 400, "GET / HTTP/1.1|Host: @|X||"),
                row("no name", 400, "GET / HTTP/1.1|Host: @|: x||"),
                row("name that is not a token", 400, "GET / HTTP/1.1|Host: @|a(b): x||"),
                row("name with a byte above 127", 400, "GET / HTTP/1.1|Host: @|\u00e4: x||"),
                row("NUL in a value", 400, "GET / HTTP/1.1|Host: @|X: a\0b||"),
                row("bare CR in a value", 400, "GET / HTTP/1.1|Host: @|X: a\rb||"),
                row("bare LF in a value", 400, "GET / HTTP/1.1|Host: @|X: a\nb||"),
                row("escape in a value", 400, "GET / HTTP/1.1|Host: @|X: \u001b[2J||"),
                row("DEL in a value", 400, "GET / HTTP/1.1|Host: @|X: \u007f||"),
                row("two types", 400, "POST / HTTP/1.1|Host: @|Content-Type: a/b|content-type: a/c||"),
                row("two authorizations", 400, "GET / HTTP/1.1|Host: @|Authorization: a|Authorization: a||"),
                row("two sessions", 400, "GET / HTTP/1.1|Host: @|Mcp-Session-Id: a|MCP-SESSION-ID: b||"),
                row("two names", 400, "POST / HTTP/1.1|Host: @|Mcp-Name: safe|Mcp-Name: danger||"),
                row("unknown expectation", 417, "POST / HTTP/1.1|Host: @|Expect: tea|Content-Length: 1||x"),
                row("the end in the middle", 400, "GET / HTTP/1.1|Host: @"));
    }

    private static Stream<Arguments> hostsAndOrigins() {
        return Stream.of(
                row("no host", 400, "GET / HTTP/1.1||"),
                row("no host in 1.0", 400, "GET / HTTP/1.0||"),
                row("two hosts", 400, "GET / HTTP/1.1|Host: @|Host: @||"),
                row("empty host", 403, "GET / HTTP/1.1|Host: ||"),
                row("foreign host", 403, "GET / HTTP/1.1|Host: evil.example||"),
                row("null origin", 403, "GET / HTTP/1.1|Host: @|Origin: null||"),
                row("foreign origin", 403, "OPTIONS / HTTP/1.1|Host: @|Origin: http://evil.example||"),
                row("two origins", 400, "GET / HTTP/1.1|Host: @|Origin: http://@|Origin: http://@||"));
    }

    private static Stream<Arguments> lengths() {
        Stream<Arguments> values = Stream.of(
                        "+3", "-3", "3,3", "3, 3", "0x3", "3.0", "", "a", "3 3", "99999999999999999999", "\u00b3")
                .map(value ->
                        row("length " + value, 400, "POST / HTTP/1.1|Host: @|Content-Length: " + value + "||abc"));
        return Stream.concat(
                values,
                Stream.of(
                        row("two lengths", 400, "POST / HTTP/1.1|Host: @|Content-Length: 3|Content-Length: 4||abcd"),
                        row("twice the same", 400, "POST / HTTP/1.1|Host: @|Content-Length: 3|Content-Length: 3||abc"),
                        row(
                                "length and chunks",
                                400,
                                "POST / HTTP/1.1|Host: @|Content-Length: 4|Transfer-Encoding: chunked||"
                                        + "0||GET /smuggled HTTP/1.1|Host: @||"),
                        row("too long", 413, "POST / HTTP/1.1|Host: @|Content-Length: 4194305||"),
                        row("the end too early", 400, "POST / HTTP/1.1|Host: @|Content-Length: 4||abc")));
    }

    private static Stream<Arguments> chunks() {
        Stream<Arguments> codings = Stream.of(
                        "gzip",
                        "chunked, gzip",
                        "gzip, chunked",
                        "chunked, chunked",
                        "xchunked",
                        "identity",
                        "",
                        "\"chunked\"")
                .map(coding ->
                        row("coding " + coding, 501, "POST / HTTP/1.1|Host: @|Transfer-Encoding: " + coding + "||0||"));
        Stream<Arguments> bodies = Stream.of(
                        "3;x=y|abc|0||",
                        "3 |abc|0||",
                        " 3|abc|0||",
                        "+3|abc|0||",
                        "0x3|abc|0||",
                        "-1|abc|0||",
                        "|abc|0||",
                        "g|abc|0||",
                        "3\nabc\n0\n\n",
                        "3|abcd|0||",
                        "3|abc0||",
                        "3|abc|0|X: y||",
                        "00000003|abc|0||",
                        "ffffffff|abc|0||",
                        "3|abc|",
                        "3\r3|abc|0||")
                .map(body -> row("chunks " + body, 400, "POST / HTTP/1.1|Host: @|Transfer-Encoding: chunked||" + body));
        return Stream.of(
                        codings,
                        bodies,
                        Stream.of(
                                row(
                                        "chunk too large",
                                        413,
                                        "POST / HTTP/1.1|Host: @|Transfer-Encoding: chunked||400001|"),
                                row("chunks in 1.0", 400, "POST / HTTP/1.0|Host: @|Transfer-Encoding: chunked||0||"),
                                row(
                                        "two codings",
                                        400,
                                        "POST / HTTP/1.1|Transfer-Encoding: chunked|Transfer-Encoding: x|Host: @||")))
                .flatMap(it -> it);
    }

    private static Stream<Arguments> limits() {
        String many = String.join(
                "", IntStream.range(0, 100).mapToObj(i -> "X" + i + ": y|").toList());
        return Stream.of(
                row("line too long", 414, "GET /" + "a".repeat(8200) + " HTTP/1.1|Host: @||"),
                row("line without an end", 414, "a".repeat(9000)),
                row("headers too large", 431, "GET / HTTP/1.1|Host: @|X: " + "a".repeat(66_000) + "||"),
                row("too many headers", 431, "GET / HTTP/1.1|Host: @|" + many + "|"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("requests")
    void malformed_request_is_rejected_and_the_connection_closed(String name, int status, String request)
            throws IOException {
        HttpServer server = server();
        String raw = request.replace("|", "\r\n").replace("@", Requests.host(server));
        String smuggled = isCutShort(name) ? "" : Requests.get(server, "/smuggled");
        try (var client = RawClient.of(server)) {
            client.send(raw + smuggled);
            client.endSending();
            var answer = client.answer();

            assertThat(answer.status()).as(name + ": " + answer.body()).isEqualTo(status);
            assertThat(answer.headers()).containsEntry("connection", "close");
            assertThat(answer.body()).isNotBlank();
            assertThat(client.rest()).isEmpty();
        }
        synchronized (HANDLED) {
            assertThat(HANDLED).isEmpty();
        }
        try (var client = RawClient.of(server)) {
            assertThat(client.send(Requests.get(server, "/good")).answer().status())
                    .isEqualTo(200);
        }
    }

    private static boolean isCutShort(String name) {
        return name.startsWith("the end") || name.equals("chunks 3|abc|");
    }

    private static HttpServer server() {
        if (opened == null) {
            throw new IllegalStateException("the server is opened before all tests");
        }
        return opened;
    }
}
