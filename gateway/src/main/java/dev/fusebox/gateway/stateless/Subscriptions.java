package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Category;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Reached;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Subscriptions of the stateless era on one connection of the session era, which knows none: what the server tells is
/// handed to all that want it, and resources are watched as long as anybody wants to hear of them. Thread-safe; only
/// [#listen] blocks, for as long as the subscription lasts.
final class Subscriptions implements Peer {
    private static final Duration ASIDE = Duration.ofSeconds(10);

    private final World world;
    private final Set<Subscription> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> watched = new HashMap<>();

    /// One client that listens.
    ///
    /// @param id of the request that opened it, as JSON
    private record Subscription(String id, Filter filter, Caller caller, Arrival<Boolean> over) {}

    Subscriptions(World world) {
        this.world = world;
    }

    /// Tells the client what it wants to hear, until it has enough or the server is gone.
    Outcome listen(Call call, Upstream upstream, @Nullable JsonView capabilities) {
        JsonView asked = call.request().frame().path("params", "notifications");
        Filter filter = Filter.of(asked, capabilities);
        String id = call.request().id().json();
        Subscription subscription = new Subscription(id, filter, call.caller(), new Arrival<>());
        call.caller().told(acknowledgement(subscription));
        open.add(subscription);
        try {
            filter.resources().forEach(uri -> watch(uri, upstream));
            boolean isGone = call.patience().await(subscription.over(), world) != null;
            return isGone ? ended(call.request().id()) : new Outcome.Failed(left());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(left());
        } finally {
            open.remove(subscription);
            filter.resources().forEach(uri -> unwatch(uri, upstream));
        }
    }

    private static Fault left() {
        return new Fault(FaultCode.CANCELLED, Category.CANCELLED, Reached.UNKNOWN, "the client left", Evidence.NONE);
    }

    private static Message.Notification acknowledgement(Subscription subscription) {
        String params = "{\"_meta\":" + tag(subscription) + ",\"notifications\":"
                + subscription.filter().json() + "}";
        byte[] frame = Frames.notification("notifications/subscriptions/acknowledged", params);
        return (Message.Notification) Message.read(frame, 0, frame.length);
    }

    /// The server ended it, in good order.
    private static Outcome ended(RequestId id) {
        String result =
                "{\"resultType\":\"complete\",\"_meta\":{\"" + Metadata.SUBSCRIPTION_ID + "\":" + id.json() + "}}";
        byte[] frame = Frames.result(id, result);
        return new Outcome.Answered((Message.Answer) Message.read(frame, 0, frame.length));
    }

    private static String tag(Subscription subscription) {
        return "{\"" + Metadata.SUBSCRIPTION_ID + "\":" + subscription.id() + "}";
    }

    // ---- Resources, each watched once however many want it

    private void watch(String uri, Upstream upstream) {
        boolean isFirst;
        synchronized (watched) {
            isFirst = watched.merge(uri, 1, Integer::sum) == 1;
        }
        if (isFirst) {
            aside(upstream, "resources/subscribe", uri);
        }
    }

    private void unwatch(String uri, Upstream upstream) {
        boolean isLast;
        synchronized (watched) {
            isLast = watched.merge(uri, -1, Integer::sum) == 0;
            if (isLast) {
                watched.remove(uri);
            }
        }
        if (isLast) {
            aside(upstream, "resources/unsubscribe", uri);
        }
    }

    private void aside(Upstream upstream, String method, String uri) {
        String params = "{\"uri\":" + JsonWriter.quoted(uri) + "}";
        byte[] frame = Frames.request(RequestId.of("aside"), method, params);
        Message.Request request = (Message.Request) Message.read(frame, 0, frame.length);
        upstream.call(new Call(request, new Patience(ASIDE, Duration.ZERO, world.ticker()), Caller.SILENT));
    }

    // ---- From the server

    @Override
    public void told(Message.Notification notification) {
        for (Subscription subscription : open) {
            if (subscription.filter().lets(notification.method(), notification.params())) {
                subscription.caller().told(tagged(notification, subscription));
            }
        }
    }

    private static Message.Notification tagged(Message.Notification notification, Subscription subscription) {
        JsonView params = notification.params();
        JsonView meta = params == null ? null : params.member("_meta");
        String tag = tag(subscription);
        Splice splice = Splice.of(notification.frame());
        if (params == null) {
            splice.insert(notification.frame(), "\"params\":{\"_meta\":" + tag + "}");
        } else if (meta == null || !meta.isObject()) {
            splice.insert(params, "\"_meta\":" + tag);
        } else {
            splice.insert(meta, tag.substring(1, tag.length() - 1));
        }
        byte[] frame = splice.bytes();
        return (Message.Notification) Message.read(frame, 0, frame.length);
    }

    /// On a connection for all nobody can be asked, and the handshake says so.
    @Override
    public boolean asked(Asker asker, Message.Request request) {
        return false;
    }

    @Override
    public void lost(Connection connection, Fault fault) {
        open.forEach(subscription -> subscription.over().bring(true));
    }
}
