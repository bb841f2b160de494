package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Patience;
import dev.fusebox.client.lane.Attempt;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a client of the session era hears of a server of the stateless era without asking: one subscription, opened
/// anew whenever the client watches something else. Thread-safe; [#watch] and [#leave] block until the server has said
/// what it tells from now on.
///
/// ```
/// new --acknowledged--> heard --server or line lost--> lost: the next call that is answered opens another, at once
///  '--ended or refused------------------------------> unheard: likewise, but 1 s later, then 2 s, up to a minute
/// ```
public final class Hearing {
    /// More than that no client watches.
    private static final int MOST_WATCHED = 1_000;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final World world;
    private final Attempt server;
    private final Consumer<Message.Notification> told;
    private final Dress dress;
    private final Set<String> watched = new LinkedHashSet<>();
    private @Nullable Ear listening;
    private Duration pause = Duration.ZERO;
    private long pausedAt;

    public Hearing(World world, Attempt server, Consumer<Message.Notification> told, Dress dress) {
        this.world = world;
        this.server = server;
        this.told = told;
        this.dress = dress;
    }

    /// From now on the client hears of this resource; false if it does not, because the server does not agree or too
    /// much is watched.
    public boolean watch(String uri, Patience patience) {
        synchronized (this) {
            if (watched.contains(uri)) {
                return true;
            }
            if (watched.size() >= MOST_WATCHED) {
                return false;
            }
            watched.add(uri);
        }
        boolean isHeard = listen().isHeard(patience);
        if (!isHeard) {
            leave(uri);
        }
        return isHeard;
    }

    /// From now on the client hears of this resource no more; true in any case.
    public boolean leave(String uri, Patience patience) {
        if (leave(uri)) {
            listen().isHeard(patience);
        }
        return true;
    }

    private synchronized boolean leave(String uri) {
        return watched.remove(uri);
    }

    /// Opens the first subscription.
    public void begin() {
        listen();
    }

    /// A subscription ends with its server. The next one is opened when a call has found the server there again: a
    /// server is not started only to be listened to.
    public void resume() {
        if (isTimeToResume()) {
            listen();
        }
    }

    /// True for one of those who ask at the same time.
    private synchronized boolean isTimeToResume() {
        boolean isRested = pause.isZero() || world.ticker().nanos() - pausedAt >= pause.toNanos();
        boolean isTime = isRested && listening != null && listening.isOver();
        listening = isTime ? null : listening;
        return isTime;
    }

    private synchronized void pauseLonger() {
        Duration longer = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        pausedAt = world.ticker().nanos();
    }

    private synchronized void pauseNoMore() {
        pause = Duration.ZERO;
    }

    /// Ends the subscription.
    public void close() {
        Ear last;
        synchronized (this) {
            last = listening;
        }
        if (last != null) {
            last.close();
        }
    }

    /// Opens a subscription in place of the one before, which ends when this one has begun.
    private Ear listen() {
        Ear now;
        Message.Request request;
        synchronized (this) {
            now = new Ear(listening);
            listening = now;
            request = dress.on(subscription());
        }
        Thread.ofVirtual().name("fusebox-listen").start(() -> now.hear(request));
        return now;
    }

    private Message.Request subscription() {
        JsonWriter wanted = new JsonWriter().beginObject().name("notifications").beginObject();
        wanted.name("toolsListChanged").bool(true).name("promptsListChanged").bool(true);
        wanted.name("resourcesListChanged").bool(true);
        if (!watched.isEmpty()) {
            wanted.name("resourceSubscriptions").beginArray();
            watched.forEach(wanted::string);
            wanted.endArray();
        }
        String params = wanted.endObject().endObject().toString();
        return Message.Request.of(Frames.request(RequestId.of("listen"), "subscriptions/listen", params));
    }

    /// Hears a subscription for a client that knows of none.
    private final class Ear implements Caller {
        private final Patience patience = Patience.endless(world.ticker());
        private final Arrival<Boolean> begun = new Arrival<>();
        private final AtomicReference<@Nullable Ear> before;
        private volatile boolean acknowledged;
        private volatile boolean over;
        private volatile boolean closed;

        /// @param before hears until this one does
        Ear(@Nullable Ear before) {
            this.before = new AtomicReference<>(before);
        }

        void hear(Message.Request request) {
            try {
                server.make(new Call(request, patience, this));
            } finally {
                if (!acknowledged && !closed) {
                    pauseLonger();
                }
                over = true;
                begin();
            }
        }

        private void begin() {
            // First, so that nobody is told of what it has just let go.
            Ear earlier = before.getAndSet(null);
            if (earlier != null) {
                earlier.close();
            }
            begun.bring(true);
        }

        boolean isOver() {
            return over;
        }

        /// Waits until the server has said what it tells from now on.
        boolean isHeard(Patience waiting) {
            try {
                waiting.await(begun, world);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return acknowledged;
        }

        void close() {
            closed = true;
            patience.giveUp();
        }

        @Override
        public void progress(byte[] frame) {
            // A subscription has none.
        }

        @Override
        public void told(Message.Notification notification) {
            switch (notification.method()) {
                case "notifications/subscriptions/acknowledged" -> {
                    acknowledged = true;
                    pauseNoMore();
                    begin();
                }
                case "notifications/cancelled" -> {}
                default -> {
                    // What this one still hears the next one has heard, too.
                    if (!closed) {
                        told.accept(notification);
                    }
                }
            }
        }

        @Override
        public boolean asked(Asker asker, Message.Request question) {
            return false;
        }
    }
}
