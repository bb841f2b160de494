package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The resources that are watched on one connection of the session era, each once however many want it.
/// Thread-safe; nothing blocks: one virtual thread at a time asks the server, in the order in which it was asked
/// to.
final class ResourceSubscriptions {
    /// For all resources of one client together.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Platform platform;
    private final Connection connection;
    private final Map<String, Integer> wanted = new HashMap<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean working;

    ResourceSubscriptions(Platform platform, Connection connection) {
        this.platform = platform;
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    /// Watches these for one client more; brings those that the server lets be watched.
    Promise<Set<String>> watch(Set<String> uris) {
        Promise<Set<String>> granted = new Promise<>();
        work(() -> granted.bring(subscribe(uris)));
        return granted;
    }

    /// Watches what was granted for one client less.
    void unwatch(Promise<Set<String>> granted) {
        work(() -> {
            Set<String> uris = granted.now();
            unsubscribe(uris == null ? Set.of() : uris);
        });
    }

    private void work(Runnable task) {
        boolean isFirst;
        synchronized (this) {
            waiting.add(task);
            isFirst = !working;
            working = true;
        }
        if (isFirst) {
            // Otherwise the next work begins with this.
            VirtualThreadStarter.start("fusebox-watches", this::workOff, this::stopped);
        }
    }

    private synchronized void stopped() {
        working = false;
    }

    private void workOff() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable task = waiting.poll();
        working = task != null;
        return task;
    }

    // ---- On the working thread, which alone knows what is wanted

    private Set<String> subscribe(Set<String> uris) {
        Deadline deadline = deadline();
        Set<String> granted = new LinkedHashSet<>();
        for (String uri : uris) {
            if (wanted.containsKey(uri) || ask("resources/subscribe", uri, deadline)) {
                wanted.merge(uri, 1, Integer::sum);
                granted.add(uri);
            }
        }
        return granted;
    }

    private void unsubscribe(Set<String> uris) {
        Deadline deadline = deadline();
        for (String uri : uris) {
            if (wanted.merge(uri, -1, Integer::sum) == 0) {
                wanted.remove(uri);
                ask("resources/unsubscribe", uri, deadline);
            }
        }
    }

    private Deadline deadline() {
        return new Deadline(LIMIT, Duration.ZERO, platform.ticker());
    }

    /// A connection that is gone has forgotten all by itself.
    private boolean ask(String method, String uri, Deadline deadline) {
        if (!connection.isAlive() || deadline.left() <= 0) {
            return false;
        }
        Message.Request request = Message.Request.of(
                JsonRpcFrames.request(RequestId.of("watch"), method, "{\"uri\":" + JsonWriter.quoted(uri) + "}"));
        return connection.call(new Call(request, deadline, Caller.SILENT))
                        instanceof Outcome.Answered(Message.Answer answer)
                && answer.result() != null;
    }
}
