package dev.fusebox.gateway.front;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The format of the lines between a client and the gateway. Thread-safe; nothing blocks.
public interface LineCodec {
    /// A line is a message.
    LineCodec PLAIN = new LineCodec() {
        @Override
        public byte[] message(byte[] buffer, int from, int to) {
            return Arrays.copyOfRange(buffer, from, to);
        }
    };

    /// The message in a line; null if the line was something else, which has been handled.
    byte @Nullable [] message(byte[] buffer, int from, int to);

    /// The id of the first request of a server to the client. Where a client has several gateways one after the
    /// other, two of them must not use the same id: a late answer would reach the wrong one.
    default long firstRequestId() {
        return 1;
    }

    /// What precedes each message for the client; 0 for nothing.
    default byte mark() {
        return 0;
    }
}
