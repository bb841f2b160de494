package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Promise;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts on the shelves what servers offered when they were last seen, as far as they have said nothing newer. A
/// thread of its own reads, since memory is a disk, which may take its time. Thread-safe; nothing blocks.
final class Recollection {
    private static final System.Logger LOG = LazyLoggers.of(Recollection.class);

    private final Platform platform;
    private final Memory memory;
    private final Runnable show;
    private volatile Shelf.@Nullable Reading latest;

    /// @param show lets everybody see what was put on the shelves; must not block
    Recollection(Platform platform, Memory memory, Runnable show) {
        this.platform = platform;
        this.memory = memory;
        this.show = show;
    }

    /// @param then is done when all has been read
    void begin(List<Member> whom, Runnable then) {
        if (memory.equals(Memory.NONE) || whom.isEmpty()) {
            then.run();
            return;
        }
        Shelf.Reading reading =
                new Shelf.Reading(new Promise<>(), platform.ticker().nanos(), false);
        latest = reading;
        readLaunches(whom);
        try {
            Thread.ofPlatform().daemon().name("fusebox-recall").start(() -> {
                try {
                    read(whom);
                } finally {
                    ended(whom, reading, then);
                }
            });
        } catch (RuntimeException | Error noThread) {
            LOG.log(Level.WARNING, "what servers offered when they were last seen is not read: " + noThread);
            ended(whom, reading, then);
        }
    }

    /// On a thread of its own, as servers stand on disks that may hang. What is not known then counts as
    /// unchanged.
    private static void readLaunches(List<Member> whom) {
        try {
            Thread.ofPlatform().daemon().name("fusebox-launches").start(() -> whom.forEach(Recollection::readLaunch));
        } catch (RuntimeException | Error noThread) {
            LOG.log(Level.WARNING, "upgraded servers are not recognised: " + noThread);
        }
    }

    private static void readLaunch(Member member) {
        try {
            member.cached().readLaunch();
        } catch (RuntimeException unusable) {
            LOG.log(Level.DEBUG, "cannot read what " + member.id() + " is launched with", unusable);
        }
    }

    /// Nobody waits any more, also for what could not begin: the servers themselves are asked then.
    private static void ended(List<Member> whom, Shelf.Reading reading, Runnable then) {
        whom.forEach(member -> member.cached().restored(null));
        reading.done().bring(true);
        then.run();
    }

    /// The last that was begun, for whoever waits for it; null if none was.
    Shelf.@Nullable Reading latest() {
        return latest;
    }

    /// Whether it is not known yet what is remembered of some servers.
    boolean isUnderWay() {
        Shelf.Reading reading = latest;
        return reading != null && reading.done().now() == null;
    }

    /// All lists are put together once, however many are remembered.
    private void read(List<Member> whom) {
        List<Member> recalled = whom.stream().filter(this::recall).toList();
        if (!recalled.isEmpty()) {
            show.run();
            recalled.forEach(member -> member.shelf().recalled());
        }
    }

    /// False if there is nothing to be shown.
    private boolean recall(Member member) {
        CachedOffer entry = entry(member);
        member.cached().restored(entry);
        return entry != null && !member.isLive() && member.recall(entry);
    }

    /// Reads the entry of one server again: another gateway may have written a newer one. Blocks as the disk does.
    void again(Member member) {
        CachedOffer entry = entry(member);
        if (entry != null && member.cached().renewed(entry) && !member.isLive() && member.recall(entry)) {
            show.run();
            member.shelf().recalled();
        }
    }

    private @Nullable CachedOffer entry(Member member) {
        String identity = member.identity();
        byte[] text = identity.isEmpty() ? null : memory.recall(identity);
        CachedOffer entry = text == null ? null : OfferJson.read(text);
        if (text != null && entry == null) {
            LOG.log(Level.WARNING, "what " + member.id() + " offered when last seen is damaged, and is ignored");
        }
        return entry;
    }
}
