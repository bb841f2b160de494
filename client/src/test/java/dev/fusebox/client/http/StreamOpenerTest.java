package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.http.StreamOpener.StreamResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.http.HttpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Connections that switch to another protocol: the same proxies, authorities, login and address policy as requests.
@Timeout(120)
class StreamOpenerTest {
    private static final List<String> FIELDS = List.of("Upgrade", "echo", "Connection", "Upgrade");
    private static final String SWITCH =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\nX-Seen: yes\r\n\r\n";

    @TempDir
    private static Path directory;

    private static SelfSigned authority;

    @BeforeAll
    static void makeAuthority() throws Exception {
        authority = SelfSigned.make(
                directory, List.of("-dname", "CN=test", "-ext", "SAN=IP:127.0.0.1,DNS:tools.test", "-validity", "3"));
    }

    private static OutboundHttpClient client(OutboundSettings settings) {
        return OutboundHttpClient.open(Platform.system(), settings);
    }

    private static StreamOpener opener(OutboundHttpClient client, HttpTarget target) {
        return new StreamOpener(Platform.system(), client, target, RequestAuthorizer.NONE);
    }

    private static StreamResult.Opened opened(StreamResult result) {
        assertThat(result).isInstanceOf(StreamResult.Opened.class);
        return (StreamResult.Opened) result;
    }

    private static CallFailure failed(StreamResult result) {
        assertThat(result).isInstanceOf(StreamResult.Failed.class);
        return ((StreamResult.Failed) result).failure();
    }

