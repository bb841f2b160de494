package dev.fusebox.client.websocket;

/// Status codes of close frames (RFC 6455, section 7.4, and the registry of it). Pure functions.
final class CloseCode {
    static final int NORMAL = 1000;
    static final int PROTOCOL_ERROR = 1002;
    static final int UNSUPPORTED_DATA = 1003;
    static final int INVALID_TEXT = 1007;
    static final int TOO_BIG = 1009;

    private CloseCode() {}

    /// Whether a peer may send it. 1004 to 1006 and 1015 never appear in a frame.
    static boolean isSendable(int code) {
        boolean isRegistered = code >= NORMAL && code <= 1014 && (code < 1004 || code > 1006);
        return isRegistered || (code >= 3000 && code <= 4999);
    }

    /// The meaning of a code; empty for a code of an application.
    static String meaning(int code) {
        return switch (code) {
            case NORMAL -> "normal closure";
            case 1001 -> "going away";
            case PROTOCOL_ERROR -> "protocol error";
            case UNSUPPORTED_DATA -> "unsupported data";
            case INVALID_TEXT -> "invalid text";
            case 1008 -> "policy violation";
            case TOO_BIG -> "message too big";
            case 1010 -> "missing extension";
            case 1011 -> "internal error";
            case 1012 -> "service restart";
            case 1013 -> "try again later";
            case 1014 -> "bad gateway";
            default -> "";
        };
    }
}
