package dev.fusebox.breaker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recorded failure: text, never the exception itself, which could keep any object reachable. Immutable.
 *
 * @param category such as {@code offline}
 * @param at when it was recorded
 * @param cause the exception as text, its first 200 characters; null when nothing was thrown
 */
public record Failure(String category, Instant at, @Nullable String cause) {
    private static final int LONGEST_CAUSE = 200;

    static Failure of(Verdict verdict, Instant at) {
        return new Failure(verdict.category(), at, verdict.cause() == null ? null : text(verdict.cause()));
    }

    private static String text(Throwable cause) {
        String text = null;
        try {
            text = cause.toString();
        } catch (Throwable unprintable) {
            // An exception that cannot be printed does not change how the call ends.
        }
        if (text == null) {
            text = cause.getClass().getName();
        }
        return text.length() <= LONGEST_CAUSE ? text : text.substring(0, LONGEST_CAUSE) + "...";
    }

    @Override
    public String toString() {
        return cause == null ? category : category + ", " + cause;
    }
}
