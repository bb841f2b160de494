package dev.fusebox.gateway.lifecycle;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.era.SingleServerHarness;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ServerLifecycleTest {
    /// Scheduled actions have no effect here.
    private static final ServerLifecycle.Actions IDLE = new ServerLifecycle.Actions() {
        @Override
        public void read() {
            // Never completes.
        }

        @Override
        public void poll() {
            // Never completes.
        }
    };

    private static boolean isSettled(ServerLifecycle lifecycle, Duration limit) {
        try {
            return lifecycle.awaitSettled(limit);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static boolean isSettled(ServerLifecycle lifecycle, Deadline deadline) {
        try {
            return lifecycle.awaitSettled(deadline);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /// The call is started, and waits.
    private static FutureTask<Boolean> waiting(Callable<Boolean> work) {
        FutureTask<Boolean> task = new FutureTask<>(work);
        Thread thread = Thread.ofVirtual().start(task);
        eventually("the thread is waiting", () -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
        return task;
    }

    @Test
    void wait_for_a_removed_server_ends_at_once() throws Exception {
        ServerLifecycle lifecycle = new ServerLifecycle(
                SingleServerHarness.PLATFORM,
                new ServerLifecycle.Subject("one", LifecycleSettings.usual(true)),
                IDLE,
                LifecycleEvent.Listener.NONE);
        lifecycle.command("restart requested", true);
        assertThat(isSettled(lifecycle, Duration.ofMillis(1))).isFalse();
        FutureTask<Boolean> waits = waiting(() -> isSettled(lifecycle, Duration.ofHours(1)));
        lifecycle.close();
        eventually("the wait is over", waits::isDone);
        lifecycle.connecting();
        assertThat(lifecycle.health().status()).isEqualTo(ServerStatus.COMMAND_RECEIVED);
    }

    @Test
    void rejected_credentials_are_reported_with_the_command_and_the_next_retry() {
        ServerLifecycle lifecycle = new ServerLifecycle(
                SingleServerHarness.PLATFORM,
                new ServerLifecycle.Subject("one", LifecycleSettings.usual(false)),
                IDLE,
                LifecycleEvent.Listener.NONE);
        Evidence unauthorized = Evidence.ofHttp(401, null);
        lifecycle.connecting();
        lifecycle.failed(
                new CallFailure(ErrorId.HTTP_401, FailureCategory.AUTH, Delivery.REJECTED, "HTTP 401", unauthorized));
        assertThat(lifecycle.health().status()).isEqualTo(ServerStatus.REQUIRES_REAUTH);
        CallFailure refusal = Objects.requireNonNull(lifecycle.refusal());
        assertThat(refusal.code()).isEqualTo(ErrorCode.AUTH_REQUIRED);
        assertThat(refusal.message()).contains("Authentication failed (HTTP 401)", "fusebox connect one", " ms) tries");
        assertThat(Objects.requireNonNull(refusal.retryAfter()))
                .isBetween(Duration.ofMillis(1), Duration.ofMillis(5_001));
        assertThat(lifecycle.isRefusing()).isTrue();
        lifecycle.close();
    }

    @Test
    void cancelled_caller_stops_waiting() throws Exception {
        ServerLifecycle lifecycle = new ServerLifecycle(
                SingleServerHarness.PLATFORM,
                new ServerLifecycle.Subject("one", LifecycleSettings.usual(true)),
                IDLE,
                LifecycleEvent.Listener.NONE);
        lifecycle.command("restart requested", true);
        Deadline deadline = Deadline.endless(SingleServerHarness.PLATFORM.ticker());
        FutureTask<Boolean> waits = waiting(() -> isSettled(lifecycle, deadline));
        deadline.giveUp();
        eventually("the wait is over", waits::isDone);
        assertThat(waits.get()).isFalse();
        lifecycle.close();
    }
}
