package dev.fusebox.client.http;

import dev.fusebox.client.SendSlot;
import dev.fusebox.protocol.HeaderValueEncoding;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One request before it goes out. Immutable as long as nobody writes into the body, and nobody does.
final class OutgoingRequest {
    private static final byte[] NOTHING = {};

    private final HttpTarget target;
    private final String method;
    private final List<String> fields;
    private final byte[] body;
    private final SendSlot slot;

    private OutgoingRequest(HttpTarget target, Message message, SendSlot slot) {
        this.target = target;
        this.method = message.method();
        this.fields = message.fields();
        this.body = message.body();
        this.slot = slot;
    }

    /// What is the same wherever it goes.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(String method, List<String> fields, byte[] body) {}

    /// Its place among the messages of its client.
    SendSlot slot() {
        return slot;
    }

    HttpTarget target() {
        return target;
    }

    byte[] body() {
        return body;
    }

    /// @param fields name, value, name, value
    static OutgoingRequest post(HttpTarget target, List<String> fields, byte[] body) {
        return new OutgoingRequest(target, new Message("POST", fields, body), SendSlot.NONE);
    }

    static OutgoingRequest without(String method, HttpTarget target, List<String> fields) {
        return new OutgoingRequest(target, new Message(method, fields, NOTHING), SendSlot.NONE);
    }

    /// The same to another path of the same origin.
    OutgoingRequest to(HttpTarget other) {
        return new OutgoingRequest(other, new Message(method, fields, body), slot);
    }

    /// The same, sent when it is its turn.
    OutgoingRequest inOrder(SendSlot other) {
        return new OutgoingRequest(target, new Message(method, fields, body), other);
    }

    byte[] head() {
        StringBuilder head = new StringBuilder(512);
        head.append(method).append(' ').append(target.path()).append(" HTTP/1.1\r\n");
        field(head, "Host", target.origin().hostHeader());
        // Unpacked all the same if it comes; but events that a compressor holds back would come late.
        field(head, "Accept-Encoding", "identity");
        if (method.equals("POST")) {
            field(head, "Content-Type", "application/json");
            field(head, "Content-Length", Integer.toString(body.length));
        }
        for (int i = 0; i < fields.size(); i += 2) {
            field(head, fields.get(i), fields.get(i + 1));
        }
        target.headers().forEach((name, value) -> field(head, name, value));
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Nothing may end a line that must not: this is the last place to see it.
    private static void field(StringBuilder head, String name, String value) {
        if (!HeaderValueEncoding.isToken(name) || !HeaderValueEncoding.isFieldValue(value)) {
            throw new IllegalArgumentException("invalid header: " + name);
        }
        head.append(name).append(": ").append(value).append("\r\n");
    }
}
