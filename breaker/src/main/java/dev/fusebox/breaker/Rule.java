package dev.fusebox.breaker;

import java.time.Duration;
import java.util.Objects;

/** The validation of settings; its errors name the field, the value and the rule. */
final class Rule {
    /** Longer times are typing errors. The bound also keeps sums of nanoseconds far from overflow. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** Larger counts are typing errors. */
    static final int LARGEST = 1_000_000;

    private Rule() {}

    static void text(String field, String value) {
        Objects.requireNonNull(value, field);
        require(!value.isBlank(), field, "\"" + value + "\"", "it must not be blank");
        // Names and reasons are read by people and language models, and have to stay on one line.
        boolean oneLine = value.chars().noneMatch(Character::isISOControl);
        require(oneLine, field, "a text with control characters", "it must not have any");
    }

    static void count(String field, int value) {
        count(field, value, LARGEST);
    }

    static void count(String field, int value, int most) {
        require(value >= 1 && value <= most, field, value, "it must be from 1 to " + most);
    }

    /** A larger minimum would make a threshold unreachable: no window holds that many calls. */
    static void minimum(String field, int value) {
        String rule = "it must be from 1 to " + LARGEST + ", because a larger threshold would never be reached";
        require(value >= 1 && value <= LARGEST, field, value, rule);
    }

    static void countOrNone(String field, int value, int most) {
        require(value >= 0 && value <= most, field, value, "it must be from 0 to " + most);
    }

    static void time(String field, Duration value) {
        Objects.requireNonNull(value, field);
        boolean good = value.compareTo(Duration.ofMillis(1)) >= 0 && value.compareTo(LONGEST) <= 0;
        require(good, field, value, "it must be from 1 ms to " + LONGEST.toDays() + " days");
    }

    static void between(String field, double value, double least, double most) {
        require(value >= least && value <= most, field, value, "it must be from " + least + " to " + most);
    }

    static void share(String field, double value) {
        require(value > 0 && value <= 1, field, value, "it must be a share above 0 and at most 1");
    }

    static void require(boolean kept, String field, Object value, String rule) {
        if (!kept) {
            throw new IllegalArgumentException(field + " is " + value + ": " + rule);
        }
    }
}
