package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls on the caller's own thread: what passes through, what counts, and what a bad judge can do: nothing. */
class CallTest {
    private static final Judge THROWING = new Judge() {
        @Override
        public Verdict returned(@Nullable Object result) {
            throw new AssertionError("no verdict on results");
        }

        @Override
        public Verdict threw(Throwable thrown) {
            throw new IllegalStateException("no verdict on exceptions");
        }
    };

    /** In which state the call meets the breaker: calls of a closed one need no permit, tests do. */
    enum Meets {
        CLOSED,
        DUE_FOR_A_TEST;

        Rig rig() {
            return rig(Judge.defaults());
        }

        Rig rig(Judge judge) {
            Rig rig = Rig.of(Rig.policy(this == CLOSED ? 3 : 1), judge);
            if (this == DUE_FOR_A_TEST) {
                rig.fail(1);
                rig.time.advance(Rig.COOLDOWN);
            }
            return rig;
        }
    }

    private static Throwable thrownBy(Rig rig, Throwable thrown) {
        Callable<String> work = () -> {
            CallTest.<RuntimeException>rethrow(thrown);
            return "never";
        };
        return catchThrowable(() -> rig.breaker.call(work));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @ParameterizedTest
    @EnumSource
    void the_result_passes_unchanged(Meets meets) throws Exception {
        Object result = new Object();
        assertThat(meets.rig().breaker.call(() -> result)).isSameAs(result);
        assertThat(meets.rig().breaker.<@Nullable Object>call(() -> null)).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void an_exception_passes_as_the_same_object_and_is_a_failure(Meets meets) {
        for (Throwable thrown : new Throwable[] {
            new IOException("checked"), new IllegalStateException("unchecked"), new AssertionError("error")
        }) {
            Rig rig = meets.rig();
            assertThat(thrownBy(rig, thrown)).isSameAs(thrown).hasNoSuppressedExceptions();
            assertThat(rig.breaker.snapshot().lastFailure())
                    .isEqualTo(new Failure("other", rig.time.instant(), thrown.toString()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_is_about_this_side_is_neither_success_nor_failure(Meets meets) {
        for (Throwable thrown : new Throwable[] {
            new InterruptedException(), new CancellationException(), new StackOverflowError(), new InternalError()
        }) {
            Rig rig = meets.rig();
            long callsBefore = rig.breaker.snapshot().totalCalls();
            assertThat(thrownBy(rig, thrown)).isSameAs(thrown);
            assertThat(rig.totals().abandoned()).isEqualTo(1);
            assertThat(rig.breaker.snapshot().totalCalls()).isEqualTo(callsBefore);
            rig.permit();
        }
    }

    @Test
    void refused_work_is_not_begun() {
        Rig rig = Rig.consecutive(1);
        rig.fail(1);
        AtomicInteger begun = new AtomicInteger();
        assertThatThrownBy(() -> rig.breaker.call(begun::incrementAndGet)).isInstanceOf(CallRejectedException.class);
        assertThat(begun).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void a_judge_that_throws_is_counted_and_the_default_rules_decide(Meets meets) throws Exception {
        Rig good = meets.rig(THROWING);
        assertThat(good.breaker.call(() -> "result")).isEqualTo("result");
        assertThat(good.state()).isEqualTo(State.CLOSED);
        assertThat(good.totals().faults()).isEqualTo(1);
        Rig bad = meets.rig(THROWING);
        IOException thrown = new IOException("bad");
        assertThat(thrownBy(bad, thrown)).isSameAs(thrown);
        assertThat(bad.breaker.snapshot().lastFailure()).isNotNull();
        assertThat(bad.totals().faults()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("NullAway") // as a judge in a language without null checks may do
    void a_judge_that_gives_no_verdict_is_counted_and_the_default_rules_decide(Meets meets) throws Exception {
        Rig good = meets.rig(Judge.ofResults(result -> null));
        assertThat(good.breaker.call(() -> "result")).isEqualTo("result");
        assertThat(good.state()).isEqualTo(State.CLOSED);
        assertThat(good.totals().faults()).isEqualTo(1);
        Rig bad = meets.rig(Judge.ofThrowables(thrown -> null));
        IOException thrown = new IOException("bad");
        assertThat(thrownBy(bad, thrown)).isSameAs(thrown);
        assertThat(bad.breaker.snapshot().lastFailure()).isNotNull();
        assertThat(bad.totals().faults()).isEqualTo(1);
    }

    @Test
    void a_judge_may_call_a_result_a_failure_and_an_exception_a_success() throws Exception {
        Judge judge = new Judge() {
            @Override
            public Verdict returned(@Nullable Object result) {
                return Verdict.failure("http");
            }

            @Override
            public Verdict threw(Throwable thrown) {
                return Verdict.success();
            }
        };
        Rig rig = Rig.of(Rig.policy(2), judge);
        assertThat(rig.breaker.call(() -> 503)).isEqualTo(503);
        assertThat(rig.breaker.snapshot().failureCount()).isEqualTo(1);
        assertThat(thrownBy(rig, new IOException("an answer"))).isInstanceOf(IOException.class);
        assertThat(rig.breaker.snapshot().failureCount()).isZero();
    }
}
