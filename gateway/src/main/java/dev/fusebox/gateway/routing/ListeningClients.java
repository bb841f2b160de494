package dev.fusebox.gateway.routing;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.era.ClientSubscription;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Timers;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The subscribed clients. List changes within a short time are sent as one notification. Thread-safe; only the
/// clients' own channels block.
final class ListeningClients {
    private static final System.Logger LOG = LazyLoggers.of(ListeningClients.class);
    /// Servers that are read for the first time change the lists one after the other; this batches the
    /// notifications.
    private static final Duration TOGETHER = Duration.ofMillis(100);

    private final Timers timers;
    private final Map<ClientSubscription, Map<Resource, Set<String>>> listening = new ConcurrentHashMap<>();
    private final Set<String> changed = new TreeSet<>();

    /// Whether a notification is scheduled.
    private boolean isPlanned;

    ListeningClients(Timers timers) {
        this.timers = timers;
    }

    /// A resource of a server.
    ///
    /// @param session in whose process it is watched; null if that is no single one's
    private record Resource(String server, @Nullable ClientSession session, String own) {}

    /// Adds a client, or replaces its resources.
    ///
    /// @param metadata of the client
    /// @param routes of the resources, by the client's own URIs
    void join(ClientSubscription client, ClientMetadata metadata, Map<String, Route> routes) {
        Map<Resource, Set<String>> said = new HashMap<>();
        routes.forEach((shown, route) -> said.computeIfAbsent(resource(route, metadata), first -> new LinkedHashSet<>())
                .add(shown));
        listening.put(client, said);
    }

    private static Resource resource(Route route, ClientMetadata client) {
        UpstreamServer server = route.upstreamServer();
        return new Resource(server.id(), server.subscriptions().watcher(client), route.own());
    }

    void leave(ClientSubscription client) {
        listening.remove(client);
    }

    /// Schedules notifications for these kinds of lists.
    void changed(Set<CatalogKind> kinds) {
        if (isFirst(kinds)) {
            try {
                timers.schedule(
                        TOGETHER,
                        () -> VirtualThreadStarter.start("fusebox-changes", this::notifyOfChanges, this::postpone));
            } catch (RuntimeException | Error unplanned) {
                LOG.log(Level.ERROR, "cannot schedule list_changed notifications", unplanned);
                postpone();
            }
        }
    }

    /// Records the kinds; returns whether a notification has to be scheduled.
    private boolean isFirst(Set<CatalogKind> kinds) {
        synchronized (changed) {
            kinds.forEach(kind -> changed.add(kind.changed()));
            boolean isFirst = !isPlanned && !changed.isEmpty();
            isPlanned |= isFirst;
            return isFirst;
        }
    }

    /// Leaves the notification to the next change.
    private void postpone() {
        synchronized (changed) {
            isPlanned = false;
        }
    }

    private void notifyOfChanges() {
        List<String> methods;
        synchronized (changed) {
            methods = List.copyOf(changed);
            changed.clear();
            isPlanned = false;
        }
        methods.forEach(method -> notifyClients(Message.Notification.of(JsonRpcFrames.notification(method, null))));
    }

    /// Sends a notification to all subscribed clients.
    private void notifyClients(Message.Notification notification) {
        listening.keySet().forEach(client -> client.forward(notification));
    }

    /// Forwards a resource change: each subscriber is notified under each of its own URIs.
    ///
    /// @param session whose process has reported it; null if that is no single one's
    void updated(String server, @Nullable ClientSession session, Message.Notification notification) {
        JsonView address = notification.frame().path("params", "uri");
        String own = address == null ? null : address.string();
        if (address == null || own == null) {
            return;
        }
        Resource resource = new Resource(server, session, own);
        listening.forEach((client, said) -> said.getOrDefault(resource, Set.of())
                .forEach(shown -> client.forward(under(shown, address, notification))));
    }

    private static Message.Notification under(String shown, JsonView address, Message.Notification notification) {
        return Message.Notification.of(Splice.of(notification.frame())
                .replace(address, JsonWriter.quoted(shown))
                .bytes());
    }
}
