package dev.fusebox.oauth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.oauth.login.DeviceAuthorization.Answer;
import dev.fusebox.oauth.login.DeviceAuthorization.Outcome;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Polls by a clock that moves whenever somebody waits for it.
@Timeout(30)
class DeviceAuthorizationTest {
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final Answer<String> PENDING = new Answer.Pending<>();
    private static final Answer<String> SLOW_DOWN = new Answer.SlowDown<>();
    private static final Answer<String> GRANTED = new Answer.Granted<>("token");
    private static final Answer<String> UNANSWERED = new Answer.Unanswered<>(null);

    private final List<Long> polledAt = new ArrayList<>();
    private final Deque<Answer<String>> answers = new ArrayDeque<>();
    private long now = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();
    private final long begun = now;

    private final Platform platform = clocked();

    private Platform clocked() {
        Timers timers = new Timers() {
            @Override
            public void park(long nanos) {
                now += nanos;
            }

            @Override
            public Timer schedule(Duration delay, Runnable action) {
                throw new UnsupportedOperationException();
            }
        };
        Platform real = Platform.system();
        return new Platform(
                () -> now,
                real.wallClock(),
                real.random(),
                timers,
                real.environment(),
                real.processes(),
                real.peerUsers());
    }

    private Outcome<String> await(int interval, Answer<String> always, BooleanSupplier isCancelled)
            throws InterruptedException {
        return new DeviceAuthorization(LIFETIME, Duration.ofSeconds(interval))
                .await(
                        platform,
                        () -> {
                            polledAt.add(Duration.ofNanos(now - begun).toSeconds());
                            return answers.isEmpty() ? always : answers.removeFirst();
                        },
                        isCancelled);
    }

    private Outcome<String> await(int interval, Answer<String> always) throws InterruptedException {
        return await(interval, always, () -> false);
    }

    @Test
    void first_poll_comes_after_the_interval_and_pending_keeps_it() throws InterruptedException {
        answers.addAll(List.of(PENDING, PENDING));
        assertThat(await(3, GRANTED)).isEqualTo(new Outcome.LoggedIn<>("token"));
        assertThat(polledAt).containsExactly(3L, 6L, 9L);
    }

    @Test
    void missing_interval_is_five_seconds() throws InterruptedException {
        answers.add(PENDING);
        await(0, GRANTED);
        assertThat(polledAt).containsExactly(5L, 10L);
    }

    @Test
    void slow_down_adds_five_seconds_each_for_good() throws InterruptedException {
        answers.addAll(List.of(SLOW_DOWN, SLOW_DOWN, PENDING));
        await(5, GRANTED);
        assertThat(polledAt).containsExactly(5L, 15L, 30L, 45L);
    }

    @Test
    void endless_slow_down_ends_when_the_codes_expire() throws InterruptedException {
        assertThat(await(5, SLOW_DOWN)).isEqualTo(new Outcome.Expired<>());
        assertThat(polledAt).hasSize(14);
        assertThat(now - begun).isLessThan(LIFETIME.toNanos());
    }

    @Test
    void endless_pending_ends_when_the_codes_expire() throws InterruptedException {
        assertThat(await(5, PENDING)).isEqualTo(new Outcome.Expired<>());
        assertThat(polledAt).hasSize(119);
    }

    @Test
    void failures_double_the_pause_up_to_a_minute_and_an_answer_restores_it() throws InterruptedException {
        answers.addAll(List.of(UNANSWERED, UNANSWERED, UNANSWERED, UNANSWERED, UNANSWERED, PENDING));
        await(5, GRANTED);
        assertThat(polledAt).containsExactly(5L, 15L, 35L, 75L, 135L, 195L, 200L);
    }

    @Test
    void pause_that_the_server_asks_for_is_kept() throws InterruptedException {
        answers.add(new Answer.Unanswered<>(Duration.ofSeconds(90)));
        await(5, GRANTED);
        assertThat(polledAt).containsExactly(5L, 95L);
    }

    @Test
    void pause_beyond_the_lifetime_ends_the_wait_at_once() throws InterruptedException {
        assertThat(await(5, new Answer.Unanswered<>(Duration.ofDays(365)))).isEqualTo(new Outcome.Expired<>());
        assertThat(polledAt).containsExactly(5L);
    }

    @Test
    void refusal_ends_the_wait() throws InterruptedException {
        for (String code : List.of("access_denied", "expired_token")) {
            assertThat(await(5, new Answer.Refused<>(code))).isEqualTo(new Outcome.Declined<>(code));
        }
        assertThat(polledAt).hasSize(2);
    }

    @Test
    void cancelled_wait_sends_nothing_more() throws InterruptedException {
        assertThat(await(5, PENDING, () -> polledAt.size() == 2)).isEqualTo(new Outcome.Cancelled<>());
        assertThat(polledAt).containsExactly(5L, 10L);
    }

    @Test
    void exception_of_a_poll_ends_the_wait() {
        DeviceAuthorization.Poll<String, IOException> broken = () -> {
            throw new IOException("issuer unusable");
        };
        assertThatThrownBy(() ->
                        new DeviceAuthorization(LIFETIME, Duration.ofSeconds(5)).await(platform, broken, () -> false))
                .isInstanceOf(IOException.class);
    }

    @Test
    void tokens_are_not_in_the_text_form() {
        assertThat(GRANTED + " " + new Outcome.LoggedIn<>("token")).doesNotContain("token");
    }
}
