package dev.fusebox.breaker;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the reference model says to a caller. */
sealed interface ReferenceAnswer permits ReferenceCall, ReferenceAnswer.Refused {

    /**
     * A refusal, with all that the library tells of it.
     *
     * @param notBefore the exact moment; what the library tells is rounded up to milliseconds
     */
    record Refused(
            State state,
            @Nullable Long retryAfterMs,
            @Nullable Instant notBefore,
            long failureCount,
            @Nullable String lastCategory,
            @Nullable String operatorReason)
            implements ReferenceAnswer {

        /** Whether the library tells the same; its retry time may be rounded up twice. */
        boolean isToldBy(Rejection rejection) {
            Refused told = new Refused(
                    rejection.state(),
                    rejection.retryAfterMs(),
                    notBefore,
                    rejection.failureCount(),
                    rejection.lastCategory(),
                    rejection.operatorReason());
            return equals(told) && isInTime(rejection.retryAt());
        }

        private boolean isInTime(@Nullable Instant told) {
            if (told == null || notBefore == null) {
                return Objects.equals(told, notBefore);
            }
            return !told.isBefore(notBefore) && told.isBefore(notBefore.plusMillis(2));
        }
    }
}
