package dev.fusebox.client.http;

import dev.fusebox.client.SendSlot;
import dev.fusebox.protocol.HeaderValueEncoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// HTTP request to send. Immutable as long as its body is not changed by its creator.
final class OutgoingRequest {
    private static final byte[] NOTHING = {};

    private final HttpTarget target;
    private final Message message;
    private final SendSlot slot;

    private OutgoingRequest(HttpTarget target, Message message, SendSlot slot) {
        this.target = target;
        this.message = message;
        this.slot = slot;
    }

    /// The parts that do not depend on the target.
    ///
    /// @param type of the body; null for a request without one
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(String method, @Nullable String type, List<String> fields, byte[] body) {}

    /// Its slot in the send order of its client.
    SendSlot slot() {
        return slot;
    }

    HttpTarget target() {
        return target;
    }

    byte[] body() {
        return message.body();
    }

    /// A request with JSON.
    ///
    /// @param fields name, value, name, value
    static OutgoingRequest post(HttpTarget target, List<String> fields, byte[] body) {
        return post(target, "application/json", fields, body);
    }

    /// @param type of the body
    /// @param fields name, value, name, value
    static OutgoingRequest post(HttpTarget target, String type, List<String> fields, byte[] body) {
        return new OutgoingRequest(target, new Message("POST", type, fields, body), SendSlot.NONE);
    }

    static OutgoingRequest without(String method, HttpTarget target, List<String> fields) {
        return new OutgoingRequest(target, new Message(method, null, fields, NOTHING), SendSlot.NONE);
    }

    /// The same for another path of the same origin.
    OutgoingRequest to(HttpTarget other) {
        return new OutgoingRequest(other, message, slot);
    }

    /// The same with a slot in a send order.
    OutgoingRequest inOrder(SendSlot other) {
        return new OutgoingRequest(target, message, other);
    }

    /// The same with more header fields.
    OutgoingRequest with(List<String> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(message.fields());
        all.addAll(more);
        return new OutgoingRequest(target, new Message(message.method(), message.type(), all, message.body()), slot);
    }

    /// Whether it asks for another protocol on its connection.
    boolean isUpgrade() {
        return hasField("Upgrade");
    }

    byte[] head() {
        StringBuilder head = new StringBuilder(512);
        head.append(message.method()).append(' ').append(target.path()).append(" HTTP/1.1\r\n");
        field(head, "Host", target.origin().hostHeader());
        // Compressed responses are accepted as well, but a compressor may delay events.
        field(head, "Accept-Encoding", "identity");
        if (message.type() != null) {
            field(head, "Content-Type", message.type());
            field(head, "Content-Length", Integer.toString(message.body().length));
        }
        List<String> fields = message.fields();
        for (int i = 0; i < fields.size(); i += 2) {
            field(head, fields.get(i), fields.get(i + 1));
        }
        target.headers().forEach((name, value) -> {
            if (!hasField(name)) {
                field(head, name, value);
            }
        });
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Whether the message has a field of this name, which replaces the one of the target.
    private boolean hasField(String name) {
        List<String> fields = message.fields();
        for (int i = 0; i < fields.size(); i += 2) {
            if (fields.get(i).equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /// The last check against line ends in header fields.
    private static void field(StringBuilder head, String name, String value) {
        if (!HeaderValueEncoding.isToken(name) || !HeaderValueEncoding.isFieldValue(value)) {
            throw new IllegalArgumentException("invalid header: " + name);
        }
        head.append(name).append(": ").append(value).append("\r\n");
    }
}
