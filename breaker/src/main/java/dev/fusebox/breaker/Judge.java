package dev.fusebox.breaker;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a result or an exception says about the server. Implementations are thread-safe, do not block and do not
 * throw: when one throws nevertheless, the default judge decides and the fault is counted in the snapshot.
 */
public interface Judge {
    /** The verdict on a call that returned. */
    Verdict returned(@Nullable Object result);

    /** The verdict on a call that threw. */
    Verdict threw(Throwable thrown);

    /**
     * Every result is a success. An interruption, a cancellation and a {@link VirtualMachineError} are neither, for
     * they are about this side; every other exception is a failure of category {@code other}.
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

    /** This judge, except that exceptions of one type get one verdict. */
    default Judge but(Class<? extends Throwable> type, Verdict verdict) {
        Judge others = this;
        return new Judge() {
            @Override
            public Verdict returned(@Nullable Object result) {
                return others.returned(result);
            }

            @Override
            public Verdict threw(Throwable thrown) {
                return type.isInstance(thrown) ? verdict : others.threw(thrown);
            }
        };
    }
}
