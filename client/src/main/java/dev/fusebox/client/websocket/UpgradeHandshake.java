package dev.fusebox.client.websocket;

import dev.fusebox.client.http.ResponseHeaders;
import dev.fusebox.platform.SecretIds;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The opening handshake of one WebSocket (RFC 6455, section 4.1). Immutable.
///
/// @param key that the server proves to have read
record UpgradeHandshake(String key) {
    /// The subprotocol of MCP over WebSocket.
    static final String SUBPROTOCOL = "mcp";

    private static final String PROTOCOL_FIELD = "Sec-WebSocket-Protocol";
    private static final int KEY_BYTES = 16;

    /// RFC 6455, section 1.3.
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    static UpgradeHandshake start() {
        byte[] key = new byte[KEY_BYTES];
        SecretIds.system().nextBytes(key);
        return new UpgradeHandshake(Base64.getEncoder().encodeToString(key));
    }

    /// The fields of the request: name, value, name, value. No extension is offered, since one that compresses would
    /// let a small frame become a large message.
    List<String> fields() {
        return List.of(
                "Upgrade",
                "websocket",
                "Connection",
                "Upgrade",
                "Sec-WebSocket-Version",
                "13",
                "Sec-WebSocket-Key",
                key,
                PROTOCOL_FIELD,
                SUBPROTOCOL);
    }

    /// What is wrong with the response, as the end of a sentence about the server; null if nothing is.
    @Nullable
    String fault(ResponseHeaders response) {
        if (!response.lists("Upgrade", "websocket") || !response.lists("Connection", "upgrade")) {
            return "did not switch to WebSocket (its response lacks Upgrade or Connection)";
        }
        if (!accept().equals(response.only("Sec-WebSocket-Accept"))) {
            return "sent a wrong Sec-WebSocket-Accept";
        }
        if (!response.values("Sec-WebSocket-Extensions").isEmpty()) {
            return "selected a WebSocket extension that was not offered";
        }
        List<String> protocols = response.values(PROTOCOL_FIELD);
        return protocols.isEmpty() || hasSubprotocol(response)
                ? null
                : "selected a WebSocket subprotocol other than " + SUBPROTOCOL;
    }

    static boolean hasSubprotocol(ResponseHeaders response) {
        return List.of(SUBPROTOCOL).equals(response.values(PROTOCOL_FIELD));
    }

    private String accept() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-1", impossible);
        }
    }
}
