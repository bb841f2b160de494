package dev.fusebox.gateway.session;

import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.MessagePreview;

/// The limit on messages of clients over standard input, with or without a connector. Thread-safe; nothing blocks.
public final class ClientMessageLimit {
    /// The default of `limits.frameBytes`, the limit on messages of servers. A connector has to know it without the
    /// configuration, so it cannot be configured.
    public static final int BYTES = 16 << 20;

    private ClientMessageLimit() {}

    /// The error for a message over the limit. Its id is null if neither the beginning nor the end of the message
    /// shows that it is a request and which id it has.
    public static byte[] error(OversizedMessage line) {
        MessagePreview seen = line.seen();
        String message = "message of " + line.bytes() + " bytes exceeds the limit of " + BYTES
                + " bytes for messages of clients; it was not processed; send less data in one message";
        return JsonRpcFrames.error(seen.asks() ? seen.id() : null, JsonRpcErrorCode.INVALID_REQUEST, message, null);
    }
}
