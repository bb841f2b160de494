package dev.fusebox.protocol;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A JSON-RPC message in its original form. Immutable, thread-safe.
public sealed interface Message {

    /// A message that requires a response.
    record Request(JsonView frame, RequestId id, String method) implements Message {
        /// Reads a frame that is certainly a request, such as one of our own.
        public static Request of(byte[] frame) {
            return (Request) read(frame);
        }

        /// The parameters; null if there are none.
        public @Nullable JsonView params() {
            return frame.member("params");
        }
    }

    /// A message without a response.
    record Notification(JsonView frame, String method) implements Message {
        /// Reads a frame that is certainly a notification, such as one of our own.
        public static Notification of(byte[] frame) {
            return (Notification) read(frame);
        }

        /// The parameters; null if there are none.
        public @Nullable JsonView params() {
            return frame.member("params");
        }
    }

    /// A result or an error for an earlier request.
    ///
    /// @param result null if this is an error
    /// @param error null if this is a result
    /// @param isOurs whether the gateway wrote what it contains in the gateway's name
    record Answer(
            JsonView frame,
            RequestId id,
            @Nullable JsonView result,
            @Nullable JsonView error,
            boolean isOurs) implements Message {
        /// The same, after every part that claims to be from the gateway has been checked to be the gateway's.
        public Answer asOurs() {
            return new Answer(frame, id, result, error, true);
        }

        /// The same answer with some parts changed by the gateway.
        public Answer withFrame(byte[] changed) {
            Answer answer = of(changed);
            return isOurs ? answer.asOurs() : answer;
        }

        /// Reads a frame that is certainly a response, such as one of our own.
        public static Answer of(byte[] frame) {
            return (Answer) read(frame);
        }
    }

    /// Not a valid message.
    ///
    /// @param code the JSON-RPC error code, [JsonRpcErrorCode#PARSE_ERROR] or [JsonRpcErrorCode#INVALID_REQUEST]
    /// @param reason what is wrong with it
    /// @param id the id that a response would need, if it is readable
    record Malformed(int code, String reason, @Nullable RequestId id) implements Message {}

    /// Several messages in one; only revision 2025-03-26 has this.
    record Batch(JsonView frame) implements Message {
        private static final String ONLY_REVISION = "2025-03-26";

        /// Whether a conversation in that revision may use batches; null if no revision was negotiated.
        public static boolean isIn(@Nullable String revision) {
            return ONLY_REVISION.equals(revision);
        }

        /// The messages, parsed lazily.
        public Stream<Message> messages() {
            return frame.elements().stream().map(Message::of);
        }
    }

    /// Reads one message that is all of the array.
    static Message read(byte[] frame) {
        byte[] text = ByteOrderMark.dropped(frame);
        return read(text, 0, text.length);
    }

    /// The same with another limit of nesting.
    static Message read(byte[] frame, int maxDepth) {
        try {
            return of(JsonView.parse(ByteOrderMark.dropped(frame), maxDepth));
        } catch (JsonSyntaxError fault) {
            return malformed(fault);
        }
    }

    /// Reads one message. Never throws: an invalid message is a value, too.
    static Message read(byte[] text, int from, int to) {
        try {
            return of(JsonView.parse(text, from, to));
        } catch (JsonSyntaxError fault) {
            return malformed(fault);
        }
    }

    private static Malformed malformed(JsonSyntaxError fault) {
        return new Malformed(JsonRpcErrorCode.PARSE_ERROR, String.valueOf(fault.getMessage()), null);
    }

    /// Reads a validated value as one message.
    static Message of(JsonView frame) {
        return frame.isArray() ? new Batch(frame) : Envelope.read(frame);
    }

    /// The same message, or a malformed one if it could mean one thing to the gateway and another to a server: a
    /// name in its parameters or in their `_meta` is duplicate, or has wrong capitals. For messages of clients.
    default Message exact() {
        return DuplicateNames.of(this);
    }
}
