package dev.fusebox.breaker;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the reference model says to a caller. */
sealed interface ReferenceAnswer permits ReferenceCall, ReferenceAnswer.Refused {

    /** A refusal, with all that the library tells of it. */
    record Refused(
            State state,
            @Nullable Long retryAfterMs,
            @Nullable Instant retryAt,
            long failureCount,
            @Nullable String lastCategory,
            @Nullable String operatorReason)
            implements ReferenceAnswer {

        static Refused of(Rejection rejection) {
            return new Refused(
                    rejection.state(),
                    rejection.retryAfterMs(),
                    rejection.retryAt(),
                    rejection.failureCount(),
                    rejection.lastCategory(),
                    rejection.operatorReason());
        }
    }
}
