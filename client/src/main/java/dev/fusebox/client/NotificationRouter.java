package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The router of the notifications of one server: progress and those of a subscription go to the caller of their
/// request, under the token or id that it knows, all others to the handler of the connection. For the thread that
/// reads the connection; callers and the handler must not block.
final class NotificationRouter {
    private static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    private final Map<Long, PendingRequest> pending;
    private final ServerMessageHandler serverMessageHandler;
    private final UnmatchedMessages unmatchedMessages;
    private final TaskProgressTokens tasks = new TaskProgressTokens();

    /// @param pending the requests of the connection by id, which its callers change
    /// @param unmatchedMessages counts the notifications that belong to no request
    NotificationRouter(
            Map<Long, PendingRequest> pending,
            ServerMessageHandler serverMessageHandler,
            UnmatchedMessages unmatchedMessages) {
        this.pending = pending;
        this.serverMessageHandler = serverMessageHandler;
        this.unmatchedMessages = unmatchedMessages;
    }

    /// To be called before the request ends: if its result is a task, progress still arrives under its token.
    void noteResult(PendingRequest pendingRequest, JsonView result) {
        tasks.keep(pendingRequest.id(), pendingRequest.progressToken(), result);
    }

    void route(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/progress" -> progressed(notification);
            case "notifications/cancelled" -> cancelled(notification);
            default ->
                onSubscriptionNotification(notification, notification.frame().path("params", "_meta", SUBSCRIPTION_ID));
        }
    }

    /// A notification of a subscription carries the id of the request that opened it (revision 2026-07-28,
    /// section "Subscriptions").
    private void onSubscriptionNotification(Message.Notification notification, @Nullable JsonView subscription) {
        PendingRequest pendingRequest = find(subscription);
        if (pendingRequest != null) {
            pendingRequest.call().caller().onNotification(renamed(notification, subscription, pendingRequest));
        } else if (subscription == null) {
            serverMessageHandler.onNotification(notification);
        } else {
            // The subscription has ended.
            unmatchedMessages.add();
        }
    }

    /// A server may cancel its own requests, and end subscriptions.
    private void cancelled(Message.Notification notification) {
        JsonView id = notification.frame().path("params", "requestId");
        PendingRequest pendingRequest = find(id);
        if (pendingRequest == null || !pendingRequest.call().request().method().equals("subscriptions/listen")) {
            serverMessageHandler.onNotification(notification);
            return;
        }
        pendingRequest.call().caller().onNotification(renamed(notification, id, pendingRequest));
        pendingRequest.end(new Outcome.Failed(CallFailure.cancelled()));
    }

    private @Nullable PendingRequest find(@Nullable JsonView id) {
        RequestId read = id == null ? null : RequestId.read(id);
        return read == null ? null : pending.get(read.number());
    }

    /// The same notification with the id that the client knows.
    private static Message.Notification renamed(
            Message.Notification notification, @Nullable JsonView id, PendingRequest pendingRequest) {
        String known = pendingRequest.call().request().id().json();
        return Message.Notification.of(
                Splice.of(notification.frame()).replace(id, known).bytes());
    }

    private void progressed(Message.Notification notification) {
        JsonView token = notification.frame().path("params", "progressToken");
        RequestId read = token == null ? null : RequestId.read(token);
        long id = read == null ? -1 : read.number();
        JsonView ofTask = tasks.token(id);
        // The answer of a task comes before its progress, and its caller may be about to leave.
        PendingRequest pendingRequest = ofTask == null ? pending.get(id) : null;
        JsonView given = pendingRequest == null ? ofTask : pendingRequest.progressToken();
        if (given == null) {
            unmatchedMessages.add();
            return;
        }
        byte[] restored =
                Splice.of(notification.frame()).replace(token, given.json()).bytes();
        if (pendingRequest != null) {
            pendingRequest.call().caller().progress(restored);
        } else if (Message.read(restored) instanceof Message.Notification task) {
            serverMessageHandler.onNotification(task);
        }
    }
}
