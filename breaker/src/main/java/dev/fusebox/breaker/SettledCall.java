package dev.fusebox.breaker;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs work under a permit, and ends the permit according to the outcome. */
final class SettledCall {
    private SettledCall() {}

    static <T extends @Nullable Object> T run(Permit permit, Judge judge, Callable<T> work) throws Exception {
        T result;
        try {
            result = work.call();
        } catch (Throwable thrown) {
            permit.settle(judge.threw(thrown));
            throw thrown;
        }
        permit.settle(judge.returned(result));
        return result;
    }
}
