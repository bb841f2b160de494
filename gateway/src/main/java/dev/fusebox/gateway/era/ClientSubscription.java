package dev.fusebox.gateway.era;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Promise;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One subscription of a modern client. Changes that occur before the acknowledgement is sent are buffered, and
/// sent after it. Thread-safe; nothing blocks.
public final class ClientSubscription {
    /// Bound on buffered changes.
    private static final int MAX_WAITING = 1_000;

    /// The same for their bytes; a single longer change is buffered.
    private static final long MAX_WAITING_BYTES = 1 << 20;

    private final String id;
    private final SubscriptionFilter filter;
    private final Caller caller;
    private final Promise<Boolean> over = new Promise<>();
    private final Deque<Message.Notification> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean telling = true;

    /// @param id of the request that opened it, as JSON
    public ClientSubscription(String id, SubscriptionFilter filter, Caller caller) {
        this.id = id;
        this.filter = filter;
        this.caller = caller;
    }

    SubscriptionFilter filter() {
        return filter;
    }

    /// Completed when the server is gone.
    Promise<Boolean> over() {
        return over;
    }

    /// Sends the acknowledgement, and then the buffered changes.
    ///
    /// @param resources that the server allows to be watched
    /// @param tasks that it allows to be watched
    public void acknowledge(Set<String> resources, Set<String> tasks) {
        String params = "{\"_meta\":" + tag() + ",\"notifications\":"
                + new SubscriptionFilter(filter.lists(), resources, tasks).json() + "}";
        byte[] frame = JsonRpcFrames.notification("notifications/subscriptions/acknowledged", params);
        synchronized (this) {
            waiting.addFirst(Message.Notification.of(frame));
            waitingBytes += frame.length;
        }
        forwardAll();
    }

    /// Forwards a change that the client has subscribed to.
    public void forward(Message.Notification change) {
        if (filter.lets(change.method(), change.params()) && isMine(tagged(change))) {
            forwardAll();
        }
    }

    /// Queues the change; returns whether this thread has to send the queue.
    private synchronized boolean isMine(Message.Notification change) {
        int bytes = change.frame().length();
        boolean isRoom = waiting.size() < MAX_WAITING && waitingBytes + bytes <= MAX_WAITING_BYTES;
        if (isRoom || waiting.isEmpty()) {
            waiting.add(change);
            waitingBytes += bytes;
        }
        boolean isMine = !telling;
        telling = true;
        return isMine;
    }

    private void forwardAll() {
        for (Message.Notification next = next(); next != null; next = next()) {
            caller.onNotification(next);
        }
    }

    private synchronized Message.@Nullable Notification next() {
        Message.Notification next = waiting.poll();
        telling = next != null;
        waitingBytes -= next == null ? 0 : next.frame().length();
        return next;
    }

    private String tag() {
        return "{\"" + ClientMetadata.SUBSCRIPTION_ID + "\":" + id + "}";
    }

    private Message.Notification tagged(Message.Notification notification) {
        JsonView params = notification.params();
        JsonView meta = params == null ? null : params.member("_meta");
        Splice splice = Splice.of(notification.frame());
        if (params == null) {
            splice.insert(notification.frame(), "\"params\":{\"_meta\":" + tag() + "}");
        } else if (meta == null || !meta.isObject()) {
            splice.insert(params, "\"_meta\":" + tag());
        } else if (meta.member(ClientMetadata.SUBSCRIPTION_ID) != null) {
            // Replaces the id of the gateway's own subscription to the server.
            splice.replace(meta.member(ClientMetadata.SUBSCRIPTION_ID), id.toString());
        } else {
            splice.insert(meta, tag().substring(1, tag().length() - 1));
        }
        return Message.Notification.of(splice.bytes());
    }
}
