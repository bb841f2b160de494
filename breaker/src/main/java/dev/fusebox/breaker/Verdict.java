package dev.fusebox.breaker;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one ended call says about the server: that it is well, that it is not, or neither. Immutable.
 *
 * @param kind what the call says
 * @param category the kind of failure, such as {@code offline}; empty unless it is a failure
 * @param cause what was thrown; null if nothing was, or it does not matter
 */
public record Verdict(Kind kind, String category, @Nullable Throwable cause) {
    /** The three things a call can say. */
    public enum Kind {
        SUCCESS,
        FAILURE,
        NEITHER
    }

    /** The category of a failure without a given category. */
    public static final String OTHER = "other";

    /** The category of a call that this library ended because its time was over. */
    public static final String TIMEOUT = "timeout";

    private static final Verdict SUCCESS = new Verdict(Kind.SUCCESS, "", null);
    private static final Verdict NEITHER = new Verdict(Kind.NEITHER, "", null);

    public Verdict {
        Objects.requireNonNull(kind, "kind");
        if (kind == Kind.FAILURE) {
            Rule.text("category", category);
        }
    }

    /** The server is well. */
    public static Verdict success() {
        return SUCCESS;
    }

    /** The call says nothing about the server: it was cancelled, refused by us, or needs a login. */
    public static Verdict neither() {
        return NEITHER;
    }

    /** The server is not well. */
    public static Verdict failure(String category) {
        return new Verdict(Kind.FAILURE, category, null);
    }

    /** The server is not well, as this exception shows. */
    public static Verdict failure(String category, Throwable cause) {
        return new Verdict(Kind.FAILURE, category, cause);
    }
}
