package dev.fusebox.client.http;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.http.HttpProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// TLS trust, address policy, proxies, and connection reuse.
@Tag("process")
@Timeout(120)
class OutboundHttpClientTest {
    private static final String DONE = "{\"content\":[]}";
    private static final String ECHO = "{\"name\":\"echo\"}";

    @TempDir
    static Path directory;

    private static SelfSigned authority;

    /// A test authority, created for each run.
    @BeforeAll
    static void makeKeys() throws Exception {
        authority = SelfSigned.make(
                directory,
                List.of("-dname", "CN=fusebox test", "-validity", "2", "-ext", "san=ip:127.0.0.1,dns:tools.test"));
    }

    private static String done(RawServer.Received request) {
        return RawServer.json(200, request.result(DONE));
    }

    private static HttpTarget foreign(String uri) {
        return HttpTarget.of(URI.create(uri)).asForeign();
    }

    private static CallFailure failureOf(OutboundHttpClient outboundHttpClient, HttpTarget target) {
        try (RecordingClient client = new RecordingClient(outboundHttpClient, target)) {
            return client.failure("tools/call", ECHO);
        }
    }

    // ---- TLS

    @Test
    void certificate_of_the_configured_authority_is_trusted() throws Exception {
        try (RawServer server = authority.server(OutboundHttpClientTest::done);
                RecordingClient client = RecordingClient.at(server.uri(), authority.trusting())) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            }
            assertThat(server.accepted).hasValue(1);
        }
    }

    @Test
    void tls_connection_is_reused_after_a_stream() throws Exception {
        RawServer.Answers events = request ->
                RawServer.EVENTS + RawServer.chunk(RawServer.data(request.result(DONE))) + RawServer.LAST_CHUNK;
        try (RawServer server = authority.server(events);
                RecordingClient client = RecordingClient.at(server.uri(), authority.trusting())) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            }
            assertThat(server.accepted).hasValueLessThan(5);
        }
    }

    @Test
    void server_with_an_untrusted_certificate_is_sent_nothing() throws Exception {
        try (RawServer server = authority.server(OutboundHttpClientTest::done);
                RecordingClient client = RecordingClient.at(server.uri())) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(server.received).isEmpty();
        }
    }

    @Test
    void server_with_a_certificate_for_another_name_is_sent_nothing() throws Exception {
        DnsResolver.Lookup lookup = host -> new InetAddress[] {InetAddress.getLoopbackAddress()};
        try (RawServer server = authority.server(OutboundHttpClientTest::done)) {
            URI right = URI.create("https://tools.test:" + server.port() + "/mcp");
            URI wrong = URI.create("https://other.test:" + server.port() + "/mcp");
            OutboundHttpClient outboundHttpClient =
                    OutboundHttpClient.with(Platform.system(), authority.trusting(), lookup);
            try (RecordingClient client = new RecordingClient(outboundHttpClient, HttpTarget.of(right))) {
                assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            }
            assertThat(failureOf(
                                    OutboundHttpClient.with(Platform.system(), authority.trusting(), lookup),
                                    HttpTarget.of(wrong))
                            .delivery())
                    .isEqualTo(Delivery.NOT_SENT);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void stalled_tls_handshake_fails_after_the_connect_timeout() throws Exception {
        RawServer.Script silent = wire -> wire.socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        try (RawServer server = RawServer.start(silent);
                RecordingClient client = RecordingClient.at(
                        URI.create("https://127.0.0.1:" + server.port() + "/mcp"),
                        authority.trusting().withConnectTimeout(Duration.ofSeconds(1)))) {
            long start = System.nanoTime();
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
            assertThat(failure.category()).isEqualTo(FailureCategory.OFFLINE);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        }
    }

    // ---- The address policy

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:PORT/", "https://localhost:PORT/", "https://[::1]:PORT/",
                        "https://[::ffff:127.0.0.1]:PORT/",
                "https://0.0.0.0:PORT/", "https://169.254.169.254/latest/meta-data", "https://10.0.0.1/",
                        "http://1.1.1.1/"
            })
    void s15_foreign_address_must_be_public_and_https(String uri) throws Exception {
        try (RawServer server = authority.server(OutboundHttpClientTest::done)) {
            HttpTarget target = foreign(uri.replace("PORT", Integer.toString(server.port())));
            CallFailure failure = failureOf(OutboundHttpClient.open(Platform.system(), authority.trusting()), target);

            assertThat(failure.category()).isEqualTo(FailureCategory.POLICY);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(server.accepted).hasValue(0);
        }
    }

    @Test
    void s16_rebinding_name_is_judged_by_the_address_that_is_connected_to() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        DnsResolver.Lookup rebinding = host -> new InetAddress[] {
            asked.incrementAndGet() == 1 ? InetAddress.ofLiteral("192.0.2.1") : InetAddress.getLoopbackAddress()
        };
        DnsResolver.Lookup both =
                host -> new InetAddress[] {InetAddress.getLoopbackAddress(), InetAddress.ofLiteral("10.0.0.1")};
        try (RawServer server = authority.server(OutboundHttpClientTest::done)) {
            HttpTarget target = foreign("https://tools.test:" + server.port() + "/");
            OutboundHttpClient outboundHttpClient =
                    OutboundHttpClient.with(Platform.system(), authority.trusting(), rebinding);
            try (RecordingClient client = new RecordingClient(outboundHttpClient, target)) {
                for (int i = 0; i < 3; i++) {
                    assertThat(client.failure("tools/call", ECHO).category()).isEqualTo(FailureCategory.POLICY);
                }
            }
            assertThat(failureOf(OutboundHttpClient.with(Platform.system(), authority.trusting(), both), target)
                            .category())
                    .isEqualTo(FailureCategory.POLICY);
            assertThat(server.accepted).hasValue(0);
        }
    }

    @Test
    void s17_connection_of_a_configured_server_is_not_reused_for_a_foreign_address() throws Exception {
        try (RawServer server = authority.server(OutboundHttpClientTest::done)) {
            OutboundHttpClient outboundHttpClient = OutboundHttpClient.open(Platform.system(), authority.trusting());
            try (RecordingClient own = new RecordingClient(outboundHttpClient, HttpTarget.of(server.uri()));
                    RecordingClient other = new RecordingClient(
                            outboundHttpClient, HttpTarget.of(server.uri()).asForeign())) {
                own.answer("tools/call", ECHO);

                assertThat(other.failure("tools/call", ECHO).category()).isEqualTo(FailureCategory.POLICY);
                assertThat(server.received).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host/", "file:///etc/passwd", "/mcp", "http://", "http://me:pw@host/", "mailto:a@b"})
    void invalid_url_is_rejected(String uri) {
        assertThatThrownBy(() -> HttpTarget.of(URI.create(uri.equals("http://") ? "http:/x" : uri)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "content-length", "Transfer-Encoding", "Mcp-Session-Id", "bad name", "a\r\nb", ""})
    void reserved_or_invalid_header_is_rejected(String name) {
        HttpTarget target = HttpTarget.of(URI.create("http://127.0.0.1/"));

        assertThatThrownBy(() -> target.withHeaders(Map.of(name, "x"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> target.withHeaders(Map.of("X", "a\r\nY: b")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void text_form_of_a_target_contains_no_secret() {
        HttpTarget target = HttpTarget.of(URI.create("http://127.0.0.1/mcp?key=s3cr3t"))
                .withHeaders(Map.of("Authorization", "Bearer t0k3n"));

        assertThat(target.toString()).contains("/mcp", "Authorization").doesNotContain("s3cr3t", "t0k3n");
    }

    @Test
    void headers_and_query_are_sent_to_the_server() throws IOException {
        try (RawServer server = RawServer.answering(OutboundHttpClientTest::done)) {
            HttpTarget target = HttpTarget.of(URI.create(server.uri() + "?key=a%20b"))
                    .withHeaders(Map.of("Authorization", "Bearer t0k3n"));
            try (RecordingClient client = new RecordingClient(
                    OutboundHttpClient.open(Platform.system(), OutboundSettings.defaults()), target)) {
                client.answer("tools/call", ECHO);
            }
            assertThat(server.received.getFirst().line()).isEqualTo("POST /mcp?key=a%20b HTTP/1.1");
            assertThat(server.received.getFirst().header("authorization")).isEqualTo("Bearer t0k3n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "//a b", "///mcp", "/caf\u00e9"})
    void any_path_is_sent_to_the_server(String path) throws IOException {
        try (RawServer server = RawServer.answering(OutboundHttpClientTest::done)) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + path.replace(" ", "%20"));
            try (RecordingClient client = RecordingClient.at(uri)) {
                client.answer("tools/call", ECHO);
            }
            String sent = path.replace(" ", "%20").replace("\u00e9", "%C3%A9");
            assertThat(server.received.getFirst().line()).isEqualTo("POST " + sent + " HTTP/1.1");
        }
    }

    // ---- Proxies

    /// Connects to the requested target, or to a fixed port instead.
    private static RawServer proxy(int port) throws IOException {
        return RawServer.start(wire -> {
            RawServer.Received request = wire.next();
            if (request == null || !request.method().equals("CONNECT")) {
                wire.write("HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n");
                return;
            }
            try (Socket onward = new Socket(InetAddress.getLoopbackAddress(), port)) {
                wire.write("HTTP/1.1 200 Connected\r\n\r\n");
                Thread back = Thread.ofVirtual().start(() -> copy(onward, wire.socket));
                copy(wire.socket, onward);
                back.join();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException closed) {
            // One side has closed.
        }
    }

    private static ProxyRules at(RawServer proxy) {
        return ProxyRules.always(HttpProxy.parse("http://127.0.0.1:" + proxy.port()));
    }

    @Test
    void proxy_tunnels_plain_and_tls_connections_and_resolves_the_name_itself() throws Exception {
        try (RawServer plain = RawServer.answering(OutboundHttpClientTest::done);
                RawServer secure = authority.server(OutboundHttpClientTest::done);
                RawServer toPlain = proxy(plain.port());
                RawServer toSecure = proxy(secure.port());
                RecordingClient one = RecordingClient.at(
                        URI.create("http://tools.test/mcp"),
                        authority.trusting().withProxies(at(toPlain)));
                RecordingClient other = RecordingClient.at(
                        URI.create("https://tools.test/mcp"),
                        authority.trusting().withProxies(at(toSecure)))) {
            assertThat(one.answer("tools/call", ECHO)).contains(DONE);
            assertThat(other.answer("tools/call", ECHO)).contains(DONE);
            assertThat(toPlain.received.getFirst().line()).isEqualTo("CONNECT tools.test:80 HTTP/1.1");
            assertThat(toSecure.received.getFirst().line()).isEqualTo("CONNECT tools.test:443 HTTP/1.1");
        }
    }

    /// A rejection by the proxy itself says nothing about the server; a failure to reach it does.
    @ParameterizedTest
    @CsvSource({"403, LOCAL, refused to connect to", "407, LOCAL, refused to connect to", "502, OFFLINE, unreachable"})
    void rejecting_proxy_is_sent_nothing_of_the_request(int status, FailureCategory category, String words)
            throws Exception {
        try (RawServer proxy =
                        RawServer.answering(request -> "HTTP/1.1 " + status + " No\r\nContent-Length: 0\r\n\r\n");
                RecordingClient client = RecordingClient.at(
                        URI.create("http://tools.test/mcp"),
                        authority.trusting().withProxies(at(proxy)))) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.category()).isEqualTo(category);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(failure.message()).contains("the proxy http://127.0.0.1:", words, "HTTP " + status);
            assertThat(proxy.received).allMatch(request -> request.body().isEmpty());
        }
    }

    @Test
    void s16_foreign_name_is_sent_to_a_proxy_as_the_checked_address() throws Exception {
        DnsResolver.Lookup lookup =
                host -> new InetAddress[] {InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("93.184.215.14")};
        try (RawServer secure = authority.server(OutboundHttpClientTest::done);
                RawServer proxy = proxy(secure.port())) {
            OutboundHttpClient outboundHttpClient = OutboundHttpClient.with(
                    Platform.system(), authority.trusting().withProxies(at(proxy)), lookup);
            try (RecordingClient client = new RecordingClient(outboundHttpClient, foreign("https://tools.test/mcp"))) {
                assertThat(client.answer("tools/call", ECHO)).contains(DONE);
            }
            assertThat(proxy.received.getFirst().line()).isEqualTo("CONNECT 93.184.215.14:443 HTTP/1.1");
        }
    }

    @Test
    void s16_connection_to_a_proxy_is_closed_if_the_foreign_name_is_forbidden() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        RawServer.Script silent = wire -> {
            if (wire.awaitClosed()) {
                left.countDown();
            }
        };
        DnsResolver.Lookup lookup = host -> new InetAddress[] {InetAddress.ofLiteral("10.0.0.1")};
        try (RawServer proxy = RawServer.start(silent)) {
            OutboundHttpClient outboundHttpClient = OutboundHttpClient.with(
                    Platform.system(), authority.trusting().withProxies(at(proxy)), lookup);
            try (RecordingClient client = new RecordingClient(outboundHttpClient, foreign("https://tools.test/mcp"))) {
                assertThat(client.failure("tools/call", ECHO).category()).isEqualTo(FailureCategory.POLICY);
                assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void local_server_is_reached_without_the_proxy() throws Exception {
        try (RawServer server = RawServer.answering(OutboundHttpClientTest::done);
                RawServer proxy = proxy(server.port())) {
            for (String host : List.of("127.0.0.1", "localhost", "[::ffff:127.0.0.1]")) {
                URI uri = URI.create("http://" + host + ":" + server.port() + "/mcp");
                try (RecordingClient client =
                        RecordingClient.at(uri, authority.trusting().withProxies(at(proxy)))) {
                    assertThat(client.answer("tools/call", ECHO)).contains(DONE);
                }
            }
            assertThat(proxy.accepted).hasValue(0);
        }
    }

    @Test
    void servers_at_one_address_with_different_routes_share_no_connections() throws Exception {
        try (RawServer server = authority.server(OutboundHttpClientTest::done);
                OutboundHttpClient outboundHttpClient =
                        OutboundHttpClient.open(Platform.system(), OutboundSettings.defaults())) {
            HttpTarget trusted = HttpTarget.of(server.uri()).by(OutboundRoute.DEFAULT.trusting(authority.trust()));
            RecordingClient one = new RecordingClient(outboundHttpClient, trusted);
            RecordingClient other = new RecordingClient(outboundHttpClient, HttpTarget.of(server.uri()));
            assertThat(one.answer("tools/call", ECHO)).contains(DONE);
            assertThat(other.failure("tools/call", ECHO).delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(one.answer("tools/call", ECHO)).contains(DONE);
            assertThat(server.received).hasSize(2);
        }
    }

    // ---- Connections

    @Test
    void idle_connection_is_closed_after_its_timeout() throws Exception {
        OutboundSettings defaults = OutboundSettings.defaults();
        OutboundSettings brief = new OutboundSettings(
                defaults.connectTimeout(),
                // Longer than a busy machine needs for the first check.
                Duration.ofSeconds(4),
                defaults.maxConnections(),
                defaults.maxHeadBytes(),
                defaults.maxBodyBytes(),
                ProxyRules.NONE,
                defaults.maxDepth(),
                null);
        try (RawServer server = RawServer.answering(OutboundHttpClientTest::done);
                RecordingClient client = RecordingClient.at(server.uri(), brief)) {
            client.answer("tools/call", ECHO);
            assertThat(client.outboundHttpClient.openConnections()).isEqualTo(1);

            eventually(
                    "no connection is open",
                    () -> assertThat(client.outboundHttpClient.openConnections())
                            .isEqualTo(0));
        }
    }

    @Test
    void connection_with_a_keep_alive_of_one_second_is_not_reused() throws Exception {
        try (RawServer server = RawServer.answering(
                        request -> RawServer.json(200, request.result(DONE), "Keep-Alive: timeout=1, max=100"));
                RecordingClient client = RecordingClient.at(server.uri())) {
            client.answer("tools/call", ECHO);

            eventually(
                    "no connection is open",
                    () -> assertThat(client.outboundHttpClient.openConnections())
                            .isEqualTo(0));
        }
    }

    @Test
    void connection_limit_is_enforced() throws IOException {
        OutboundSettings defaults = OutboundSettings.defaults();
        OutboundSettings none = new OutboundSettings(
                defaults.connectTimeout(),
                defaults.idle(),
                0,
                defaults.maxHeadBytes(),
                defaults.maxBodyBytes(),
                ProxyRules.NONE,
                defaults.maxDepth(),
                null);
        try (RawServer server = RawServer.answering(OutboundHttpClientTest::done);
                RecordingClient client = RecordingClient.at(server.uri(), none)) {
            CallFailure failure = client.failure("tools/call", ECHO);

            assertThat(failure.category()).isEqualTo(FailureCategory.LOCAL);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(client.outboundHttpClient.openConnections()).isZero();
        }
    }
}
