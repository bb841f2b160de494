package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The operator's registry, with a cache. One thread reads it at a time; a failure is logged once and not retried
/// for a while. Thread-safe; after a change a query blocks on the disk or the network, for at most ten seconds, or
/// while another thread reads.
final class Registry {
    private static final System.Logger LOG = LazyLoggers.of(Registry.class);
    private static final int MAX_ENTRIES = 20_000;

    /// For all pages of a mirror together; a working one needs a second.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// The time for which a failed read is not retried, unless the source has changed.
    private static final Duration RETRY_DELAY = Duration.ofSeconds(30);

    private final Platform platform;
    private final RegistrySource registrySource;
    private final Duration limit;
    private final AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Failure failure;
    private volatile Copy copy = new Copy("", new Contents(List.of(), null, ""));

    /// The content, and the visible state of the source when it was read.
    private record Copy(Object mark, Contents contents) {}

    /// The failure, and the visible state of the source at that time.
    private record Failure(Object mark, String why, long at) {}

    /// The entries. Immutable.
    ///
    /// @param trouble why some are missing; null if none are
    /// @param edition differs for different contents
    record Contents(List<RegistryEntry> entries, @Nullable String trouble, Object edition) {
        Contents {
            entries = List.copyOf(entries);
        }

        private Contents withTrouble(String why) {
            return new Contents(entries, why, edition);
        }
    }

    Registry(Platform platform, RegistrySource registrySource) {
        this(platform, registrySource, LIMIT);
    }

    /// @param limit of one read
    Registry(Platform platform, RegistrySource registrySource, Duration limit) {
        this.platform = platform;
        this.registrySource = registrySource;
        this.limit = limit;
    }

    /// The content; the previous one if it cannot be read now, so that an unavailable mirror removes nothing.
    Contents contents(Deadline deadline) throws InterruptedException {
        Contents known = known(registrySource.mark());
        if (known != null) {
            return known;
        }
        if (!awaitTurn(deadline)) {
            return copy.contents().withTrouble("provision.registry is being read; ask again in a few seconds");
        }
        try {
            Object mark = registrySource.mark();
            Contents meanwhile = known(mark);
            return meanwhile == null ? read(mark, deadline) : meanwhile;
        } finally {
            reader.set(null);
            waiting.forEach(LockSupport::unpark);
        }
    }

    /// Cached content; null if it has to be read.
    private @Nullable Contents known(Object mark) {
        Copy now = copy;
        if (mark.equals(now.mark())) {
            return now.contents();
        }
        Failure last = failure;
        if (last == null || !last.mark().equals(mark)) {
            return null;
        }
        boolean isLeftAlone = platform.ticker().nanos() - last.at() < RETRY_DELAY.toNanos();
        return isLeftAlone ? now.contents().withTrouble(last.why()) : null;
    }

    /// Waits for other readers until the caller's deadline; returns whether this thread reads now.
    private boolean awaitTurn(Deadline deadline) throws InterruptedException {
        Thread self = Thread.currentThread();
        deadline.onChange(() -> LockSupport.unpark(self));
        waiting.add(self);
        try {
            Duration left = Duration.ofNanos(Math.max(1, deadline.left()));
            platform.await(left, () -> reader.compareAndSet(null, self) || deadline.isGivenUp());
        } finally {
            waiting.remove(self);
        }
        return self.equals(reader.get());
    }

    private Contents read(Object mark, Deadline deadline) throws InterruptedException {
        try {
            Copy next = new Copy(mark, parsed(registrySource.read(own(deadline))));
            copy = next;
            failure = null;
            return next.contents();
        } catch (IOException unreadable) {
            String why = "cannot read provision.registry: " + unreadable.getMessage();
            // A caller that gave up, or had no time left, gives no information about the registry.
            if (deadline.left() > 0) {
                remember(new Failure(mark, why, platform.ticker().nanos()));
            }
            return copy.contents().withTrouble(why);
        }
    }

    private void remember(Failure next) {
        if (failure == null) {
            LOG.log(Level.WARNING, next.why());
        }
        failure = next;
    }

    /// The caller's deadline, at most the limit of one read.
    private Deadline own(Deadline deadline) {
        long nanos = Math.min(limit.toNanos(), Math.max(1, deadline.left()));
        Deadline own = new Deadline(Duration.ofNanos(nanos), Duration.ZERO, platform.ticker());
        deadline.onChange(() -> {
            if (deadline.isGivenUp()) {
                own.giveUp();
            }
        });
        if (deadline.isGivenUp()) {
            own.giveUp();
        }
        return own;
    }

    private static Contents parsed(List<byte[]> all) {
        List<RegistryEntry> entries = new ArrayList<>();
        int unreadable = 0;
        for (byte[] document : all) {
            try {
                entries.addAll(RegistryEntryReader.entries(JsonView.parse(document)));
            } catch (JsonSyntaxError noJson) {
                unreadable++;
            }
        }
        String trouble = unreadable == 0 ? null : unreadable + " of its documents are unreadable or not JSON";
        List<RegistryEntry> some = entries.subList(0, Math.min(MAX_ENTRIES, entries.size()));
        return new Contents(some, trouble, new Object());
    }
}
