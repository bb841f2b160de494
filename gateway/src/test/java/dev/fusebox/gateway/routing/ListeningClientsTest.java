package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.era.ClientSubscription;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.SubscriptionFilter;
import dev.fusebox.platform.Timer;
import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.Message;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ListeningClientsTest {
    /// Of a machine that has nothing left to start them with, while somebody says so.
    private static final class Few implements Timers {
        private final ManualTime time = new ManualTime();
        private volatile boolean isNone = true;

        @Override
        public void park(long nanos) {
            SingleServerHarness.PLATFORM.timers().park(nanos);
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            if (isNone) {
                throw new OutOfMemoryError("no timer is left");
            }
            return time.platform().timers().schedule(delay, action);
        }
    }

    /// A client that notes what it is told.
    private record Notes(List<String> methods) implements Caller {
        @Override
        public void progress(byte[] frame) {
            // It waits for nothing.
        }

        @Override
        public void onNotification(Message.Notification notification) {
            methods.add(notification.method());
        }

        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
            return false;
        }
    }

    private final Few timers = new Few();
    private final ListeningClients listeningClients = new ListeningClients(timers);
    private final List<String> told = new CopyOnWriteArrayList<>();

    private void listen() {
        SubscriptionFilter all = new SubscriptionFilter(Set.of("tools", "prompts"), Set.of(), Set.of());
        ClientSubscription subscription = new ClientSubscription("1", all, new Notes(told));
        listeningClients.join(subscription, ClientMetadata.OF_GATEWAY, Map.of());
        subscription.acknowledge(Set.of(), Set.of());
        told.clear();
    }

    @Test
    void change_whose_notification_failed_is_sent_with_the_next() {
        listen();
        listeningClients.changed(Set.of(CatalogKind.TOOLS));
        timers.isNone = false;
        listeningClients.changed(Set.of(CatalogKind.PROMPTS));
        assertThat(timers.time.advanceToNextTimer()).isTrue();
        eventually("two events have arrived", () -> assertThat(told).hasSize(2));
        assertThat(told)
                .containsExactlyInAnyOrder("notifications/tools/list_changed", "notifications/prompts/list_changed");
    }

    @Test
    void changes_close_together_are_notified_once_and_later_ones_again() {
        timers.isNone = false;
        listen();
        listeningClients.changed(Set.of());
        listeningClients.changed(Set.of(CatalogKind.TOOLS));
        listeningClients.changed(Set.of(CatalogKind.TOOLS));
        assertThat(timers.time.pending()).isEqualTo(1);
        assertThat(timers.time.advanceToNextTimer()).isTrue();
        eventually("an event has arrived", () -> assertThat(told).hasSize(1));
        listeningClients.changed(Set.of(CatalogKind.TOOLS));
        assertThat(timers.time.advanceToNextTimer()).isTrue();
        eventually("two events have arrived", () -> assertThat(told).hasSize(2));
    }
}
