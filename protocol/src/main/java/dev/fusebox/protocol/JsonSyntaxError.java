package dev.fusebox.protocol;

/// Text that is not JSON, or JSON beyond our limits: the reason and the byte offset. Has no stack trace, because
/// hostile peers can provoke it as often as they like.
public final class JsonSyntaxError extends Exception {
    private static final long serialVersionUID = 1;

    private final int offset;

    JsonSyntaxError(int offset, String what) {
        super(what + " at byte " + offset, null, false, false);
        this.offset = offset;
    }

    public int offset() {
        return offset;
    }
}
