package dev.fusebox.protocol;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One JSON-RPC message, as it came. Values; immutable.
public sealed interface Message {

    /// Asks for an answer.
    record Request(JsonView frame, RequestId id, String method) implements Message {
        /// Reads a frame that is a request for certain, such as one of our own making.
        public static Request of(byte[] frame) {
            return (Request) read(frame);
        }

        /// The parameters; null if there are none.
        public @Nullable JsonView params() {
            return frame.member("params");
        }
    }

    /// Tells, and wants no answer.
    record Notification(JsonView frame, String method) implements Message {
        /// Reads a frame that is a notification for certain, such as one of our own making.
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
    /// @param isOurs whether what stands in it in the gateway's name was written by the gateway
    record Answer(JsonView frame, RequestId id, boolean isOurs) implements Message {
        /// As it came from somebody else.
        public Answer(JsonView frame, RequestId id) {
            this(frame, id, false);
        }

        /// The same, once everything in it that speaks in the gateway's name is the gateway's.
        public Answer asOurs() {
            return new Answer(frame, id, true);
        }

        /// Reads a frame that is an answer for certain, such as one of our own making.
        public static Answer of(byte[] frame) {
            return (Answer) read(frame);
        }

        /// The result; null if this is an error.
        public @Nullable JsonView result() {
            return frame.member("result");
        }

        /// The error; null if this is a result.
        public @Nullable JsonView error() {
            return frame.member("error");
        }
    }

    /// Not a message.
    ///
    /// @param code what JSON-RPC calls it, [JsonRpcErrorCode#PARSE_ERROR] or [JsonRpcErrorCode#INVALID_REQUEST]
    /// @param reason what is wrong with it
    /// @param id whose answer this could be, if that much is readable
    record Malformed(int code, String reason, @Nullable RequestId id) implements Message {}

    /// Several messages in one; only revision 2025-03-26 knows this.
    record Batch(JsonView frame) implements Message {
        private static final String ONLY_REVISION = "2025-03-26";

        /// Whether a conversation in that revision may have batches; null if none was negotiated.
        public static boolean isIn(@Nullable String revision) {
            return ONLY_REVISION.equals(revision);
        }

        /// The messages, not one by one until they are asked for.
        public Stream<Message> messages() {
            return frame.elements().stream().map(Message::of);
        }
    }

    /// Reads one message that is all of the array.
    static Message read(byte[] frame) {
        byte[] text = ByteOrderMark.dropped(frame);
        return read(text, 0, text.length);
    }

    /// The same, where no deeper nesting is let in.
    static Message read(byte[] frame, int maxDepth) {
        try {
            return of(JsonView.parse(ByteOrderMark.dropped(frame), maxDepth));
        } catch (JsonSyntaxError fault) {
            return malformed(fault);
        }
    }

    /// Reads one message. Never throws: what is wrong with it is a value, too.
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

    /// Reads a checked value as one message.
    static Message of(JsonView frame) {
        return frame.isArray() ? new Batch(frame) : Envelope.read(frame);
    }

    /// The same, or malformed if it could mean one thing to us and another to a server: a name in its
    /// parameters or in their `_meta` stands twice, or is disguised by capitals. For messages of clients.
    default Message exact() {
        return DuplicateNames.of(this);
    }
}
