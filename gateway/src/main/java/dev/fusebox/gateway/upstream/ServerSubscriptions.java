package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.gateway.era.UpstreamSubscription;
import dev.fusebox.gateway.task.ServerTasks;
import dev.fusebox.gateway.task.TaskId;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The subscriptions to the changes of one server: one for its lists and for the resources that clients without a
/// session watch, and one for each session that watches resources in the process that it uses. Thread-safe; nothing
/// blocks.
public final class ServerSubscriptions {
    private final Platform platform;
    private final GatewayRequests requests;
    private final ProcessGroups groups;
    private final Server server;
    private final UpstreamSubscription shared;
    private final Map<ClientSession, OwnSubscription> own = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /// The server and the receivers of its notifications. Its functions must not block.
    ///
    /// @param isIsolated whether sessions have processes of their own or of their group
    /// @param onStale is run when the lists may have changed
    record Server(
            String id,
            ServerTasks tasks,
            BooleanSupplier isIsolated,
            CatalogListener catalogListener,
            Runnable onStale) {
        UpstreamListener listener(Runnable stale, @Nullable ClientSession session) {
            return new UpstreamListener(id, catalogListener, stale, session);
        }
    }

    ServerSubscriptions(Platform platform, GatewayRequests requests, ProcessGroups groups, Server server) {
        this.platform = platform;
        this.requests = requests;
        this.groups = groups;
        this.server = server;
        this.shared = new UpstreamSubscription(
                platform, requests::listen, () -> ClientMetadata.OF_GATEWAY, server.listener(server.onStale(), null));
    }

    /// The session in whose process a client watches resources; null if that is no single one's.
    public @Nullable ClientSession watcher(ClientMetadata client) {
        return server.isIsolated().getAsBoolean() ? client.clientSession() : null;
    }

    /// The subscription for the resources that a client watches.
    public UpstreamSubscription of(ClientMetadata client) {
        ClientSession session = watcher(client);
        if (session == null) {
            return shared;
        }
        OwnSubscription mine = own.computeIfAbsent(session, first -> new OwnSubscription(client, session));
        // A session that ends is marked first, and looked for here then.
        if (!session.isHere()) {
            left(session);
        }
        return mine.subscription;
    }

    /// The subscription of a session, at the process that it used when the subscription was opened.
    private final class OwnSubscription {
        private final ClientMetadata client;
        private final ClientSession session;
        private final UpstreamSubscription subscription;
        private volatile ClientSession place;

        OwnSubscription(ClientMetadata client, ClientSession session) {
            this.client = client;
            this.session = session;
            this.place = session;
            // The lists of a session are not read because of it: its process reports their changes anyway.
            this.subscription =
                    new UpstreamSubscription(platform, this::listen, () -> client, server.listener(() -> {}, session));
        }

        private Outcome listen(Call call) {
            ClientMetadata now = groups.as(client);
            place = now.sessionOrShared();
            return requests.listen(call, now);
        }

        /// Follows the session to another process.
        void called() {
            if (groups.as(session).equals(place)) {
                subscription.resume();
            } else {
                subscription.renew();
            }
        }
    }

    /// Watches tasks for a client. It is told at once of those whose process is gone, for which no server is started.
    ///
    /// @param ids the tasks, by the ids that the client knows
    /// @param listener receives the notifications, under these ids; must not block
    public List<TaskWatch> watchTasks(
            ClientMetadata client, Map<String, TaskId> ids, Consumer<Message.Notification> listener) {
        Map<Optional<Connection>, Map<String, TaskId>> byProcess = new LinkedHashMap<>();
        ids.forEach((shown, id) -> {
            Message.Notification failed = server.tasks().failureNotification(id, shown);
            if (failed != null) {
                listener.accept(failed);
            } else {
                byProcess
                        .computeIfAbsent(
                                Optional.ofNullable(server.tasks().connection(id)), first -> new LinkedHashMap<>())
                        .put(shown, id);
            }
        });
        List<TaskWatch> watches = new ArrayList<>();
        byProcess.forEach((process, its) -> {
            TaskId one = its.values().iterator().next();
            Endpoint endpoint = call -> requests.listen(server.tasks().onTaskConnection(one, call), groups.as(client));
            TaskWatch.Server watched = new TaskWatch.Server(server.id(), server.tasks(), endpoint, () -> isClosed);
            watches.add(new TaskWatch(platform, watched, its, listener));
        });
        watches.forEach(watch -> watch.begin(client));
        return watches;
    }

    /// Opens the shared subscription, when there is a receiver.
    void begin() {
        shared.begin();
    }

    /// Notes that a call of the session was answered.
    void called(ClientSession session) {
        shared.resume();
        OwnSubscription mine = own.get(session);
        if (mine != null) {
            mine.called();
        }
    }

    /// Opens all subscriptions on new connection settings.
    void renew() {
        shared.renew();
        own.values().forEach(each -> each.subscription.renew());
    }

    /// Ends the subscription of a session that has ended.
    void left(ClientSession session) {
        OwnSubscription mine = own.remove(session);
        if (mine != null) {
            mine.subscription.close();
        }
    }

    /// Ends all subscriptions: the server is removed.
    void close() {
        isClosed = true;
        shared.close();
        own.values().forEach(each -> each.subscription.close());
    }
}