    /// What the server says on the connection after the switch.
    private static String read(DuplexStream stream, int count) throws IOException {
        byte[] bytes = new byte[count];
        int length = 0;
        while (length < count) {
            length += stream.read(bytes, length, count - length);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void connection_carries_bytes_in_both_directions_after_the_switch_and_counts_until_it_is_closed() throws Exception {
        RawServer.Script script = wire -> {
            wire.next();
            // The first bytes come with the response.
            wire.write(SWITCH + "first");
            wire.socket.getInputStream().transferTo(wire.socket.getOutputStream());
        };
        try (RawServer server = RawServer.start(script);
                OutboundHttpClient client = client(OutboundSettings.defaults())) {
            URI uri = URI.create("ws://127.0.0.1:" + server.port() + "/mcp");
            StreamResult.Opened opened =
                    opened(opener(client, HttpTarget.of(uri)).upgrade(FIELDS));

            assertThat(read(opened.stream(), 5)).isEqualTo("first");
            opened.stream().write("echo".getBytes(StandardCharsets.UTF_8), 0, 4);
            assertThat(read(opened.stream(), 4)).isEqualTo("echo");
            assertThat(opened.responseHeaders().only("x-seen")).isEqualTo("yes");
            assertThat(client.openConnections()).isEqualTo(1);
            opened.stream().close();
            assertThat(client.openConnections()).isZero();
        }
    }

    @Test
    void certificate_authorities_of_the_server_apply_to_wss() throws Exception {
        try (RawServer server = authority.server(request -> SWITCH);
                OutboundHttpClient client = client(OutboundSettings.defaults())) {
            URI uri = URI.create("wss://127.0.0.1:" + server.port() + "/mcp");
            HttpTarget target = HttpTarget.of(uri);
            HttpTarget trusting = target.by(OutboundRoute.DEFAULT.trusting(authority.trust()));

            CallFailure untrusted = failed(opener(client, target).upgrade(FIELDS));
            assertThat(untrusted.id()).isEqualTo(ErrorId.CERTIFICATE_UNTRUSTED);
            assertThat(untrusted.message()).contains("wss://127.0.0.1:");
            opened(opener(client, trusting).upgrade(FIELDS)).stream().close();
        }
    }

    @Test
    void upgrade_passes_a_proxy_in_a_tunnel() throws Exception {
        try (RawServer server = RawServer.answering(request -> SWITCH);
                RawServer proxy = RawServer.start(wire -> tunnel(wire, server.port()))) {
            ProxyRules rules = ProxyRules.always(HttpProxy.parse("http://127.0.0.1:" + proxy.port()));
            try (OutboundHttpClient client = client(OutboundSettings.defaults().withProxies(rules))) {
                HttpTarget target = HttpTarget.of(URI.create("ws://tools.test/mcp"));

                opened(opener(client, target).upgrade(FIELDS)).stream().close();
                assertThat(proxy.received.getFirst().line()).isEqualTo("CONNECT tools.test:80 HTTP/1.1");
                assertThat(server.received.getFirst().header("host")).isEqualTo("tools.test");
            }
        }
    }

    private static void tunnel(RawServer.Wire wire, int port) throws IOException {
        wire.next();
        try (Socket onward = new Socket(InetAddress.getLoopbackAddress(), port)) {
            wire.write("HTTP/1.1 200 Connected\r\n\r\n");
            Thread.ofVirtual().start(() -> {
                try {
                    onward.getInputStream().transferTo(wire.socket.getOutputStream());
                } catch (IOException closed) {
                    // One side has closed.
                }
            });
            wire.socket.getInputStream().transferTo(onward.getOutputStream());
        }
    }

    @Test
    void rejected_login_of_an_upgrade_is_renewed_once_as_for_any_request() throws Exception {
        AtomicInteger rejections = new AtomicInteger();
        RequestAuthorizer authorizer = new RequestAuthorizer() {
            @Override
            public Authorization authorize(LongSupplier left) {
                return new Authorization.Granted(List.of("Authorization", "Bearer old-token-1"), 1);
            }

            @Override
            public Reaction rejected(Authorization.Granted used, AuthRejection rejection, LongSupplier left) {
                return rejections.incrementAndGet() == 1
                        ? new Reaction.SendAgain(
                                new Authorization.Granted(List.of("Authorization", "Bearer new-token-2"), 2))
                        : new Reaction.Fail(CallFailure.of(ErrorId.LOGIN_REQUIRED, "log in"));
            }
        };
        RawServer.Answers answers = request -> request.header("authorization").endsWith("2") && rejections.get() == 1
                ? SWITCH
                : "HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n";
        try (RawServer server = RawServer.answering(answers);
                OutboundHttpClient client = client(OutboundSettings.defaults())) {
            HttpTarget target = HttpTarget.of(URI.create("ws://127.0.0.1:" + server.port() + "/mcp"));
            StreamOpener opener = new StreamOpener(Platform.system(), client, target, authorizer);

            opened(opener.upgrade(FIELDS)).stream().close();
            CallFailure failure = failed(opener.upgrade(FIELDS));
            assertThat(failure.id()).isEqualTo(ErrorId.LOGIN_REQUIRED);
            assertThat(failure.category()).isEqualTo(FailureCategory.AUTH);
        }
    }

    @Test
    void s16_address_policy_applies_to_an_upgrade() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (RawServer server = authority.server(request -> {
                    connections.incrementAndGet();
                    return SWITCH;
                });
                OutboundHttpClient client = client(authority.trusting())) {
            URI uri = URI.create("wss://127.0.0.1:" + server.port() + "/mcp");
            CallFailure failure =
                    failed(opener(client, HttpTarget.of(uri).asForeign()).upgrade(FIELDS));

            assertThat(failure.category()).isEqualTo(FailureCategory.POLICY);
            assertThat(connections.get()).isZero();
        }
    }

    @Test
    void server_that_asks_for_a_pause_is_left_alone_until_then() throws Exception {
        try (RawServer server = RawServer.answering(
                        request -> "HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n");
                OutboundHttpClient client = client(OutboundSettings.defaults())) {
            StreamOpener opener = opener(client, HttpTarget.of(URI.create("ws://127.0.0.1:" + server.port() + "/mcp")));

            assertThat(opener.refusal()).isNull();
            assertThat(failed(opener.upgrade(FIELDS)).id()).isEqualTo(ErrorId.HTTP_5XX);
            assertThat(opener.refusal()).isNotNull();
        }
    }
}
