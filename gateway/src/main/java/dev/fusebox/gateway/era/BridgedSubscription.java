package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One subscription to a modern server on behalf of clients whose era has no subscriptions. Thread-safe;
/// [#listen] blocks for as long as it lasts.
final class BridgedSubscription implements Caller {
    /// Longest time to the acknowledgement; longer than any server takes to start and to send it.
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    private final Platform platform;
    private final Set<String> asked;
    private final Owner owner;
    private final Deadline deadline;
    private final Promise<Boolean> settled = new Promise<>();
    private volatile Set<String> granted = Set.of();
    private volatile boolean acknowledged;
    private volatile boolean over;
    private volatile boolean closed;

    /// The owner of the subscription. Implementations must not block.
    interface Owner {
        /// The server has acknowledged the subscription.
        void acknowledged(BridgedSubscription bridgedSubscription);

        /// The subscription has ended, or was refused.
        void ended(BridgedSubscription bridgedSubscription);

        void told(Message.Notification notification);
    }

    /// @param asked the URIs of the requested resources, or the ids of the requested tasks
    BridgedSubscription(Platform platform, Set<String> asked, Owner owner) {
        this.platform = platform;
        this.asked = Set.copyOf(asked);
        this.owner = owner;
        this.deadline = Deadline.endless(platform.ticker());
    }

    void listen(Endpoint server, Message.Request request, ClientMetadata client) {
        try {
            Timer silence = platform.timers().schedule(LONGEST_SILENCE, this::closeIfSilent);
            try {
                server.call(new Call(request, client, deadline, this));
            } finally {
                silence.cancel();
            }
        } finally {
            end();
        }
    }

    /// Ends the subscription.
    void end() {
        over = true;
        owner.ended(this);
        settled.complete(true);
    }

    private void closeIfSilent() {
        if (!acknowledged) {
            deadline.giveUp();
        }
    }

    Set<String> asked() {
        return asked;
    }

    /// The granted ones among those that were requested.
    Set<String> granted() {
        return granted;
    }

    boolean isOver() {
        return over;
    }

    boolean isAcknowledged() {
        return acknowledged;
    }

    /// Waits until the server has acknowledged or refused the subscription; false if that takes too long.
    boolean isSettled(Deadline waiting) throws InterruptedException {
        return waiting.await(settled, platform) != null;
    }

    void close() {
        closed = true;
        deadline.giveUp();
    }

    @Override
    public void progress(byte[] frame) {
        // A subscription has none.
    }

    @Override
    public void onNotification(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/subscriptions/acknowledged" -> {
                granted = granted(notification.frame().path("params", "notifications"));
                acknowledged = true;
                owner.acknowledged(this);
                settled.complete(true);
            }
            case "notifications/cancelled" -> {}
            default -> {
                // While both are open, the next subscription receives the same changes.
                if (!closed) {
                    owner.told(notification);
                }
            }
        }
    }

    private Set<String> granted(@Nullable JsonView agreed) {
        return Stream.of(SubscriptionFilter.RESOURCES, SubscriptionFilter.TASK_IDS)
                .map(name -> agreed == null ? null : agreed.member(name))
                .flatMap(array -> array == null ? Stream.of() : array.elements().stream())
                .filter(JsonView::isString)
                .map(JsonView::string)
                .filter(asked::contains)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        return false;
    }
}
