package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/** Puts a refusal into words: a line for people, and a sentence for language models. */
final class RefusalWords {
    private static final String ELSE = "use another tool, or tell the user that it is unavailable";
    private static final long MILLIS_PER_SECOND = 1_000;

    private RefusalWords() {}

    // ---- For people

    static String forPeople(Rejection rejection) {
        return "Circuit breaker '" + rejection.name() + "' is open" + since(rejection) + retry(rejection);
    }

    private static String since(Rejection rejection) {
        return switch (rejection.state()) {
            case FORCED_OPEN -> ", forced by an operator: " + rejection.operatorReason();
            case HALF_OPEN -> " until its test call ends";
            case OPEN, CLOSED, DISABLED -> " after " + failures(rejection, category(rejection));
        };
    }

    /** A category that says nothing is left out. */
    private static @Nullable String category(Rejection rejection) {
        String category = rejection.lastCategory();
        return Verdict.OTHER.equals(category) ? null : category;
    }

    private static String retry(Rejection rejection) {
        Long millis = rejection.retryAfterMs();
        return millis == null ? "" : "; retry in " + time(millis);
    }

    /** Rounded up: a call that comes then is not too early. */
    private static String time(long millis) {
        return millis < MILLIS_PER_SECOND
                ? millis + " ms"
                : (millis + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND + " s";
    }

    // ---- For models

    static String forModel(Rejection rejection) {
        return "Circuit breaker '" + rejection.name() + "' is open: " + why(rejection) + "; " + what(rejection) + ".";
    }

    private static String why(Rejection rejection) {
        return switch (rejection.state()) {
            case FORCED_OPEN -> "an operator holds it open (" + rejection.operatorReason() + ")";
            case HALF_OPEN -> "a test call is finding out whether " + rejection.name() + " is back";
            case OPEN, CLOSED, DISABLED ->
                rejection.name() + " is down after " + failures(rejection, rejection.lastCategory());
        };
    }

    private static String what(Rejection rejection) {
        Long millis = rejection.retryAfterMs();
        if (millis == null) {
            return "do not retry, " + ELSE;
        }
        return "do not retry before " + rejection.retryAt() + " (in " + millis + " ms), " + ELSE;
    }

    // ---- For both

    private static String failures(Rejection rejection, @Nullable String category) {
        long count = rejection.failureCount();
        String plural = count == 1 ? " failure" : " failures";
        return count + plural + (category == null ? "" : " (last: " + category + ")");
    }
}
