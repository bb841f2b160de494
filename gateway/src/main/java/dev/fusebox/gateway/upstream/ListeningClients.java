package dev.fusebox.gateway.upstream;

import dev.fusebox.gateway.era.ClientSubscription;
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

/// The clients that listen. Changes of lists that come close together are told once. Thread-safe; nothing blocks
/// but the clients' own lines.
final class ListeningClients {
    private static final System.Logger LOG = LazyLoggers.of(ListeningClients.class);
    /// Servers that are read for the first time come one after the other.
    private static final Duration TOGETHER = Duration.ofMillis(100);

    private final Timers timers;
    private final Map<ClientSubscription, Map<Resource, Set<String>>> listening = new ConcurrentHashMap<>();
    private final Set<String> changed = new TreeSet<>();

    /// Whether somebody is going to tell that.
    private boolean isPlanned;

    ListeningClients(Timers timers) {
        this.timers = timers;
    }

    /// A resource of a server.
    private record Resource(UpstreamServer server, String own) {}

    /// Tells a client from now on, in place of what it was told before.
    ///
    /// @param routes to what it watches, by the addresses that it said
    void join(ClientSubscription client, Map<String, Router.Route> routes) {
        Map<Resource, Set<String>> said = new HashMap<>();
        routes.forEach((shown, route) -> said.computeIfAbsent(
                        new Resource(route.upstreamServer(), route.own()), first -> new LinkedHashSet<>())
                .add(shown));
        listening.put(client, said);
    }

    void leave(ClientSubscription client) {
        listening.remove(client);
    }

    /// Lists of these kinds have changed.
    void changed(Set<CatalogKind> kinds) {
        if (isFirst(kinds)) {
            try {
                timers.schedule(
                        TOGETHER, () -> VirtualThreadStarter.start("fusebox-changes", this::tellChanges, this::untold));
            } catch (RuntimeException | Error unplanned) {
                LOG.log(Level.ERROR, "clients cannot be told what has changed", unplanned);
                untold();
            }
        }
    }

    /// Whether nobody is going to tell of changes yet.
    private boolean isFirst(Set<CatalogKind> kinds) {
        synchronized (changed) {
            kinds.forEach(kind -> changed.add(kind.changed()));
            boolean isFirst = !isPlanned && !changed.isEmpty();
            isPlanned |= isFirst;
            return isFirst;
        }
    }

    /// It is told with the next change.
    private void untold() {
        synchronized (changed) {
            isPlanned = false;
        }
    }

    private void tellChanges() {
        List<String> methods;
        synchronized (changed) {
            methods = List.copyOf(changed);
            changed.clear();
            isPlanned = false;
        }
        methods.forEach(method -> tell(Message.Notification.of(JsonRpcFrames.notification(method, null))));
    }

    /// Tells everybody who wants to hear it.
    private void tell(Message.Notification notification) {
        listening.keySet().forEach(client -> client.tell(notification));
    }

    /// A resource has changed: everybody who watches it is told so under the address that it said, or under each.
    void updated(UpstreamServer server, Message.Notification notification) {
        JsonView address = notification.frame().path("params", "uri");
        String own = address == null ? null : address.string();
        if (address == null || own == null) {
            return;
        }
        Resource resource = new Resource(server, own);
        listening.forEach((client, said) -> said.getOrDefault(resource, Set.of())
                .forEach(shown -> client.tell(under(shown, address, notification))));
    }

    private static Message.Notification under(String shown, JsonView address, Message.Notification notification) {
        return Message.Notification.of(Splice.of(notification.frame())
                .replace(address, JsonWriter.quoted(shown))
                .bytes());
    }
}
