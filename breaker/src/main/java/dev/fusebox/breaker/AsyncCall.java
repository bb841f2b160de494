package dev.fusebox.breaker;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous call: the stage of the work, the future of the caller, and perhaps a timer. The first of them to end
 * settles the permit and decides the outcome. Used once; thread-safe.
 */
final class AsyncCall<T extends @Nullable Object> {
    private final Permit permit;
    private final Judge judge;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    AsyncCall(Permit permit, Judge judge) {
        this.permit = permit;
        this.judge = judge;
    }

    CompletableFuture<T> start(Supplier<? extends CompletionStage<T>> work) {
        try {
            CompletionStage<T> stage = Objects.requireNonNull(work.get(), "the supplier of the work returned no stage");
            stage.whenComplete(this::ended);
            whenAnswered(() -> {
                // A future that is completed by its owner abandons the call before the cancelled stage reports its
                // result.
                permit.close();
                cancel(stage);
            });
        } catch (Throwable thrown) {
            failed(thrown);
        }
        return answer;
    }

    /** To be called before the start: without a timer the work must not begin. */
    CompletableFuture<T> startWithin(Limit limit, Supplier<? extends CompletionStage<T>> work) {
        Future<?> alarm;
        try {
            alarm = limit.alarm(() -> timeOut(limit));
        } catch (RuntimeException | Error noTimer) {
            permit.abandoned();
            answer.completeExceptionally(noTimer);
            return answer;
        }
        whenAnswered(() -> alarm.cancel(false));
        // A short timer may fire before there is anything to cancel.
        return answer.isDone() ? answer : start(work);
    }

    private void ended(T result, @Nullable Throwable thrown) {
        if (thrown == null) {
            if (permit.settle(judge.returned(result))) {
                answer.complete(result);
            }
        } else {
            failed(thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown);
        }
    }

    private void failed(Throwable thrown) {
        if (permit.settle(judge.threw(thrown))) {
            answer.completeExceptionally(thrown);
        }
    }

    private void timeOut(Limit limit) {
        TimeoutException late = limit.exceeded();
        if (permit.settle(limit.verdict(late))) {
            answer.completeExceptionally(late);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the action is not awaited, and it does not fail
    private void whenAnswered(Runnable action) {
        answer.whenComplete((result, thrown) -> action.run());
    }

    /** Has no effect on a completed stage; a stage that cannot be cancelled continues, and its result is dropped. */
    private void cancel(CompletionStage<?> stage) {
        // First; otherwise the end of the stage, which this class causes, would be attributed to the server.
        permit.close();
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException notAFuture) {
            return;
        }
    }
}
