package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The subscriptions of modern clients on one connection to a legacy server, whose era has none: notifications go
/// to all subscribers that requested them, and resources are watched as long as at least one subscriber watches
/// them. Thread-safe; only [#listen] blocks, for as long as the subscription lasts.
final class LegacySubscriptions implements ServerMessageHandler {
    private static final CallFailure LEFT = CallFailure.of(ErrorId.CANCELLED, "the client disconnected");

    private final Platform platform;
    private final Map<ClientSubscription, Connection> open = new ConcurrentHashMap<>();
    private @Nullable ResourceSubscriptions current;

    LegacySubscriptions(Platform platform) {
        this.platform = platform;
    }

    /// Serves a subscription until the client ends it or the server is gone.
    Outcome listen(Call call, Connection connection, @Nullable JsonView capabilities) {
        SubscriptionFilter filter =
                SubscriptionFilter.of(call.request().frame().path("params", "notifications"), capabilities);
        ClientSubscription subscription =
                new ClientSubscription(call.request().id().json(), filter, call.caller());
        ResourceSubscriptions resourceSubscriptions = resourceSubscriptions(connection);
        open.put(subscription, connection);
        Promise<Set<String>> granted = resourceSubscriptions.watch(filter.resources());
        // The connection may have been lost a moment ago, which is not reported again.
        if (!connection.isAlive()) {
            subscription.over().complete(true);
        }
        try {
            return listen(call, subscription, granted);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(LEFT);
        } finally {
            open.remove(subscription);
            resourceSubscriptions.unwatch(granted);
        }
    }

    private Outcome listen(Call call, ClientSubscription subscription, Promise<Set<String>> granted)
            throws InterruptedException {
        Set<String> resources = call.deadline().await(granted, platform);
        if (resources != null) {
            subscription.acknowledge(resources, Set.of());
        }
        boolean isGone = call.deadline().await(subscription.over(), platform) != null;
        return isGone ? new Outcome.Answered(ListenChannel.end(call.request().id())) : new Outcome.Failed(LEFT);
    }

    private synchronized ResourceSubscriptions resourceSubscriptions(Connection connection) {
        ResourceSubscriptions resourceSubscriptions = current;
        if (resourceSubscriptions == null || !resourceSubscriptions.connection().equals(connection)) {
            resourceSubscriptions = new ResourceSubscriptions(platform, connection);
            current = resourceSubscriptions;
        }
        return resourceSubscriptions;
    }

    // ---- Messages from the server

    @Override
    public void onNotification(Message.Notification notification) {
        open.keySet().forEach(subscription -> subscription.forward(notification));
    }

    /// The handshake declares that on a shared connection no client accepts server requests.
    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
        return false;
    }

    @Override
    public void lost(Connection connection, CallFailure failure) {
        open.forEach((subscription, its) -> {
            if (its.equals(connection)) {
                subscription.over().complete(true);
            }
        });
    }
}
