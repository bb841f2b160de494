package dev.fusebox.gateway.catalog;

import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a server says about how long a list of it may be used without asking again, and by whom (revision
/// 2026-07-28, section "Caching"). Immutable.
///
/// @param ttl null if it says nothing, as servers of the legacy era
/// @param isPrivate whether the list may be used only for those on whose behalf it was read
/// @param isAnnounced whether the server sends a notification when the list changes
public record ListHint(@Nullable Duration ttl, boolean isPrivate, boolean isAnnounced) {
    /// Longer times are reduced to this: they are probably given in the wrong unit.
    private static final long MAX_MILLIS = Duration.ofDays(1).toMillis();

    private static final int MAX_DIGITS = 15;

    /// Reads the hint of a result.
    static ListHint of(JsonView result, boolean isAnnounced) {
        if (result.member("resultType") == null && result.member("ttlMs") == null) {
            return new ListHint(null, false, isAnnounced);
        }
        return new ListHint(
                Duration.ofMillis(millis(result.member("ttlMs"))),
                !"public".equals(result.string("cacheScope")),
                isAnnounced);
    }

    /// A time that is missing or negative counts as 0, as for every client.
    private static long millis(@Nullable JsonView ttl) {
        String number = ttl == null ? "" : ttl.json();
        boolean isWhole = !number.isEmpty()
                && number.length() <= MAX_DIGITS
                && number.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isWhole ? Math.min(MAX_MILLIS, Long.parseLong(number)) : 0;
    }

    /// The hint that holds for both of two pages.
    ListHint and(ListHint other) {
        boolean isShorter = ttl == null || (other.ttl != null && other.ttl.compareTo(ttl) < 0);
        return new ListHint(
                isShorter ? other.ttl : ttl, isPrivate || other.isPrivate, isAnnounced && other.isAnnounced);
    }

    /// Whether the list is to be requested each time.
    boolean isOver() {
        return ttl != null && ttl.isZero();
    }

    /// The hint after this time.
    ListHint after(Duration age) {
        if (ttl == null) {
            return this;
        }
        Duration left = ttl.minus(age);
        return new ListHint(left.isNegative() ? Duration.ZERO : left, isPrivate, isAnnounced);
    }
}
