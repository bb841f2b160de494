package dev.fusebox.breaker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One failure, as it is remembered: text, never the exception itself, which could hold on to anything. Immutable.
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
            // Whatever a foreign exception does when it is printed, the call ends as it would have.
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
