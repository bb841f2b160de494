package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The notifications of a modern server for one or many clients: one subscription, opened anew whenever the set
/// of watched resources changes. A resource is watched as long as it has a watcher. Thread-safe;
/// [Watch#grantedResources] and [#unsubscribe] block until the server has acknowledged the change.
///
/// ```
/// new --acknowledged--> open --server or connection lost--> lost
///  '--ended or refused--> refused
///
/// lost: the next answered call opens another, at once
/// refused: likewise, but 1 s later, then 2 s, up to a minute
/// ```
///
/// The next subscription is opened beside the current one, which ends when the next is acknowledged, and stays
/// when the next is refused. No third is opened meanwhile: changes in between are applied after that.
public final class UpstreamSubscription {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /// Interval for requesting again what was granted once and is not any more.
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(5);

    private final Platform platform;
    private final Endpoint server;
    private final Supplier<ClientMetadata> client;
    private final Listener hearer;
    private final BridgedSubscription.Owner listener = new SubscriptionOwner();
    private final Map<String, Integer> watchers = new LinkedHashMap<>();

    /// The resources that the current subscription has requested, whether granted or not.
    private final Set<String> settled = new HashSet<>();

    /// The last acknowledged subscription, even if it is over.
    private @Nullable BridgedSubscription grantedResources;

    /// The subscription that is not acknowledged yet.
    private @Nullable BridgedSubscription coming;

    private boolean begun;
    private boolean closed;
    private Duration pause = Duration.ZERO;
    private long pausedAt;
    private long heardAt;

    /// The receiver of the notifications. Implementations must not block.
    public interface Listener {
        /// Bound on watched resources.
        int most();

        /// Receives a notification.
        void told(Message.Notification notification);

        /// Marks the begin of complete delivery; earlier changes may have been missed.
        void begun();
    }

    /// @param client supplies the current metadata of the subscriber
    public UpstreamSubscription(Platform platform, Endpoint server, Supplier<ClientMetadata> client, Listener hearer) {
        this.platform = platform;
        this.server = server;
        this.client = client;
        this.hearer = hearer;
    }

    // ---- Watching

    /// Adds a watcher of these resources, as far as there is room.
    public Watch watch(Set<String> uris) {
        BridgedSubscription next;
        Set<String> taken = new LinkedHashSet<>();
        synchronized (this) {
            for (String uri : uris) {
                if (watchers.containsKey(uri) || watchers.size() < hearer.most()) {
                    watchers.merge(uri, 1, Integer::sum);
                    taken.add(uri);
                }
            }
            next = lacks(taken) ? opened() : null;
        }
        start(next);
        return new Watch(taken);
    }

    /// One watcher of some resources. For one thread.
    public final class Watch {
        private Set<String> held;

        private Watch(Set<String> taken) {
            this.held = taken;
        }

        /// The resources that the server has granted; the others are released. Blocks at most until the
        /// deadline.
        public Set<String> heard(Deadline deadline) {
            Set<String> refused = new LinkedHashSet<>(held);
            held = granted(held, deadline);
            refused.removeAll(held);
            start(without(refused));
            return held;
        }

        /// Ends the watch.
        public void end() {
            start(without(held));
            held = Set.of();
        }
    }

    /// Removes a watcher of these resources; blocks until the server no longer sends notifications for those
    /// without a watcher.
    public void unsubscribe(Set<String> uris, Deadline deadline) {
        start(without(uris));
        await(uris, deadline, false);
    }

    private Set<String> granted(Set<String> uris, Deadline deadline) {
        await(uris, deadline, true);
        Set<String> granted = new LinkedHashSet<>();
        synchronized (this) {
            for (String uri : uris) {
                if (isGranted(uri)) {
                    granted.add(uri);
                }
            }
        }
        return granted;
    }

