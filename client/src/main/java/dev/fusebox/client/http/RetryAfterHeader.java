package dev.fusebox.client.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Parser of the header field `Retry-After` (RFC 9110, section 10.2.3). Pure functions; nothing blocks.
final class RetryAfterHeader {
    /// Upper limit of the pause that a server may request.
    static final Duration LONGEST = Duration.ofMinutes(5);

    /// More digits exceed the upper limit, and possibly the range of a `long`.
    private static final int MAX_DIGITS = 9;

    private static final String TIME = " HH:mm:ss";

    /// RFC 9110, section 5.6.7, with years of more than four digits as well.
    private static final DateTimeFormatter FIXED = new DateTimeFormatterBuilder()
            .appendPattern("d MMM ")
            .appendValue(ChronoField.YEAR, 4, MAX_DIGITS, SignStyle.NOT_NEGATIVE)
            .appendPattern(TIME + " 'GMT'")
            .toFormatter(Locale.US)
            .withResolverStyle(ResolverStyle.STRICT);

    private static final DateTimeFormatter ASCTIME =
            DateTimeFormatter.ofPattern("MMM ppd" + TIME + " uuuu", Locale.US).withResolverStyle(ResolverStyle.STRICT);

    private RetryAfterHeader() {}

    /// How long to wait, at most [#LONGEST]; zero for a date in the past; null for what is neither a number of
    /// seconds nor a date.
    static @Nullable Duration parse(String value, Instant now) {
        if (value.matches("[0-9]+")) {
            String digits = value.replaceFirst("^0+(?=.)", "");
            return digits.length() > MAX_DIGITS ? LONGEST : atMost(Duration.ofSeconds(Long.parseLong(digits)));
        }
        Instant then = date(value, now);
        if (then == null) {
            return null;
        }
        return then.isBefore(now) ? Duration.ZERO : atMost(Duration.between(now, then));
    }

    private static Duration atMost(Duration wait) {
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }

    /// The name of the day is redundant.
    private static @Nullable Instant date(String value, Instant now) {
        String date = value.replaceFirst("^[A-Za-z]{3,9},? ", "");
        for (DateTimeFormatter format : List.of(FIXED, twoDigitYears(now), ASCTIME)) {
            try {
                return LocalDateTime.parse(date, format).toInstant(ZoneOffset.UTC);
            } catch (DateTimeException other) {
                // Try the next format.
            }
        }
        return null;
    }

    /// A year of two digits is never more than 50 years ahead.
    private static DateTimeFormatter twoDigitYears(Instant now) {
        return new DateTimeFormatterBuilder()
                .appendPattern("dd-MMM-")
                .appendValueReduced(
                        ChronoField.YEAR, 2, 2, now.atOffset(ZoneOffset.UTC).getYear() - 49)
                .appendPattern(TIME + " 'GMT'")
                .toFormatter(Locale.US)
                .withResolverStyle(ResolverStyle.STRICT);
    }
}
