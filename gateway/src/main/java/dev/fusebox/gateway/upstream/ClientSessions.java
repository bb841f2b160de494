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

/// The open client sessions in the order of their begin, and their own server processes. Thread-safe; nothing blocks.
final class ClientSessions implements UpstreamContext.Readers {
    private final Supplier<List<UpstreamServer>> servers;
    private final Map<Long, ClientMetadata> present = new ConcurrentSkipListMap<>();
    private final Queue<Runnable> awaited = new ConcurrentLinkedQueue<>();
    private final AtomicLong last = new AtomicLong();

    /// @param servers all servers there are
    ClientSessions(Supplier<List<UpstreamServer>> servers) {
        this.servers = servers;
    }

    /// A session begins.
    void arrived(ClientMetadata owner) {
        ClientSession who = owner.clientSession();
        present.put(last.incrementAndGet(), owner);
        workOff();
        // A session that ends closes itself first; this looks at it after it can be found.
        if (who != null && !who.isHere()) {
            left(who);
        }
    }

    void left(ClientSession clientSession) {
        present.values().removeIf(one -> clientSession.equals(one.clientSession()));
        servers.get().forEach(upstreamServer -> upstreamServer.left(clientSession));
    }

    /// Passes a notification of a session to its own servers.
    void tell(ClientSession clientSession, byte[] notification) {
        servers.get().forEach(upstreamServer -> upstreamServer.tell(clientSession, notification));
    }

    /// A session has set another log level.
    void levelChanged(ClientSession clientSession) {
        servers.get().forEach(upstreamServer -> upstreamServer.levelChanged(clientSession));
    }

    /// A session's own server has sent a notification outside of calls; only changes of lists matter.
    void told(ClientSession clientSession, String server, Message.Notification notification) {
        if (notification.method().endsWith("/list_changed")) {
            of(server).forEach(upstreamServer -> upstreamServer.lists().stale(clientSession));
        }
    }

    /// A session's own process of a server has ended.
    void lost(ClientSession clientSession, String server) {
        of(server).forEach(upstreamServer -> upstreamServer.lists().lost(clientSession));
    }

    private List<UpstreamServer> of(String server) {
        return servers.get().stream()
                .filter(upstreamServer -> upstreamServer.id().equals(server))
                .toList();
    }

    /// Runs the action now, or as soon as the first session begins.
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
    public @Nullable ClientMetadata first(@Nullable String profile) {
        return present.values().stream()
                .filter(owner -> owner.profile().equals(profile))
                .findFirst()
                .or(() -> present.values().stream().findFirst())
                .orElse(null);
    }
}
