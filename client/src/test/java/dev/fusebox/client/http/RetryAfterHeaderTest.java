package dev.fusebox.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Values of Retry-After.
class RetryAfterHeaderTest {
    private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0",
                "17|17",
                "0000000000017|17",
                "Tue, 24 Nov 2026 10:01:00 GMT|60",
                "Tuesday, 24-Nov-26 10:01:00 GMT|60",
                "Tue Nov 24 10:01:00 2026|60",
                "Mon, 24 Nov 2026 10:01:00 GMT|60",
                "Tue, 24 Nov 2026 09:59:59 GMT|0",
                "Sunday, 06-Nov-94 08:49:37 GMT|0",
                "Sun Nov  6 08:49:37 1994|0"
            })
    void seconds_and_dates_in_the_three_formats_are_parsed(String value, long seconds) {
        assertThat(RetryAfterHeader.parse(value, NOW)).hasSeconds(seconds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "301",
                "999999999",
                "99999999999999999999999999",
                "Tue, 24 Nov 2026 10:06:00 GMT",
                "Fri, 31 Dec 9999 23:59:59 GMT",
                "Fri, 31 Dec 999999999 23:59:59 GMT",
                "Saturday, 24-Nov-74 10:00:00 GMT"
            })
    void longer_waits_are_limited_to_five_minutes(String value) {
        assertThat(RetryAfterHeader.parse(value, NOW)).isEqualTo(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "+5",
                "1.5",
                "1e3",
                "5 s",
                "soon",
                "\u0665",
                "Tue, 24 Nov 2026",
                "Tue, 31 Nov 2026 10:00:00 GMT",
                "Tue, 24 Nov 2026 25:00:00 GMT",
                "Tue, 24 Foo 2026 10:00:00 GMT",
                "Tue, 24 Nov -2026 10:00:00 GMT",
                "2026-11-24T10:01:00Z"
            })
    void anything_else_has_no_effect(String value) {
        assertThat(RetryAfterHeader.parse(value, NOW)).isNull();
    }

    @Test
    void very_long_numbers_are_limited_as_well() {
        assertThat(RetryAfterHeader.parse("9".repeat(8_000), NOW)).isEqualTo(RetryAfterHeader.LONGEST);
    }
}
