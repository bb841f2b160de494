package dev.fusebox.client.websocket;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.framing.MessageAssembler;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.client.stream.StreamEnd;
import dev.fusebox.client.stream.StreamFraming;
import dev.fusebox.client.stream.StreamServer;
import dev.fusebox.protocol.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Decoder of the frames of one server (RFC 6455, section 5). Not thread-safe; nothing blocks.
///
/// A message over the limit is skipped as it arrives, so the length that a frame announces costs no memory. Pings are
/// answered ahead of messages, and only the last of several (section 5.5.3).
///
/// ```
/// HEAD -- all bytes of the head --> PAYLOAD
///   ^------- end of the frame --------'
/// ```
final class FrameDecoder implements StreamFraming.Decoder {
    private static final int MAX_CONTROL_BYTES = 125;
    private static final int MAX_HEAD_BYTES = 2 + Long.BYTES;
    private static final int RESERVED_BITS = 0x70;
    private static final int OPCODE_BITS = 0x0F;
    private static final int LENGTH_BITS = 0x7F;

    private final WebSocketFraming framing;
    private final StreamServer server;
    private final StreamFraming.Output output;
    private final MessageAssembler assembler;
    private final byte[] head = new byte[MAX_HEAD_BYTES];
    private final byte[] control = new byte[MAX_CONTROL_BYTES];
    private int headLength;
    private int controlLength;
    private long left;
    private boolean isInPayload;
    private boolean isInMessage;
    private boolean isInvalidText;

    FrameDecoder(WebSocketFraming framing, StreamServer server, StreamFraming.Output output) {
        this.framing = framing;
        this.server = server;
        this.output = output;
        this.assembler = new MessageAssembler(server.limits().frameBytes(), new Text());
    }

    @Override
    public long skipped() {
        return assembler.skipped();
    }

    @Override
    public void accept(byte[] bytes, int count) throws StreamEnd {
        int at = 0;
        while (at < count) {
            at = isInPayload ? payload(bytes, at, count) : head(bytes, at, count);
        }
    }

    // ---- Head

    private int head(byte[] bytes, int from, int to) throws StreamEnd {
        int at = from;
        while (at < to && !isInPayload) {
            head[headLength++] = bytes[at++];
            if (headLength == 2) {
                check();
            }
            if (headLength >= 2 && headLength == headBytes()) {
                begin();
            }
        }
        return at;
    }

    private int opcode() {
        return head[0] & OPCODE_BITS;
    }

    private boolean isFinal() {
        return (head[0] & WebSocketFraming.FIN) != 0;
    }

    private int shownLength() {
        return head[1] & LENGTH_BITS;
    }

    private int headBytes() {
        return switch (shownLength()) {
            case WebSocketFraming.LENGTH_OF_2_BYTES -> 2 + Short.BYTES;
            case WebSocketFraming.LENGTH_OF_8_BYTES -> 2 + Long.BYTES;
            default -> 2;
        };
    }

    private void check() throws StreamEnd {
        if ((head[0] & RESERVED_BITS) != 0) {
            throw violation(CloseCode.PROTOCOL_ERROR, "set a reserved bit of a WebSocket frame");
        }
        if ((head[1] & WebSocketFraming.MASKED) != 0) {
            throw violation(CloseCode.PROTOCOL_ERROR, "sent a masked WebSocket frame");
        }
        switch (opcode()) {
            case Opcode.TEXT -> require(!isInMessage, "began a WebSocket message inside of another one");
            case Opcode.CONTINUATION -> require(isInMessage, "continued a WebSocket message that it had not begun");
            case Opcode.BINARY ->
                throw violation(CloseCode.UNSUPPORTED_DATA, "sent a binary WebSocket frame in place of a text frame");
            case Opcode.CLOSE, Opcode.PING, Opcode.PONG -> {
                require(isFinal(), "fragmented a WebSocket control frame");
                require(shownLength() <= MAX_CONTROL_BYTES, "sent a WebSocket control frame over 125 bytes");
            }
            default -> throw violation(CloseCode.PROTOCOL_ERROR, "sent a WebSocket frame of unknown type " + opcode());
        }
    }

    private void require(boolean isValid, String otherwise) throws StreamEnd {
        if (!isValid) {
            throw violation(CloseCode.PROTOCOL_ERROR, otherwise);
        }
    }

