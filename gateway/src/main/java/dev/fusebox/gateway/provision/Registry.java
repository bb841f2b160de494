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

/// The operator's registry, as it was read last. One reads it at a time, and what cannot be read is told once
/// and left alone for a while. Thread-safe; asking blocks as the disk or the network does when it has changed,
/// for ten seconds at most, and for as long as somebody else reads.
final class Registry {
    private static final System.Logger LOG = LazyLoggers.of(Registry.class);
    private static final int MOST_ENTRIES = 20_000;

    /// For all pages of a mirror together; one that works needs a second.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// So long what could not be read is not tried again, unless it looks different.
    private static final Duration LEFT_ALONE = Duration.ofSeconds(30);

    private final Platform platform;
    private final RegistrySource registrySource;
    private final Duration limit;
    private final AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Failure failure;
    private volatile Copy copy = new Copy("", new Contents(List.of(), null, ""));

    /// What was read, and what could be seen of the documents then.
    private record Copy(Object mark, Contents contents) {}

    /// Why it could not be read, and what could be seen of the documents then.
    private record Failure(Object mark, String why, long at) {}

    /// What is in it. Immutable.
    ///
    /// @param trouble why some of it is missing; null if nothing is
    /// @param edition another one for other contents
    record Contents(List<RegistryEntry> entries, @Nullable String trouble, Object edition) {
        Contents {
            entries = List.copyOf(entries);
        }

        private Contents but(String why) {
            return new Contents(entries, why, edition);
        }
    }

    Registry(Platform platform, RegistrySource registrySource) {
        this(platform, registrySource, LIMIT);
    }

    /// @param limit of one reading
    Registry(Platform platform, RegistrySource registrySource, Duration limit) {
        this.platform = platform;
        this.registrySource = registrySource;
        this.limit = limit;
    }

    /// What was read before if nobody can read it now: a mirror that is away takes nothing away.
    Contents contents(Deadline deadline) throws InterruptedException {
        Contents known = known(registrySource.mark());
        if (known != null) {
            return known;
        }
        if (!awaitTurn(deadline)) {
            return copy.contents().but("the registry of provision.registry is being read; ask again in a few seconds");
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

    /// What need not be read; null if it has to be.
    private @Nullable Contents known(Object mark) {
        Copy now = copy;
        if (mark.equals(now.mark())) {
            return now.contents();
        }
        Failure last = failure;
        if (last == null || !last.mark().equals(mark)) {
            return null;
        }
        boolean isLeftAlone = platform.ticker().nanos() - last.at() < LEFT_ALONE.toNanos();
        return isLeftAlone ? now.contents().but(last.why()) : null;
    }

    /// Waits for others as long as the caller has patience; whether it is the one who reads now.
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
            String why = "the registry of provision.registry cannot be read: " + unreadable.getMessage();
            // Of a caller who gave up, or had no time left, nothing is to be learned about the registry.
            if (deadline.left() > 0) {
                remember(new Failure(mark, why, platform.ticker().nanos()));
            }
            return copy.contents().but(why);
        }
    }

    private void remember(Failure next) {
        if (failure == null) {
            LOG.log(Level.WARNING, next.why());
        }
        failure = next;
    }

    /// The caller's, but no longer than one reading may take.
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
        String trouble = unreadable == 0 ? null : unreadable + " of its documents cannot be read or are no JSON";
        List<RegistryEntry> some = entries.subList(0, Math.min(MOST_ENTRIES, entries.size()));
        return new Contents(some, trouble, new Object());
    }
}
