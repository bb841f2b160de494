package dev.fusebox.breaker;

/** Puts a refusal into words. */
final class RefusalWords {
    private static final String ELSE = "use another tool, or tell the user that it is unavailable";

    private RefusalWords() {}

    static String of(Rejection rejection) {
        return "Circuit breaker '" + rejection.name() + "' is open: " + why(rejection) + "; " + what(rejection) + ".";
    }

    private static String why(Rejection rejection) {
        return switch (rejection.state()) {
            case FORCED_OPEN -> "an operator holds it open (" + rejection.operatorReason() + ")";
            case HALF_OPEN -> "a test call is finding out whether " + rejection.name() + " is back";
            case OPEN, CLOSED, DISABLED -> rejection.name() + " is down after " + failures(rejection);
        };
    }

    private static String failures(Rejection rejection) {
        long count = rejection.failureCount();
        String category = rejection.lastCategory();
        String plural = count == 1 ? " failure" : " failures";
        return count + plural + (category == null ? "" : " (last: " + category + ")");
    }

    private static String what(Rejection rejection) {
        Long millis = rejection.retryAfterMs();
        if (millis == null) {
            return "do not retry, " + ELSE;
        }
        return "do not retry before " + rejection.retryAt() + " (in " + millis + " ms), " + ELSE;
    }
}
