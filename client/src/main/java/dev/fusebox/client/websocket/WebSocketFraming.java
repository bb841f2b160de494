package dev.fusebox.client.websocket;

import dev.fusebox.client.stream.StreamFraming;
import dev.fusebox.client.stream.StreamServer;
import dev.fusebox.platform.SecretIds;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/// Frames of WebSocket (RFC 6455, section 5): one text frame for each message, masked as a client must. Thread-safe;
/// nothing blocks.
final class WebSocketFraming implements StreamFraming {
    static final int FIN = 0x80;
    static final int MASKED = 0x80;
    static final int LENGTH_OF_2_BYTES = 126;
    static final int LENGTH_OF_8_BYTES = 127;

    private static final int MAX_LENGTH_OF_2_BYTES = 0xFFFF;
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final StreamServer server;
    /// Masking keys must not be predictable (RFC 6455, section 10.3).
    private final RandomGenerator maskingKeys = SecretIds.system();

    WebSocketFraming(StreamServer server) {
        this.server = server;
    }

    @Override
    public byte[] framed(byte[] message) {
        return frame(Opcode.TEXT, message);
    }

    @Override
    public byte[] closingBytes() {
        return close(CloseCode.NORMAL, "");
    }

    @Override
    public byte[] tooLongBytes() {
        return close(CloseCode.TOO_BIG, "message too big");
    }

    @Override
    public Decoder decoder(Output output) {
        return new FrameDecoder(this, server, output);
    }

    byte[] close(int code, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        byte[] payload = new byte[2 + text.length];
        payload[0] = (byte) (code >> Byte.SIZE);
        payload[1] = (byte) code;
        System.arraycopy(text, 0, payload, 2, text.length);
        return frame(Opcode.CLOSE, payload);
    }

    byte[] pong(byte[] payload) {
        return frame(Opcode.PONG, payload);
    }

    /// One unfragmented frame.
    private byte[] frame(int opcode, byte[] payload) {
        int length = payload.length;
        int lengthBytes = length < LENGTH_OF_2_BYTES ? 0 : length <= MAX_LENGTH_OF_2_BYTES ? Short.BYTES : Long.BYTES;
        int head = 2 + lengthBytes + Integer.BYTES;
        byte[] frame = new byte[head + length];
        frame[0] = (byte) (FIN | opcode);
        int shown = lengthBytes == 0 ? length : lengthBytes == Short.BYTES ? LENGTH_OF_2_BYTES : LENGTH_OF_8_BYTES;
        frame[1] = (byte) (MASKED | shown);
        for (int i = 0; i < lengthBytes; i++) {
            frame[2 + i] = (byte) ((long) length >>> (Byte.SIZE * (lengthBytes - 1 - i)));
        }
        int key = maskingKeys.nextInt();
        for (int i = 0; i < Integer.BYTES; i++) {
            frame[2 + lengthBytes + i] = (byte) (key >>> (Byte.SIZE * (Integer.BYTES - 1 - i)));
        }
        mask(payload, key, frame, head);
        return frame;
    }

    private static void mask(byte[] payload, int key, byte[] into, int head) {
        long twice = ((long) key << Integer.SIZE) | (key & 0xFFFF_FFFFL);
        int at = 0;
        for (; at + Long.BYTES <= payload.length; at += Long.BYTES) {
            EIGHT_BYTES.set(into, head + at, (long) EIGHT_BYTES.get(payload, at) ^ twice);
        }
        for (; at < payload.length; at++) {
            into[head + at] = (byte) (payload[at] ^ (key >>> (Byte.SIZE * (Integer.BYTES - 1 - at % Integer.BYTES))));
        }
    }
}
