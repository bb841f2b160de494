package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SendOrderTest {
    private final Platform platform = Platform.system();
    private final SendOrder order = new SendOrder();

    @Test
    void message_waits_for_an_earlier_one_without_a_server_yet() throws InterruptedException {
        SendSlot first = order.next();
        SendSlot second = order.next();
        second.toServer("jira");
        assertThat(second.isTurn()).isFalse();

        Thread waiting = Thread.ofVirtual().start(() -> second.await(platform, () -> Long.MAX_VALUE / 2));
        first.release();

        assertThat(waiting.join(Duration.ofSeconds(10))).isTrue();
        assertThat(second.isTurn()).isTrue();
    }

    @Test
    void message_does_not_wait_for_other_servers_or_other_connections() {
        SendSlot elsewhere = order.next();
        SendSlot beside = order.next();
        SendSlot mine = order.next();
        elsewhere.toServer("files");
        beside.toServer("jira");
        beside.toConnection("second process");
        mine.toServer("jira");
        assertThat(mine.isTurn()).isFalse();

        mine.toConnection("first process");

        assertThat(mine.isTurn()).isTrue();
    }

    @Test
    void message_waits_for_all_earlier_ones_and_not_only_for_the_last() {
        SendSlot first = order.next();
        SendSlot second = order.next();
        SendSlot third = order.next();

        second.release();
        assertThat(third.isTurn()).isFalse();

        first.release();
        assertThat(third.isTurn()).isTrue();
    }

    @Test
    void notification_does_not_wait_for_a_connection_that_is_being_opened_but_a_call_does() {
        SendSlot connecting = order.next();
        connecting.toServer("jira");
        connecting.toConnection("process");
        connecting.connecting();
        SendSlot notification = order.next();
        assertThat(notification.isTurn()).isTrue();
        notification.release();
        SendSlot call = order.next();
        call.toServer("jira");
        call.toConnection("process");
        assertThat(call.isTurn()).isFalse();

        connecting.toConnection("process");

        assertThat(order.next().isTurn()).isFalse();
    }

    @Test
    void wait_for_a_turn_ends_with_the_deadline_and_a_message_without_order_never_waits() {
        order.next();

        assertThat(order.next().await(platform, () -> 0)).isFalse();
        assertThat(SendSlot.NONE.await(platform, () -> 1)).isTrue();
        assertThat(SendSlot.NONE.isTurn()).isTrue();
    }

    @Test
    void thread_interrupted_while_waiting_for_its_turn_stays_interrupted() throws InterruptedException {
        order.next();
        SendSlot second = order.next();
        boolean[] seen = new boolean[2];
        Thread waiting = Thread.ofVirtual().start(() -> {
            seen[0] = second.await(platform, () -> Long.MAX_VALUE / 2);
            seen[1] = Thread.currentThread().isInterrupted();
        });

        waiting.interrupt();

        assertThat(waiting.join(Duration.ofSeconds(10))).isTrue();
        assertThat(seen).containsExactly(false, true);
    }
}
