package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.protocol.Message;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Clients that stay, in the order in which they came, and what they have for themselves. Thread-safe; nothing
/// blocks.
final class ClientSessions {
    private final Supplier<List<UpstreamServer>> servers;
    private final Map<Long, ClientMetadata> present = new ConcurrentSkipListMap<>();
    private final Queue<Runnable> awaited = new ConcurrentLinkedQueue<>();
    private final AtomicLong last = new AtomicLong();

    /// @param servers all servers there are
    ClientSessions(Supplier<List<UpstreamServer>> servers) {
        this.servers = servers;
    }

    /// One more, who has just said this of itself.
    void arrived(ClientMetadata owner) {
        ClientSession who = owner.clientSession();
        present.put(last.incrementAndGet(), owner);
        workOff();
        // A client that leaves says so first, and this looks for that afterwards: one of the two finds the other.
        if (who != null && !who.isHere()) {
            left(who);
        }
    }

    void left(ClientSession clientSession) {
        present.values().removeIf(one -> clientSession.equals(one.clientSession()));
        servers.get().forEach(upstreamServer -> upstreamServer.left(clientSession));
    }

    /// A guest tells those servers something that are its own.
    void tell(ClientSession clientSession, byte[] notification) {
        servers.get().forEach(upstreamServer -> upstreamServer.tell(clientSession, notification));
    }

    /// A guest wants log lines of those servers that are its own from another level on.
    void levelChanged(ClientSession clientSession) {
        servers.get().forEach(upstreamServer -> upstreamServer.levelChanged(clientSession));
    }

    /// A server of a guest's own has told it something outside of calls; what is not about its lists is dropped.
    void told(ClientSession clientSession, String server, Message.Notification notification) {
        if (notification.method().endsWith("/list_changed")) {
            of(server).forEach(upstreamServer -> upstreamServer.lists().stale(clientSession));
        }
    }

    /// The process that a guest had of a server is gone.
    void lost(ClientSession clientSession, String server) {
        of(server).forEach(upstreamServer -> upstreamServer.lists().lost(clientSession));
    }

    private List<UpstreamServer> of(String server) {
        return servers.get().stream()
                .filter(upstreamServer -> upstreamServer.id().equals(server))
                .toList();
    }

    /// Has this done now, or as soon as the first one comes.
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

    /// Who has been there longest; null if nobody is there.
    ///
    /// @param profile of whom it has to be, if any such client is there; null for any
    @Nullable
    ClientMetadata first(@Nullable String profile) {
        return present.values().stream()
                .filter(owner -> owner.profile().equals(profile))
                .findFirst()
                .or(() -> present.values().stream().findFirst())
                .orElse(null);
    }
}
