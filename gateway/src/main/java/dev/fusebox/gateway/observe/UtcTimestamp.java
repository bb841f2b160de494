package dev.fusebox.gateway.observe;

import java.time.Instant;
import java.time.LocalDate;

/// A formatter of instants, equivalent to [Instant#toString] without the JDK's formatter classes, which a start
/// would have to load (docs/adr/0054). Stateless and thread-safe; nothing blocks.
public final class UtcTimestamp {
    private static final long SECONDS_PER_DAY = 86_400;
    private static final int LAST_YEAR = 9_999;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private UtcTimestamp() {}

    /// The time as in `2026-11-25T04:06:07.089Z`.
    public static String of(Instant at) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(at.getEpochSecond(), SECONDS_PER_DAY));
        if (date.getYear() < 0 || date.getYear() > LAST_YEAR) {
            return at.toString();
        }
        int second = (int) Math.floorMod(at.getEpochSecond(), SECONDS_PER_DAY);
        StringBuilder text = new StringBuilder(30);
        padded(text, date.getYear(), 4).append('-');
        padded(text, date.getMonthValue(), 2).append('-');
        padded(text, date.getDayOfMonth(), 2).append('T');
        padded(text, second / 3_600, 2).append(':');
        padded(text, second / 60 % 60, 2).append(':');
        padded(text, second % 60, 2);
        fraction(text, at.getNano());
        return text.append('Z').toString();
    }

    private static void fraction(StringBuilder text, int nanos) {
        if (nanos == 0) {
            return;
        }
        text.append('.');
        if (nanos % NANOS_PER_MILLI == 0) {
            padded(text, nanos / NANOS_PER_MILLI, 3);
        } else if (nanos % NANOS_PER_MICRO == 0) {
            padded(text, nanos / NANOS_PER_MICRO, 6);
        } else {
            padded(text, nanos, 9);
        }
    }

    private static StringBuilder padded(StringBuilder text, int number, int digits) {
        String plain = Integer.toString(number);
        for (int i = plain.length(); i < digits; i++) {
            text.append('0');
        }
        return text.append(plain);
    }
}
