package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Nothing is kept for a call, and little is made: bytes allocated for each, on average over a million calls. */
class AllocationTest {
    private static final int CALLS = 1_000_000;
    private static final int WARM_UP = 200_000;
    /** A permit or a refusal is at most 32 bytes; the rest is for what else allocates in this thread meanwhile. */
    private static final double ONE_SMALL_OBJECT = 40;

    private final CircuitBreaker breaker = CircuitBreaker.of("jira");
    private int ended;

    /** Makes the bean known without a dependency of the module on the management modules. */
    private static long allocatedByThisThread() throws ReflectiveOperationException {
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        Method bytes = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
        return (long) invoke(bytes, bean);
    }

    private static Object invoke(Method method, Object target) throws ReflectiveOperationException {
        try {
            return method.invoke(target);
        } catch (InvocationTargetException thrown) {
            throw new AssertionError("no measurement", thrown.getCause());
        }
    }

    private static double bytesPerCall(Runnable call) throws ReflectiveOperationException {
        repeat(call, WARM_UP);
        long before = allocatedByThisThread();
        repeat(call, CALLS);
        return (allocatedByThisThread() - before) / (double) CALLS;
    }

    private static void repeat(Runnable call, int times) {
        for (int i = 0; i < times; i++) {
            call.run();
        }
    }

    @Test
    void a_call_of_a_closed_breaker_allocates_nothing() throws Exception {
        Callable<String> work = () -> "result";
        assertThat(bytesPerCall(() -> call(breaker, work))).isLessThan(1);
    }

    @Test
    void a_call_under_a_window_allocates_nothing() throws Exception {
        CircuitBreaker window = CircuitBreaker.of(
                "jira",
                BreakerPolicy.defaults()
                        .with(TripRule.SlidingWindow.of(Duration.ofMinutes(5), 10, 5)
                                .orSlowCalls(Duration.ofSeconds(5), 0.5)));
        Callable<String> work = () -> "result";
        assertThat(bytesPerCall(() -> call(window, work))).isLessThan(1);
    }

    @Test
    void a_permit_is_one_small_object() throws Exception {
        assertThat(bytesPerCall(() -> ended += ((Permit) breaker.tryAcquire()).succeeded() ? 1 : 0))
                .isLessThanOrEqualTo(ONE_SMALL_OBJECT);
        assertThat(ended).isEqualTo(CALLS + WARM_UP);
    }

    @Test
    void a_refusal_is_one_small_object() throws Exception {
        CircuitBreaker open = CircuitBreaker.of("jira", Rig.policy(1).with(Cooldown.fixed(Duration.ofDays(1))));
        ((Permit) open.tryAcquire()).failed("bad");
        assertThat(bytesPerCall(() -> ended += open.tryAcquire() instanceof Rejection ? 1 : 0))
                .isLessThanOrEqualTo(ONE_SMALL_OBJECT);
        assertThat(ended).isEqualTo(CALLS + WARM_UP);
    }

    private void call(CircuitBreaker through, Callable<String> work) {
        try {
            ended += through.call(work).length();
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }
}