    /// Waits while a subscription is being opened that decides on these resources, or that precedes the one
    /// that does.
    private void await(Set<String> uris, Deadline deadline, boolean wanted) {
        try {
            BridgedSubscription next = awaited(uris, wanted);
            while (next != null && next.isSettled(deadline)) {
                next = awaited(uris, wanted);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable BridgedSubscription awaited(Set<String> uris, boolean wanted) {
        boolean isDone = wanted
                ? uris.stream().allMatch(this::isGranted)
                : grantedResources == null || Collections.disjoint(grantedResources.granted(), uris);
        return isDone ? null : coming;
    }

    // ---- With the monitor held

    /// Whether the resource stays granted after the next subscription, if one is being opened.
    private boolean isGranted(String uri) {
        BridgedSubscription now = grantedResources;
        boolean stays = coming == null || coming.asked().contains(uri);
        return stays && now != null && !now.isOver() && now.granted().contains(uri);
    }

    /// Whether some of these were not requested from the server, or are to be requested again.
    private boolean lacks(Set<String> uris) {
        boolean isDeaf = grantedResources == null || grantedResources.isOver();
        return !uris.isEmpty() && (isDeaf || !settled.containsAll(uris));
    }

    private boolean hasUnwatched() {
        BridgedSubscription now = grantedResources;
        return now != null && !now.isOver() && !watchers.keySet().containsAll(now.granted());
    }

    private synchronized @Nullable BridgedSubscription without(Set<String> uris) {
        for (String uri : uris) {
            boolean isLast = watchers.computeIfPresent(uri, (key, count) -> count == 1 ? null : count - 1) == null;
            if (isLast
                    && (grantedResources == null || !grantedResources.granted().contains(uri))) {
                // A later watcher requests it again.
                settled.remove(uri);
            }
        }
        return hasUnwatched() ? opened() : null;
    }

    private @Nullable BridgedSubscription opened() {
        if (closed || coming != null) {
            return null;
        }
        begun = true;
        coming = new BridgedSubscription(platform, watchers.keySet(), listener);
        return coming;
    }

    private void pauseLonger() {
        Duration longer = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        pausedAt = platform.ticker().nanos();
    }

    // ---- Subscriptions

    private void start(@Nullable BridgedSubscription next) {
        if (next != null) {
            Message.Request request = subscription(next.asked());
            VirtualThreadStarter.start("fusebox-listen", () -> next.listen(server, request, client.get()), next::end);
        }
    }

    private static Message.Request subscription(Set<String> watched) {
        JsonWriter wanted = new JsonWriter().beginObject().name("notifications").beginObject();
        wanted.name("toolsListChanged").bool(true).name("promptsListChanged").bool(true);
        wanted.name("resourcesListChanged").bool(true);
        if (!watched.isEmpty()) {
            wanted.name(SubscriptionFilter.RESOURCES).beginArray();
            watched.forEach(wanted::string);
            wanted.endArray();
        }
        String params = wanted.endObject().endObject().toString();
        return Message.Request.of(JsonRpcFrames.request(RequestId.of("listen"), "subscriptions/listen", params));
    }

    /// Opens the first subscription when there is a receiver. Later calls have no effect.
    public void begin() {
        BridgedSubscription first;
        synchronized (this) {
            first = begun ? null : opened();
        }
        start(first);
    }

    /// Opens a subscription after a call has found the server up again: a server is not started only for a
    /// subscription. The same if the last one left out a watched resource.
    public void resume() {
        BridgedSubscription next;
        synchronized (this) {
            next = begun && isTimeToResume() ? opened() : null;
        }
        start(next);
    }

    /// Opens a subscription on the server's new connection settings; it replaces the current one.
    public void renew() {
        BridgedSubscription next;
        synchronized (this) {
            next = begun ? opened() : null;
        }
        start(next);
    }

    private boolean isTimeToResume() {
        long now = platform.ticker().nanos();
        BridgedSubscription last = grantedResources;
        if (last == null || last.isOver()) {
            return pause.isZero() || now - pausedAt >= pause.toNanos();
        }
        return !last.granted().containsAll(watchers.keySet()) && now - heardAt >= BETWEEN_TRIES.toNanos();
    }

    /// Ends the subscription.
    public void close() {
        BridgedSubscription now;
        BridgedSubscription next;
        synchronized (this) {
            closed = true;
            now = grantedResources;
            next = coming;
        }
        close(now);
        close(next);
    }

    private static void close(@Nullable BridgedSubscription bridgedSubscription) {
        if (bridgedSubscription != null) {
            bridgedSubscription.close();
        }
    }

    /// The observer of the current and the next subscription.
    private final class SubscriptionOwner implements BridgedSubscription.Owner {
        @Override
        public void acknowledged(BridgedSubscription bridgedSubscription) {
            BridgedSubscription before;
            BridgedSubscription next;
            synchronized (UpstreamSubscription.this) {
                if (coming != bridgedSubscription) {
                    return;
                }
                before = grantedResources;
                grantedResources = bridgedSubscription;
                heardAt = platform.ticker().nanos();
                coming = null;
                pause = Duration.ZERO;
                settled.clear();
                settled.addAll(bridgedSubscription.asked());
                next = lacks(watchers.keySet()) || hasUnwatched() ? opened() : null;
            }
            boolean wasDeaf = before == null || before.isOver();
            // First, so that no notification is delivered for what has just been released.
            close(before);
            start(next);
            if (wasDeaf) {
                hearer.begun();
            }
        }

        @Override
        public void ended(BridgedSubscription bridgedSubscription) {
            BridgedSubscription next = null;
            synchronized (UpstreamSubscription.this) {
                if (coming == bridgedSubscription) {
                    coming = null;
                    pauseLonger();
                    // Resources that were added later have not been refused.
                    next = bridgedSubscription.asked().containsAll(watchers.keySet()) ? null : opened();
                }
            }
            start(next);
        }

        @Override
        public void told(Message.Notification notification) {
            hearer.told(notification);
        }
    }
}
