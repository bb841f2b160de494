package dev.fusebox.gateway.era;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FaultKind;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The whole gateway before servers over Streamable HTTP.
@Timeout(120)
class RemoteServerTest {
    private final OutboundHttpClient outboundHttpClient =
            OutboundHttpClient.open(SingleServerHarness.PLATFORM, OutboundSettings.defaults());

    @TempDir
    private Path folder;

    @AfterEach
    void end() {
        outboundHttpClient.close();
    }

    private SingleServerHarness singleServerHarness(SingleServerHarness.Front front, FixtureServer server) {
        return SingleServerHarness.remote(front, outboundHttpClient, server.uri());
    }

    // ---- Headers that the server does not take

    private static final String REGION = "{\"region\":\"Z\u00fcrich\",\"limit\":3}";

    /// The first call is refused for its headers until the tools are listed again.
    private void unnoticed(SingleServerHarness.Front front, boolean isSession) throws IOException {
        Path journal = folder.resolve("journal");
        ServerScript script = ServerScript.faultless()
                .withEra(Era.MODERN)
                .withJournal(journal)
                .with(FaultKind.HEADER_MISMATCH_ONCE);
        try (FixtureServer server = FixtureServer.start(script);
                SingleServerHarness singleServerHarness = singleServerHarness(front, server)) {
            if (isSession) {
                singleServerHarness.wire().hello(Messages.PLAIN);
            }
            String call = isSession
                    ? Messages.sessionCall(1, "test_x_mcp_header", REGION)
                    : Messages.call(1, Messages.PLAIN, "test_x_mcp_header", REGION);
            for (int i = 1; i <= 2; i++) {
                assertThat(singleServerHarness.wire().answer(call).member("result"))
                        .isNotNull();
                assertThat(executed(journal)).isEqualTo(i);
            }
        }
    }

    private static long executed(Path journal) throws IOException {
        return Files.readAllLines(journal).stream()
                .filter(line -> line.contains("test_x_mcp_header"))
                .count();
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void a_stateless_client_does_not_notice_that_headers_have_changed(SingleServerHarness.Front front)
            throws IOException {
        unnoticed(front, false);
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void a_session_client_does_not_notice_that_headers_have_changed(SingleServerHarness.Front front)
            throws IOException {
        unnoticed(front, true);
    }

    // ---- Log lines

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void stateless_client_receives_log_messages_of_the_requested_level(SingleServerHarness.Front front)
            throws IOException {
        try (FixtureServer server = FixtureServer.start(ServerScript.faultless().withEra(Era.LEGACY));
                SingleServerHarness singleServerHarness = singleServerHarness(front, server)) {
            for (String capabilities : List.of(Messages.PLAIN, Messages.ABLE)) {
                assertThat(logged(singleServerHarness, capabilities, "")).isZero();
                assertThat(logged(singleServerHarness, capabilities, Messages.logLevel("debug")))
                        .isEqualTo(3);
                assertThat(logged(singleServerHarness, capabilities, Messages.logLevel("error")))
                        .isZero();
                assertThat(logged(singleServerHarness, capabilities, "")).isZero();
            }
        }
    }

    private static long logged(SingleServerHarness singleServerHarness, String capabilities, String level) {
        String params = Messages.params(capabilities, level, Messages.tool("test_tool_with_logging", "{}"));
        return Messages.methods(singleServerHarness.wire().ask(Messages.request(2, "tools/call", params))).stream()
                .filter(method -> method.equals("notifications/message"))
                .count();
    }

    // ---- Pauses

    /// Refuses whatever it is sent, each request on a connection of its own.
    private static void refuse(ServerSocket listener, AtomicInteger asked) {
        try {
            while (true) {
                try (Socket client = listener.accept()) {
                    asked.incrementAndGet();
                    String answer = String.join(
                            "\r\n",
                            "HTTP/1.1 429 Later",
                            "Retry-After: 100",
                            "Connection: close",
                            "Content-Length: 0",
                            "",
                            "");
                    client.getOutputStream().write(answer.getBytes(US_ASCII));
                    client.shutdownOutput();
                    client.getInputStream().transferTo(OutputStream.nullOutputStream());
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void f43_requested_pause_is_kept_and_reported_to_the_client() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket busy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> refuse(busy, asked));
            URI uri = URI.create("http://127.0.0.1:" + busy.getLocalPort() + "/mcp");
            try (SingleServerHarness singleServerHarness =
                            SingleServerHarness.remote(SingleServerHarness.Front.HTTP, outboundHttpClient, uri);
                    Wire session = singleServerHarness.another()) {
                for (int id = 1; id <= 3; id++) {
                    paused(singleServerHarness.wire().answer(Messages.call(id, Messages.PLAIN, "echo", "{}")));
                    paused(session.answer(Messages.hello(Messages.PLAIN)));
                }
                assertThat(asked).hasValue(1);
            }
        }
    }

    private static void paused(JsonView answer) {
        assertThat(Messages.kind(answer)).isEqualTo("overloaded local not_sent");
        JsonView ofTool = answer.path("result", "_meta", "fusebox/error");
        JsonView error = ofTool != null ? ofTool : Messages.at(answer, "error", "data", "fusebox/error");
        assertThat(Long.parseLong(Messages.at(error, "retryAfterMs").json())).isBetween(1L, 100_000L);
    }
}
