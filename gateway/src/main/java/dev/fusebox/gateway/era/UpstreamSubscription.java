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

/// What one or many clients hear of a server of the stateless era without asking: one subscription, opened anew
/// whenever something else is watched. A resource is watched as long as anybody does. Thread-safe; [Wish#heard]
/// and [#leave] block until the server has said what it tells from now on.
///
/// ```
/// new --acknowledged--> heard --server or line lost--> lost: the next call that is answered opens another, at once
///  '--ended or refused------------------------------> unheard: likewise, but 1 s later, then 2 s, up to a minute
/// ```
///
/// The next subscription is opened beside the one that is heard, which ends when the next is acknowledged, and
/// stays when the next is refused. No third is opened meanwhile: what has changed by then is made good after that.
public final class UpstreamSubscription {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /// How often what was granted once, and is not any more, is asked for again.
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(5);

    private final Platform platform;
    private final Endpoint server;
    private final Supplier<ClientMetadata> client;
    private final Hearer hearer;
    private final BridgedSubscription.Owner listener = new Ears();
    private final Map<String, Integer> watchers = new LinkedHashMap<>();

    /// What the server was asked for and did not grant, or granted, in the subscription that is heard.
    private final Set<String> settled = new HashSet<>();

    /// The last one that was acknowledged, also when it is over.
    private @Nullable BridgedSubscription heard;

    /// The one that is not acknowledged yet.
    private @Nullable BridgedSubscription coming;

    private boolean begun;
    private boolean closed;
    private Duration pause = Duration.ZERO;
    private long pausedAt;
    private long heardAt;

    /// For whom it hears. Nothing here may block.
    public interface Hearer {
        /// How many resources may be watched.
        int most();

        /// Hears what the server tells.
        void told(Message.Notification notification);

        /// From here on everything is heard; what changed before may have been missed.
        void begun();
    }

    /// @param client metadata of the subscriber at the moment
    public UpstreamSubscription(Platform platform, Endpoint server, Supplier<ClientMetadata> client, Hearer hearer) {
        this.platform = platform;
        this.server = server;
        this.client = client;
        this.hearer = hearer;
    }

    // ---- Watching

    /// One watcher more for these resources, as far as there is room.
    public Wish watch(Set<String> uris) {
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
        return new Wish(taken);
    }

    /// One watcher that wants to hear of some resources. For one thread.
    public final class Wish {
        private Set<String> held;

        private Wish(Set<String> taken) {
            this.held = taken;
        }

        /// Those that are heard of from now on, because the server has said so; the others are left.
        public Set<String> heard(Deadline deadline) {
            Set<String> refused = new LinkedHashSet<>(held);
            held = granted(held, deadline);
            refused.removeAll(held);
            start(without(refused));
            return held;
        }

        /// Watches no more.
        public void end() {
            start(without(held));
            held = Set.of();
        }
    }

    /// One watcher less for these; waits until the server tells of those no more that nobody watches.
    public void leave(Set<String> uris, Deadline deadline) {
        start(without(uris));
        await(uris, deadline, false);
    }

    private Set<String> granted(Set<String> uris, Deadline deadline) {
        await(uris, deadline, true);
        Set<String> granted = new LinkedHashSet<>();
        synchronized (this) {
            for (String uri : uris) {
                if (isHeard(uri)) {
                    granted.add(uri);
                }
            }
        }
        return granted;
    }

    /// Waits for as long as a subscription is under way that settles whether these are heard of, or comes before
    /// the one that does.
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
                ? uris.stream().allMatch(this::isHeard)
                : heard == null || Collections.disjoint(heard.granted(), uris);
        return isDone ? null : coming;
    }

    // ---- With the monitor held

    /// Also after the next subscription, if one is under way.
    private boolean isHeard(String uri) {
        BridgedSubscription now = heard;
        boolean stays = coming == null || coming.asked().contains(uri);
        return stays && now != null && !now.isOver() && now.granted().contains(uri);
    }

    /// Whether the server was not asked for some of these, or has forgotten.
    private boolean lacks(Set<String> uris) {
        boolean isDeaf = heard == null || heard.isOver();
        return !uris.isEmpty() && (isDeaf || !settled.containsAll(uris));
    }

    private boolean hearsTooMuch() {
        BridgedSubscription now = heard;
        return now != null && !now.isOver() && !watchers.keySet().containsAll(now.granted());
    }

    private synchronized @Nullable BridgedSubscription without(Set<String> uris) {
        for (String uri : uris) {
            boolean isLast = watchers.computeIfPresent(uri, (key, count) -> count == 1 ? null : count - 1) == null;
            if (isLast && (heard == null || !heard.granted().contains(uri))) {
                // Whoever watches it next may be luckier.
                settled.remove(uri);
            }
        }
        return hearsTooMuch() ? opened() : null;
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
            wanted.name("resourceSubscriptions").beginArray();
            watched.forEach(wanted::string);
            wanted.endArray();
        }
        String params = wanted.endObject().endObject().toString();
        return Message.Request.of(JsonRpcFrames.request(RequestId.of("listen"), "subscriptions/listen", params));
    }

    /// There is somebody to hear; opens the first subscription. Later it does nothing.
    public void begin() {
        BridgedSubscription first;
        synchronized (this) {
            first = begun ? null : opened();
        }
        start(first);
    }

    /// A subscription ends with its server. The next one is opened when a call has found the server there again: a
    /// server is not started only to be listened to. The same if the last one left out what somebody watches.
    public void resume() {
        BridgedSubscription next;
        synchronized (this) {
            next = begun && isTimeToResume() ? opened() : null;
        }
        start(next);
    }

    /// The server is reached by another way from now on: the next subscription goes there, and takes the place
    /// of the one that is heard.
    public void renew() {
        BridgedSubscription next;
        synchronized (this) {
            next = begun ? opened() : null;
        }
        start(next);
    }

    private boolean isTimeToResume() {
        long now = platform.ticker().nanos();
        BridgedSubscription last = heard;
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
            now = heard;
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

    /// What becomes of the two subscriptions.
    private final class Ears implements BridgedSubscription.Owner {
        @Override
        public void acknowledged(BridgedSubscription bridgedSubscription) {
            BridgedSubscription before;
            BridgedSubscription next;
            synchronized (UpstreamSubscription.this) {
                if (coming != bridgedSubscription) {
                    return;
                }
                before = heard;
                heard = bridgedSubscription;
                heardAt = platform.ticker().nanos();
                coming = null;
                pause = Duration.ZERO;
                settled.clear();
                settled.addAll(bridgedSubscription.asked());
                next = lacks(watchers.keySet()) || hearsTooMuch() ? opened() : null;
            }
            boolean wasDeaf = before == null || before.isOver();
            // First, so that nobody is told of what it has just let go.
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
                    // Those who came later have not been refused.
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
