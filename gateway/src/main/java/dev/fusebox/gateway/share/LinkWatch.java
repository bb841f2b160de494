package dev.fusebox.gateway.share;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The watcher of the connections to gateways, which closes those that do not respond although a response is
/// awaited. Thread-safe; only [#run] blocks.
///
/// The time of a write to the client does not count, because nothing is read from a gateway meanwhile.
final class LinkWatch {
    /// How often a gateway whose response is awaited is asked for a sign of life. It counts as dead after two
    /// intervals.
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private final Platform platform;
    private final Predicate<GatewayLink> isAwaited;
    private final Consumer<String> notes;
    private final Set<GatewayLink> links = ConcurrentHashMap.newKeySet();
    private volatile boolean isWritingToClient;

    /// @param isAwaited whether a response of a gateway is awaited
    /// @param notes receives lines for the user
    LinkWatch(Platform platform, Predicate<GatewayLink> isAwaited, Consumer<String> notes) {
        this.platform = platform;
        this.isAwaited = isAwaited;
        this.notes = notes;
    }

    void add(GatewayLink link) {
        heard(link);
        links.add(link);
    }

    void remove(GatewayLink link) {
        links.remove(link);
    }

    /// Notes a sign of life.
    void heard(GatewayLink link) {
        link.noteHeard(platform.ticker().nanos());
    }

    /// Notes the begin and the end of a write to the client. At most one write may be in progress.
    void writingToClient(boolean isWriting) {
        isWritingToClient = isWriting;
    }

    /// Watches the connections until the client has left.
    void run(BooleanSupplier hasEnded) {
        try {
            while (!platform.await(CHECK_INTERVAL, hasEnded)) {
                links.forEach(this::check);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void check(GatewayLink link) {
        boolean isWriting = link.isWriting();
        boolean isTaking = link.hasTakenMore() && isWriting;
        if (isWritingToClient || isTaking || !(isWriting || isAwaited.test(link))) {
            // A gateway may be silent as long as its client is, and while it takes a large message.
            heard(link);
            return;
        }
        long silent = platform.ticker().nanos() - link.heardAt();
        if (silent > 2 * CHECK_INTERVAL.toNanos()) {
            notes.accept("the gateway has not responded for "
                    + Duration.ofNanos(silent).toSeconds() + " s; looking for another one");
            link.close();
        } else if (!isWriting) {
            // On a thread of its own, because writing blocks while the gateway takes nothing.
            Thread.ofPlatform().daemon().name("fusebox-connector-ask").start(() -> ask(link));
        }
    }

    private static void ask(GatewayLink link) {
        try {
            link.write(LineMark.line(LineMark.CHECK, new byte[0]));
        } catch (IOException gone) {
            link.close();
        }
    }
}
