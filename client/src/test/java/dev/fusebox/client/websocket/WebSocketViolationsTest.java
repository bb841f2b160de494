package dev.fusebox.client.websocket;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Servers that violate RFC 6455: each violation costs its own connection, and has a cause in words.
@Timeout(120)
class WebSocketViolationsTest {
    /// What the server sends after a request, the words about it, and the code that it gets.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Violation(String name, byte[] sent, String words, int code) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Violation violation(String name, byte[] sent, String words) {
        return new Violation(name, sent, words, 1002);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Stream.of(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] masked() {
        byte[] frame = FrameServer.frame(0x81, "abcd{}");
        frame[1] |= (byte) 0x80;
        return frame;
    }

    static List<Violation> violations() {
        byte[] begun = FrameServer.frame(0x01, "{");
        byte[] badText = {'"', (byte) 0xC0, (byte) 0x80, '"'};
        byte[] badReason = {0x03, (byte) 0xE8, (byte) 0xFF};
        return List.of(
                violation("masked frame", masked(), "sent a masked WebSocket frame"),
                violation("first reserved bit", FrameServer.frame(0xC1, "{}"), "set a reserved bit"),
                violation("last reserved bit", FrameServer.frame(0x91, "{}"), "set a reserved bit"),
                violation("unknown data frame", FrameServer.frame(0x83, "{}"), "of unknown type 3"),
                violation("unknown control frame", FrameServer.frame(0x8B, ""), "of unknown type 11"),
                violation("fragmented ping", FrameServer.frame(0x09, "a"), "fragmented a WebSocket control frame"),
                violation("fragmented close", FrameServer.frame(0x08, ""), "fragmented a WebSocket control frame"),
                violation("long ping", FrameServer.frame(0x89, "a".repeat(126)), "control frame over 125 bytes"),
                violation("continuation of nothing", FrameServer.frame(0x80, "{}"), "that it had not begun"),
                violation(
                        "message in a message", joined(begun, FrameServer.frame(0x81, "{}")), "inside of another one"),
                violation(
                        "length of 2^63 bytes",
                        new byte[] {(byte) 0x81, 127, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0},
                        "2^63 bytes or more"),
                new Violation("binary frame", FrameServer.frame(0x82, "{}"), "binary WebSocket frame", 1003),
                new Violation("invalid UTF-8", FrameServer.frame(0x81, badText), "not valid UTF-8", 1007),
                new Violation(
                        "invalid UTF-8 over two fragments",
                        joined(FrameServer.frame(0x01, new byte[] {'"', (byte) 0xE2}), FrameServer.frame(0x80, "\"")),
                        "not valid UTF-8",
                        1007),
                new Violation(
                        "invalid UTF-8 in a reason", FrameServer.frame(0x88, badReason), "reason that is not", 1007),
                violation("close code of one byte", FrameServer.frame(0x88, "a"), "with the invalid code 0"),
                violation("close code 1005", FrameServer.frame(0x88, new byte[] {0x03, (byte) 0xED}), "code 1005"),
                violation("close code 999", FrameServer.frame(0x88, new byte[] {0x03, (byte) 0xE7}), "code 999"),
                violation(
                        "HTTP in place of a frame",
                        "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8),
                        "reserved bit"));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void violation_costs_its_own_connection_and_the_next_one_works(Violation violation) throws Exception {
        FrameServer.Script script = (peer, number) -> {
            peer.request();
            peer.write(violation.sent());
            peer.readToEnd();
        };
        try (FrameServer server = FrameServer.firstThenGood(script);
                WebSocketClient client = new WebSocketClient(server.uri())) {
            Connection violated = client.connected();
            CallFailure failure = client.failure(violated);

            assertThat(failure.message()).contains(violation.words());
            assertThat(failure.id()).isEqualTo(ErrorId.PROTOCOL_VIOLATION);
            assertThat(failure.category()).isEqualTo(FailureCategory.OTHER);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(violated.isAlive()).isFalse();
            assertThat(client.losses).hasSize(1);
            eventually(
                    "the server gets the code", () -> assertThat(server.closes).containsExactly(violation.code()));
            assertThat(client.answer(client.connected())).contains("content");
        }
    }
}
