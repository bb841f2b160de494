package dev.fusebox.breaker;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Passes work without checked exceptions through a breaker, whose own call method declares one. */
final class UncheckedCall {
    private UncheckedCall() {}

    static <T extends @Nullable Object> T call(CircuitBreaker breaker, Supplier<T> work) {
        Objects.requireNonNull(work, "work");
        return UncheckedCall.<T, RuntimeException>undeclared(breaker, work::get);
    }

    static void run(CircuitBreaker breaker, Runnable work) {
        Objects.requireNonNull(work, "work");
        UncheckedCall.<@Nullable Void, RuntimeException>undeclared(breaker, () -> {
            work.run();
            return null;
        });
    }

    /**
     * Work that throws a checked exception without declaring it, as other languages on the JVM can, is not wrapped: the
     * cast is erased, so the exception passes unchanged.
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends @Nullable Object, E extends Exception> T undeclared(
            CircuitBreaker breaker, Callable<T> work) throws E {
        try {
            return breaker.call(work);
        } catch (Exception thrown) {
            throw (E) thrown;
        }
    }
}
