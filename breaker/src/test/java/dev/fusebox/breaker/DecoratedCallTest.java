package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls of work that throws no checked exception, and work that carries its breaker with it. */
class DecoratedCallTest {
    private final Rig rig = Rig.consecutive(2);
    private final CircuitBreaker breaker = rig.breaker;
    private final List<String> done = new ArrayList<>();

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable, T> T failWith(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static String issue(String key) throws IOException {
        if (key.isEmpty()) {
            throw new IOException("no such issue");
        }
        return "issue " + key;
    }

    @Test
    void work_without_checked_exceptions_is_called_and_counted_as_any_call() {
        breaker.run(() -> done.add("ran"));

        assertThat(breaker.callUnchecked(() -> "result")).isEqualTo("result");
        assertThat(breaker.<@Nullable String>callUnchecked(() -> null)).isNull();
        assertThat(done).containsExactly("ran");
        assertThat(breaker.snapshot().totalCalls()).isEqualTo(3);
    }

    @Test
    void failures_of_such_work_pass_unchanged_and_open_the_breaker() {
        RuntimeException bug = new IllegalStateException("bug");
        IOException undeclared = new IOException("undeclared");

        assertThat(catchThrowable(() -> breaker.run(() -> failWith(bug)))).isSameAs(bug);
        assertThat(catchThrowable(() -> breaker.callUnchecked(() -> failWith(undeclared))))
                .isSameAs(undeclared);
        assertThat(breaker.state()).isEqualTo(State.OPEN);
    }

    @Test
    void such_work_is_not_begun_when_the_breaker_refuses() {
        breaker.forceOpen("maintenance");

        assertThatThrownBy(() -> breaker.run(() -> done.add("ran"))).isInstanceOf(CallRejectedException.class);
        assertThatThrownBy(() -> breaker.callUnchecked(() -> done.add("called")))
                .isInstanceOf(CallRejectedException.class);
        assertThat(done).isEmpty();
    }

    @Test
    void decorated_work_asks_the_breaker_at_each_call() throws Exception {
        Callable<String> callable = breaker.decorate(() -> issue("BZ-1234"));
        Supplier<Integer> supplier = breaker.decorateSupplier(done::size);
        Runnable runnable = breaker.decorateRunnable(() -> done.add("ran"));
        assertThat(breaker.snapshot().totalCalls()).isZero();

        assertThat(callable.call()).isEqualTo("issue BZ-1234");
        runnable.run();
        assertThat(supplier.get()).isEqualTo(1);
        breaker.forceOpen("maintenance");

        assertThatThrownBy(callable::call).isInstanceOf(CallRejectedException.class);
        assertThatThrownBy(supplier::get).isInstanceOf(CallRejectedException.class);
        assertThatThrownBy(runnable::run).isInstanceOf(CallRejectedException.class);
        breaker.reset();
        assertThat(callable.call()).isEqualTo("issue BZ-1234");
        assertThat(done).containsExactly("ran");
    }

    @Test
    void lambdas_and_method_references_select_the_form_without_casts() throws Exception {
        assertThat(breaker.decorate(() -> issue("BZ-1")).call()).isEqualTo("issue BZ-1");
        assertThat(breaker.decorate(this::toString).call()).isEqualTo(toString());
        assertThat(breaker.decorateSupplier(this::toString).get()).isEqualTo(toString());
        breaker.decorateRunnable(done::clear).run();
        breaker.run(done::clear);
        assertThat(breaker.callUnchecked(done::size)).isZero();
    }

    @Test
    void a_decorated_callable_throws_what_its_work_throws() {
        Callable<String> missing = breaker.decorate(() -> issue(""));

        assertThatThrownBy(missing::call).isInstanceOf(IOException.class).hasMessage("no such issue");
        assertThatThrownBy(missing::call).isInstanceOf(IOException.class);
        assertThatThrownBy(missing::call).isInstanceOf(CallRejectedException.class);
    }

    @Test
    void decorated_work_runs_on_an_executor_that_reports_the_refusal_as_its_failure() {
        breaker.forceOpen("maintenance");

        CompletableFuture<Void> task =
                CompletableFuture.runAsync(breaker.decorateRunnable(() -> done.add("ran")), Runnable::run);

        assertThatThrownBy(task::join).hasCauseInstanceOf(CallRejectedException.class);
        assertThat(done).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // as callers in a language without null checks may do
    void missing_work_is_refused_when_it_is_given_and_does_not_count() {
        assertThatThrownBy(() -> breaker.run(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> breaker.callUnchecked(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> breaker.decorate(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> breaker.decorateSupplier(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> breaker.decorateRunnable(null)).isInstanceOf(NullPointerException.class);
        assertThat(breaker.snapshot().totalCalls()).isZero();
    }
}
