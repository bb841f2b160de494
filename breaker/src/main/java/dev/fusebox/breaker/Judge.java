package dev.fusebox.breaker;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Classifies results and exceptions: success, failure of the server, or neither. Implementations are thread-safe, do
 * not block and do not throw: if one throws nevertheless, the default judge decides, and the fault is counted in the
 * snapshot.
 */
public interface Judge {
    /** The verdict on a call that returned. */
    Verdict returned(@Nullable Object result);

    /** The verdict on a call that threw. */
    Verdict threw(Throwable thrown);

    /**
     * Every result is a success. An interruption, a cancellation, a rejection by another breaker and a {@link
     * VirtualMachineError} are neither, because the server did not cause them; every other exception is a failure of
     * category {@code other}.
     */
    static Judge defaults() {
        return StandardJudge.INSTANCE;
    }

    /** Every result is a success; exceptions are judged by {@code verdict}. */
    static Judge ofThrowables(Function<? super Throwable, Verdict> verdict) {
        return new Judge() {
            @Override
            public Verdict returned(@Nullable Object result) {
                return Verdict.success();
            }

            @Override
            public Verdict threw(Throwable thrown) {
                return verdict.apply(thrown);
            }
        };
    }

    /** Results are judged by {@code verdict}, exceptions by the default rules. */
    static Judge ofResults(Function<@Nullable Object, Verdict> verdict) {
        return new Judge() {
            @Override
            public Verdict returned(@Nullable Object result) {
                return verdict.apply(result);
            }

            @Override
            public Verdict threw(Throwable thrown) {
                return defaults().threw(thrown);
            }
        };
    }

    /** This judge, except that exceptions of one type get one verdict, such as {@link Verdict#success()}. */
    default Judge but(Class<? extends Throwable> type, Verdict verdict) {
        return new JudgeWithout(this, type, thrown -> verdict);
    }

    /** This judge, except that exceptions of one type are failures of one category. */
    default Judge failing(Class<? extends Throwable> type, String category) {
        return new JudgeWithout(this, type, thrown -> Verdict.failure(category, thrown));
    }

    /** This judge, except that of exceptions of one type, such as {@code ExecutionException}, it judges the cause. */
    default Judge unwrapping(Class<? extends Throwable> type) {
        return new JudgeWithout(this, type, thrown -> {
            Throwable cause = thrown.getCause();
            return threw(cause == null ? thrown : cause);
        });
    }
}
