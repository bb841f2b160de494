package dev.fusebox.breaker;

import org.jspecify.annotations.Nullable;

/** The texts of a rejection: a line for people, and a sentence for language models. */
final class RejectionMessages {
    private static final String ELSE = "use another tool, or tell the user that it is unavailable";
    private static final long MILLIS_PER_SECOND = 1_000;

    private RejectionMessages() {}

    // ---- For people

    static String forPeople(Rejection rejection) {
        return "Circuit breaker '" + rejection.name() + "' is open" + since(rejection) + retry(rejection);
    }

    private static String since(Rejection rejection) {
        return switch (rejection.state()) {
            case FORCED_OPEN -> ", forced by an operator: " + rejection.operatorReason();
            case HALF_OPEN -> " until its probe ends";
            case OPEN, CLOSED, DISABLED -> " after " + failures(rejection, category(rejection));
        };
    }

    /** The category {@code other} is left out: it has no information. */
    private static @Nullable String category(Rejection rejection) {
        String category = rejection.lastCategory();
        return Verdict.OTHER.equals(category) ? null : category;
    }

    private static String retry(Rejection rejection) {
        Long millis = rejection.retryAfterMs();
        return millis == null ? "" : "; retry in " + time(millis);
    }

    /** Rounded up: a call at that time is not too early. */
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
            case FORCED_OPEN -> "forced open by an operator (" + rejection.operatorReason() + ")";
            case HALF_OPEN -> "a probe is testing whether " + rejection.name() + " has recovered";
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
