package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.JsonView;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reader of durations and times in seconds, which servers write in many ways. Pure functions.
final class Numbers {
    private static final int MAX_DIGITS = 30;
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,20}(\\.[0-9]{0,20})?([eE][+-]?[0-9]{1,2})?");

    /// A hundred thousand years: beyond any time that is meant.
    private static final BigDecimal HUGE = new BigDecimal("3e12");

    private Numbers() {}

    /// Whole seconds of a number or a numeric text; null if it is neither, or not positive, or beyond any time that
    /// is meant.
    static @Nullable Long seconds(JsonView value) {
        String text = value.isNumber() && value.length() <= MAX_DIGITS ? value.json() : value.string();
        if (text == null || !NUMBER.matcher(text.strip()).matches()) {
            return null;
        }
        BigDecimal number = new BigDecimal(text.strip());
        return number.compareTo(BigDecimal.ONE) < 0 || number.compareTo(HUGE) > 0 ? null : number.longValue();
    }
}
