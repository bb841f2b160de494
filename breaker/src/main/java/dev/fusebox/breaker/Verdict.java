package dev.fusebox.breaker;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The classification of a completed call: success, failure of the server, or neither. Immutable.
 *
 * @param kind the classification
 * @param category the kind of failure, such as {@code offline}; empty unless it is a failure
 * @param cause the exception; null if there is none, or it does not matter
 */
public record Verdict(Kind kind, String category, @Nullable Throwable cause) {
    /** The three classifications. */
    public enum Kind {
        SUCCESS,
        FAILURE,
        NEITHER
    }

    /** The category of a failure without a given category. */
    public static final String OTHER = "other";

    /** The category of a call that this library ended after its timeout. */
    public static final String TIMEOUT = "timeout";

    private static final Verdict SUCCESS = new Verdict(Kind.SUCCESS, "", null);
    private static final Verdict NEITHER = new Verdict(Kind.NEITHER, "", null);

    public Verdict {
        Objects.requireNonNull(kind, "kind");
        if (kind == Kind.FAILURE) {
            Rule.text("category", category);
        }
    }

    /** The server is healthy. */
    public static Verdict success() {
        return SUCCESS;
    }

    /** The call gives no information about the server: it was cancelled, rejected locally, or needs a login. */
    public static Verdict neither() {
        return NEITHER;
    }

    /** The server failed. */
    public static Verdict failure(String category) {
        return new Verdict(Kind.FAILURE, category, null);
    }

    /** The server failed, as this exception shows. */
    public static Verdict failure(String category, Throwable cause) {
        return new Verdict(Kind.FAILURE, category, cause);
    }
}
