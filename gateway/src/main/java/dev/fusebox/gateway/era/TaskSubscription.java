package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Promise;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The subscription of one client to the states of some tasks of a modern server. When the server ends it, it is opened
/// again, as long as the client listens. Thread-safe; only [#granted] blocks.
public final class TaskSubscription {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Platform platform;
    private final Endpoint server;
    private final Set<String> tasks;
    private final Listener listener;
    private final Promise<Boolean> closed = new Promise<>();
    private final Promise<Set<String>> granted = new Promise<>();
    private volatile @Nullable BridgedSubscription current;

    /// The receiver of the notifications. Implementations must not block.
    public interface Listener {
        void onNotification(Message.Notification notification);

        /// Reports tasks whose process is gone, of which the server sends no notification; returns whether any goes on.
        boolean continueAfterEnd();
    }

    /// @param server sends a request to the process that works on the tasks
    /// @param tasks the server's own ids
    public TaskSubscription(Platform platform, Endpoint server, Set<String> tasks, Listener listener) {
        this.platform = platform;
        this.server = server;
        this.tasks = Set.copyOf(tasks);
        this.listener = listener;
    }

    /// Opens it. Called once.
    ///
    /// @param client the subscriber
    public void begin(ClientMetadata client) {
        VirtualThreadStarter.start("fusebox-listen", () -> listen(client), () -> granted.complete(Set.of()));
    }

    /// The tasks that the server reports on. Blocks at most until the deadline.
    public Set<String> granted(Deadline deadline) throws InterruptedException {
        Set<String> known = deadline.await(granted, platform);
        return known == null ? Set.of() : known;
    }

    private void listen(ClientMetadata client) {
        try {
            Duration pause = FIRST_PAUSE;
            boolean wasAcknowledged = false;
            for (Attempt last = attempt(client); last.goesOn(wasAcknowledged); last = attempt(client)) {
                wasAcknowledged = true;
                pause = last.isAcknowledged() ? FIRST_PAUSE : longer(pause);
                closed.await(platform, pause);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            granted.complete(Set.of());
        }
    }

    private static Duration longer(Duration pause) {
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }

    /// How a subscription has ended.
    ///
    /// @param isAcknowledged whether the server had accepted it
    /// @param isWanted whether the client still listens to tasks that go on
    private record Attempt(boolean isAcknowledged, boolean isWanted) {
        /// A server that refuses the first one does so again; one that is being started may refuse a later one.
        boolean goesOn(boolean wasAcknowledged) {
            return isWanted && (isAcknowledged || wasAcknowledged);
        }
    }

    /// Listens until the subscription ends.
    private Attempt attempt(ClientMetadata client) {
        BridgedSubscription next = new BridgedSubscription(platform, tasks, new Owner());
        current = next;
        if (closed.now() != null) {
            return new Attempt(false, false);
        }
        next.listen(server, request(), client);
        return new Attempt(next.isAcknowledged(), closed.now() == null && listener.continueAfterEnd());
    }

    private Message.Request request() {
        JsonWriter params = new JsonWriter().beginObject().name("notifications").beginObject();
        params.name(SubscriptionFilter.TASK_IDS).beginArray();
        tasks.forEach(params::string);
        params.endArray().endObject().endObject();
        return Message.Request.of(
                JsonRpcFrames.request(RequestId.of("listen"), "subscriptions/listen", params.toString()));
    }

    /// Ends it. May be called again.
    public void end() {
        // First: a subscription that is being opened is checked for it after it has become visible.
        closed.complete(true);
        BridgedSubscription now = current;
        if (now != null) {
            now.close();
        }
    }

    /// The observer of the current subscription.
    private final class Owner implements BridgedSubscription.Owner {
        @Override
        public void acknowledged(BridgedSubscription bridgedSubscription) {
            granted.complete(bridgedSubscription.granted());
        }

        @Override
        public void ended(BridgedSubscription bridgedSubscription) {
            // The thread that listens goes on.
        }

        @Override
        public void told(Message.Notification notification) {
            listener.onNotification(notification);
        }
    }
}
