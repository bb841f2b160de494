package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.stateless.Subscription;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.Timers;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// The clients that listen. Changes of lists that come close together are told once. Thread-safe; nothing blocks but
/// the
/// clients' own lines.
final class Audience {
    /// Servers that are read for the first time come one after the other.
    private static final Duration TOGETHER = Duration.ofMillis(100);

    private final Timers timers;
    private final Set<Subscription> listening = ConcurrentHashMap.newKeySet();
    private final Set<String> changed = new TreeSet<>();

    Audience(Timers timers) {
        this.timers = timers;
    }

    void join(Subscription client) {
        listening.add(client);
    }

    void leave(Subscription client) {
        listening.remove(client);
    }

    /// Lists of these kinds have changed.
    void changed(Set<Kind> kinds) {
        boolean isFirst;
        synchronized (changed) {
            isFirst = changed.isEmpty();
            kinds.forEach(kind -> changed.add(kind.changed()));
            isFirst &= !changed.isEmpty();
        }
        if (isFirst) {
            timers.schedule(
                    TOGETHER, () -> Thread.ofVirtual().name("fusebox-changes").start(this::tellChanges));
        }
    }

    private void tellChanges() {
        Set<String> methods;
        synchronized (changed) {
            methods = Set.copyOf(changed);
            changed.clear();
        }
        methods.forEach(method -> tell(Message.Notification.of(Frames.notification(method, null))));
    }

    /// Tells everybody who wants to hear it.
    void tell(Message.Notification notification) {
        listening.forEach(client -> client.tell(notification));
    }
}
