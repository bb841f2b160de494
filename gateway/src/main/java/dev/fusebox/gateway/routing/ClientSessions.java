package dev.fusebox.gateway.routing;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.gateway.upstream.UpstreamContext;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.Message;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The open client sessions in order of arrival, and access to their own server processes. Thread-safe; nothing
/// blocks.
final class ClientSessions implements UpstreamContext.Readers {
    private final Supplier<List<UpstreamServer>> servers;
    private final Map<Long, ClientMetadata> present = new ConcurrentSkipListMap<>();
    private final Queue<Runnable> awaited = new ConcurrentLinkedQueue<>();
    private final AtomicLong last = new AtomicLong();

    /// @param servers supplies all servers
    ClientSessions(Supplier<List<UpstreamServer>> servers) {
        this.servers = servers;
    }

    /// Registers a session.
    void arrived(ClientMetadata owner) {
        ClientSession who = owner.clientSession();
        present.put(last.incrementAndGet(), owner);
        workOff();
        // A session that ends is marked first: checked here after it has become visible in the set.
        if (who != null && !who.isHere()) {
            left(who);
        }
    }

    void left(ClientSession clientSession) {
        present.values().removeIf(one -> clientSession.equals(one.clientSession()));
        servers.get().forEach(upstreamServer -> upstreamServer.sessions().left(clientSession));
    }

    /// Forwards a notification of a session to its own server processes.
    void forwardNotification(ClientSession clientSession, byte[] notification) {
        servers.get()
                .forEach(upstreamServer -> upstreamServer.sessions().forwardNotification(clientSession, notification));
    }

    /// Applies a new log level of a session.
    void levelChanged(ClientSession clientSession) {
        servers.get().forEach(upstreamServer -> upstreamServer.sessions().levelChanged(clientSession));
    }

    /// Handles a notification from a session's own server process outside of calls; only list changes matter.
    void onNotification(ClientSession clientSession, String server, Message.Notification notification) {
        if (notification.method().endsWith("/list_changed")) {
            of(server).forEach(upstreamServer -> upstreamServer.lists().stale(clientSession));
        }
    }

    /// Handles the end of a session's own server process.
    void lost(ClientSession clientSession, String server) {
        of(server).forEach(upstreamServer -> upstreamServer.lists().lost(clientSession));
    }

    private List<UpstreamServer> of(String server) {
        return servers.get().stream()
                .filter(upstreamServer -> upstreamServer.id().equals(server))
                .toList();
    }

    /// Runs the action now, or when the first session begins.
    void whenOneIsHere(Runnable work) {
        awaited.add(work);
        if (!present.isEmpty()) {
            workOff();
        }
    }

    private void workOff() {
        for (Runnable work = awaited.poll(); work != null; work = awaited.poll()) {
            work.run();
        }
    }

    @Override
    public Collection<ClientMetadata> all() {
        return present.values();
    }

    @Override
    public @Nullable ClientMetadata first(@Nullable String profile) {
        return present.values().stream()
                .filter(owner -> owner.profile().equals(profile))
                .findFirst()
                .or(() -> present.values().stream().findFirst())
                .orElse(null);
    }
}