    private void begin() throws StreamEnd {
        left = headLength == 2 ? shownLength() : 0;
        for (int i = 2; i < headLength; i++) {
            left = (left << Byte.SIZE) | (head[i] & 0xFF);
        }
        require(left >= 0, "announced a WebSocket frame of 2^63 bytes or more");
        headLength = 0;
        controlLength = 0;
        isInPayload = true;
        isInMessage |= opcode() == Opcode.TEXT;
        if (!Opcode.isControl(opcode())) {
            assembler.expect(left);
        }
        if (left == 0) {
            // There is no byte that would end the frame.
            take(head, 0, 0);
        }
    }

    // ---- Payload

    private int payload(byte[] bytes, int from, int to) throws StreamEnd {
        int end = from + (int) Math.min(left, to - from);
        left -= end - from;
        take(bytes, from, end);
        return end;
    }

    private void take(byte[] bytes, int from, int to) throws StreamEnd {
        boolean isFrameOver = left == 0;
        isInPayload = !isFrameOver;
        if (Opcode.isControl(opcode())) {
            System.arraycopy(bytes, from, control, controlLength, to - from);
            controlLength += to - from;
            if (isFrameOver) {
                onControl(Arrays.copyOf(control, controlLength));
            }
            return;
        }
        if (!isFrameOver || !isFinal()) {
            assembler.add(bytes, from, to);
            return;
        }
        isInMessage = false;
        assembler.end(bytes, from, to);
        if (isInvalidText) {
            throw violation(CloseCode.INVALID_TEXT, "sent a WebSocket message that is not valid UTF-8");
        }
    }

    private void onControl(byte[] payload) throws StreamEnd {
        if (opcode() == Opcode.PING) {
            output.reply(framing.pong(payload));
        } else if (opcode() == Opcode.CLOSE) {
            throw closed(payload);
        }
    }

    private StreamEnd closed(byte[] payload) throws StreamEnd {
        if (payload.length == 0) {
            return end(server.name() + " closed the WebSocket without a code", CloseCode.NORMAL);
        }
        int code = payload.length == 1 ? 0 : ((payload[0] & 0xFF) << Byte.SIZE) | (payload[1] & 0xFF);
        require(CloseCode.isSendable(code), "closed the WebSocket with the invalid code " + code);
        if (!Utf8.isValid(payload, 2, payload.length)) {
            throw violation(CloseCode.INVALID_TEXT, "closed the WebSocket with a reason that is not valid UTF-8");
        }
        String reason = server.secrets()
                .get()
                .hide(new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8))
                .replaceAll("\\p{C}+", " ")
                .strip();
        String meaning = CloseCode.meaning(code);
        return end(
                server.name() + " closed the WebSocket with code " + code
                        + (meaning.isEmpty() ? "" : " (" + meaning + ")") + (reason.isEmpty() ? "" : ": " + reason),
                code);
    }

    /// A normal closure is no failure of the server: many close connections that are idle.
    private StreamEnd end(String message, int code) {
        FailureCategory category = code == CloseCode.NORMAL ? FailureCategory.LOCAL : FailureCategory.OFFLINE;
        CallFailure failure =
                new CallFailure(ErrorId.CONNECTION_LOST, category, Delivery.UNKNOWN, message, Evidence.NONE);
        return new StreamEnd(failure, framing.close(code, ""));
    }

    private StreamEnd violation(int code, String how) {
        return new StreamEnd(server.violation(how), framing.close(code, ""));
    }

    /// Checks the text of complete messages. Line ends are white space in JSON, but would end the message on the way
    /// to a client on standard output.
    private final class Text implements MessageAssembler.Sink {
        @Override
        public void message(byte[] buffer, int from, int to) {
            isInvalidText = !Utf8.isValid(buffer, from, to);
            if (!isInvalidText && to > from) {
                for (int i = from; i < to; i++) {
                    if (buffer[i] == '\n' || buffer[i] == '\r') {
                        buffer[i] = ' ';
                    }
                }
                output.message(buffer, from, to);
            }
        }

        @Override
        public void tooLong(OversizedMessage message) {
            output.tooLong(message);
        }
    }
}
