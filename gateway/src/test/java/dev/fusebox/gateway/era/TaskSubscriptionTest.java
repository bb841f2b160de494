package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The subscription to two tasks of a server that ends or refuses it. The server has a plan for each request.
@Timeout(60)
class TaskSubscriptionTest {
    private enum Plan {
        /// The subscription to one of the tasks is accepted, and ended at once.
        END,
        REFUSE
    }

    private final ManualTime time = new ManualTime();
    private final Queue<Plan> plans = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger interruptions = new AtomicInteger();
    private volatile boolean goesOn = true;

    private final TaskSubscription subscription =
            new TaskSubscription(time.platform(), this::answered, Set.of("a", "b"), new TaskSubscription.Listener() {
                @Override
                public void onNotification(Message.Notification notification) {
                    // The server tells nothing.
                }

                @Override
                public boolean continueAfterEnd() {
                    interruptions.incrementAndGet();
                    return goesOn;
                }
            });

    private Outcome answered(Call call) {
        Plan plan = plans.poll();
        requests.incrementAndGet();
        if (plan == Plan.END) {
            call.caller()
                    .onNotification(Message.Notification.of(JsonRpcFrames.notification(
                            "notifications/subscriptions/acknowledged",
                            "{\"notifications\":{\"taskIds\":[\"a\",\"forged\"]}}")));
        }
        return new Outcome.Failed(CallFailure.cancelled());
    }

    private void begin(Plan... all) {
        plans.addAll(List.of(all));
        subscription.begin(ClientMetadata.UNKNOWN);
    }

    private Set<String> granted() throws InterruptedException {
        return subscription.granted(Deadline.endless(time.platform().ticker()));
    }

    /// Waits for the pause after so many requests, and checks how long it is.
    private void pauses(int afterRequests, Duration pause) throws InterruptedException {
        eventually("the request has ended", () -> interruptions.get() == afterRequests);
        time.awaitPending(1);
        time.advance(pause.minusMillis(1));
        assertThat(requests).hasValue(afterRequests);
        time.advance(Duration.ofMillis(1));
        eventually("the server has got the next request", () -> requests.get() == afterRequests + 1);
    }

    @Test
    void ended_subscription_is_opened_again_after_a_second() throws InterruptedException {
        begin(Plan.END, Plan.END, Plan.END);
        assertThat(granted()).containsExactly("a");
        pauses(1, Duration.ofSeconds(1));
        pauses(2, Duration.ofSeconds(1));
        subscription.end();
    }

    @Test
    void server_that_refuses_later_gets_fewer_and_fewer_requests() throws InterruptedException {
        begin(Plan.END, Plan.REFUSE, Plan.REFUSE, Plan.END, Plan.END);
        pauses(1, Duration.ofSeconds(1));
        pauses(2, Duration.ofSeconds(2));
        pauses(3, Duration.ofSeconds(4));
        pauses(4, Duration.ofSeconds(1));
        subscription.end();
    }

    @Test
    void server_that_refuses_the_first_request_gets_no_other() throws InterruptedException {
        begin(Plan.REFUSE);
        assertThat(granted()).isEmpty();
        assertThat(time.pending()).isZero();
        assertThat(requests).hasValue(1);
    }

    @Test
    void subscription_to_tasks_that_are_over_is_not_opened_again() throws InterruptedException {
        goesOn = false;
        begin(Plan.END);
        assertThat(granted()).containsExactly("a");
        eventually("the end was noted", () -> interruptions.get() == 1);
        eventually("nothing waits", () -> time.pending() == 0);
        assertThat(requests).hasValue(1);
    }

    @Test
    void client_that_leaves_during_the_pause_ends_it() throws InterruptedException {
        begin(Plan.END);
        eventually("the request has ended", () -> interruptions.get() == 1);
        time.awaitPending(1);
        subscription.end();
        eventually("nothing waits", () -> time.pending() == 0);
        assertThat(requests).hasValue(1);
    }
}
