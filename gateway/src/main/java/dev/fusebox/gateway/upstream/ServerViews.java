package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.protocol.Message;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The views of clients in which one server stands: it is told of the clients of all of them, and they are told of
/// its changes. Thread-safe; nothing blocks.
final class ServerViews implements CatalogListener, UpstreamContext.Readers {
    private final List<ServerView> views = new CopyOnWriteArrayList<>();

    void add(ServerView view) {
        views.add(view);
    }

    /// Removes a view; returns whether there is another.
    boolean remove(ServerView view) {
        views.remove(view);
        return !views.isEmpty();
    }

    /// Whether all of them are of this origin.
    boolean areOf(Object origin) {
        return views.stream().allMatch(view -> view.origin().equals(origin));
    }

    @Override
    public void changed() {
        views.forEach(view -> view.catalogListener().changed());
    }

    /// A session is told once, and clients that share a list through their views.
    @Override
    public void changed(ClientMetadata client, Set<CatalogKind> kinds) {
        ClientSession session = client.clientSession();
        List<String> methods =
                kinds.stream().map(CatalogKind::changed).distinct().toList();
        if (session == null || methods.isEmpty() || !session.listsChanged(methods)) {
            views.forEach(view -> view.catalogListener().changed(client, kinds));
        }
    }

    @Override
    public void updated(String server, @Nullable ClientSession session, Message.Notification notification) {
        views.forEach(view -> view.catalogListener().updated(server, session, notification));
    }

    @Override
    public @Nullable ClientMetadata first(@Nullable String profile) {
        return views.stream()
                .flatMap(view -> Stream.ofNullable(view.readers().first(profile)))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Collection<ClientMetadata> all() {
        return views.stream().flatMap(view -> view.readers().all().stream()).toList();
    }
}
