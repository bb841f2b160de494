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

/// The reference-counted resource subscriptions of one connection to a legacy server. Thread-safe; nothing
/// blocks: one virtual thread at a time sends requests to the server, in order.
final class ResourceSubscriptions {
    /// Time limit for all resources of one client together.
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

    /// Adds a watcher of these resources; completes with those that the server allows to be watched.
    Promise<Set<String>> watch(Set<String> uris) {
        Promise<Set<String>> granted = new Promise<>();
        work(() -> granted.complete(subscribe(uris)));
        return granted;
    }

    /// Removes a watcher of what was granted.
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
            // If no thread can be started, the next request starts one.
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

    // ---- On the working thread, which alone owns the counts

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

    /// A lost connection needs no unsubscription.
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
