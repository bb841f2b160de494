package dev.fusebox.gateway.era;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ForwardingCaller;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is buffered before a subscription is acknowledged.
class ClientSubscriptionTest {
    private final List<Message.Notification> sent = new ArrayList<>();
    private final ClientSubscription subscription = new ClientSubscription(
            "7", new SubscriptionFilter(Set.of(), Set.of(), Set.of("t")), new ForwardingCaller(Caller.SILENT) {
                @Override
                public void onNotification(Message.Notification notification) {
                    sent.add(notification);
                }
            });

    private void forward(int length) {
        subscription.forward(Message.Notification.of(JsonRpcFrames.notification(
                "notifications/tasks", "{\"taskId\":\"t\",\"result\":\"" + "x".repeat(length) + "\"}")));
    }

    private List<String> methods() {
        return sent.stream().map(Message.Notification::method).toList();
    }

    @Test
    void long_changes_are_buffered_up_to_a_megabyte_and_none_is_too_long_afterwards() {
        for (int i = 0; i < 5; i++) {
            forward(400_000);
        }
        assertThat(sent).isEmpty();
        subscription.acknowledge(Set.of(), Set.of("t"));
        assertThat(methods())
                .containsExactly(
                        "notifications/subscriptions/acknowledged", "notifications/tasks", "notifications/tasks");
        forward(3_000_000);
        forward(3_000_000);
        assertThat(sent).hasSize(5);
    }
}
