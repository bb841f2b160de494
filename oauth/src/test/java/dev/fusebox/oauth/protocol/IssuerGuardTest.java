package dev.fusebox.oauth.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Turns and the breaker of an authorization server, in manual time.
@Timeout(60)
class IssuerGuardTest {
    private final ManualTime time = new ManualTime();
    private final IssuerGuard guard = new IssuerGuard(time.platform(), "https://as.test");
    private final AtomicInteger sent = new AtomicInteger();

    private CallFailure failing(FailureCategory category) {
        HttpFailure failure = catchThrowableOfType(
                HttpFailure.class,
                () -> guard.send(() -> {
                    sent.incrementAndGet();
                    throw new HttpFailure(CallFailure.notSent(ErrorId.CONNECT_FAILED, category, "refused"));
                }));
        return failure.failure();
    }

    private boolean isSent(FailureCategory category) {
        int before = sent.get();
        failing(category);
        return sent.get() > before;
    }

    @Test
    void cooldown_grows_from_one_second_to_sixty_and_nothing_is_sent_during_it() {
        for (int i = 0; i < 3; i++) {
            assertThat(isSent(FailureCategory.OFFLINE)).isTrue();
        }
        CallFailure rejected = failing(FailureCategory.OFFLINE);
        assertThat(rejected.id()).isEqualTo(ErrorId.ISSUER_DOWN);
        assertThat(rejected.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(rejected.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            time.advance(Duration.ofSeconds(seconds).minusMillis(2));
            assertThat(isSent(FailureCategory.OFFLINE)).isFalse();
            // Up to a tenth of jitter.
            time.advance(Duration.ofMillis(seconds * 100L + 3));
            assertThat(isSent(FailureCategory.OFFLINE)).isTrue();
        }
    }

    @Test
    void local_shortage_and_forbidden_address_do_not_count() {
        for (int i = 0; i < 10; i++) {
            assertThat(isSent(FailureCategory.LOCAL)).isTrue();
            assertThat(isSent(FailureCategory.POLICY)).isTrue();
        }
    }

    @Test
    void turn_is_awaited_for_twenty_seconds() throws Exception {
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<Throwable> ends = new CopyOnWriteArrayList<>();
        Thread first = Thread.ofVirtual()
                .start(() -> ends.add(catchThrowable(() -> guard.send(() -> {
                    isRunning.countDown();
                    awaitUninterrupted(go);
                    throw new HttpFailure(CallFailure.of(ErrorId.CONNECTION_LOST, "lost"));
                }))));
        isRunning.await();
        List<CallFailure> failures = new CopyOnWriteArrayList<>();
        Thread second = Thread.ofVirtual().start(() -> failures.add(failing(FailureCategory.OFFLINE)));
        time.awaitPending(1);
        time.advance(Duration.ofSeconds(20));
        second.join();
        assertThat(failures.getFirst())
                .returns(ErrorId.ISSUER_DOWN, CallFailure::id)
                .returns(Delivery.NOT_SENT, CallFailure::delivery);
        assertThat(sent).hasValue(0);
        go.countDown();
        first.join();
        assertThat(ends).hasOnlyElementsOfType(HttpFailure.class);
        assertThat(isSent(FailureCategory.OFFLINE)).isTrue();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
