package dev.fusebox.gateway.reload;

import dev.fusebox.config.ReadResult;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Notices every change of the configuration file, however it is made, and has it applied when the file has been
/// quiet for a moment. It looks at the file all the time: a look takes some microseconds, sees swapped links and
/// folders, and works on every file system. Thread-safe; nothing blocks but the watch's own virtual thread.
///
/// ```
/// as read --looks different--> changing --quiet for 300 ms--> read: right --> applied, as read
///                               ^    |                          '-- wrong --> read again, until quiet for 1 s;
///                               '----'                                        then rejected, as read
///                           looks different
/// ```
/// A file that is never quiet is read every 1.2 s all the same, and applied if it is whole and right then.
public final class ConfigWatcher implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(ConfigWatcher.class);

    /// A change has an effect within 2 s: two looks, the quiet, and the time of reading are well below that.
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private static final Duration QUIET = Duration.ofMillis(300);

    /// Half of a file may stay that for half a second while the rest is on its way.
    private static final Duration QUIET_FOR_GOOD = Duration.ofSeconds(1);

    private static final Duration LONGEST_UNREST = Duration.ofMillis(1_200);

    /// Some file systems note times in steps of up to two seconds, so a change right after reading may look like
    /// none.
    private static final Duration ONCE_MORE = Duration.ofMillis(2_500);

    private final Platform platform;
    private final ConfigReload configReload;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean asked;

    /// What was there when it was last read to the end.
    private FileStamp read;

    private FileStamp seen;
    private long seenAt;

    /// When it began to look different from what was read; null while it does not.
    private @Nullable Long unrestSince;

    /// When it is read once more though it looks the same; null if that has been done.
    private @Nullable Long onceMoreAt;

    private ConfigWatcher(Platform platform, ConfigReload configReload) {
        this.platform = platform;
        this.configReload = configReload;
        this.read = fileStamp();
        this.seen = read;
        this.seenAt = platform.ticker().nanos();
        this.onceMoreAt = seenAt + ONCE_MORE.toNanos();
        this.thread = Thread.ofVirtual().name("fusebox-config").unstarted(this::watch);
    }

    /// Watches from now on. What was changed since the file was first read is noticed, too.
    public static ConfigWatcher begin(Platform platform, ConfigReload configReload) {
        ConfigWatcher watch = new ConfigWatcher(platform, configReload);
        watch.thread.start();
        return watch;
    }

    /// Has the file read now, whether it has changed or not.
    public void readNow() {
        asked = true;
        LockSupport.unpark(thread);
    }

    /// Nothing is applied any more but what is being applied.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private FileStamp fileStamp() {
        return configReload.source().fileStamp();
    }

    private void watch() {
        try {
            while (!closed) {
                platform.await(BETWEEN_LOOKS, () -> closed || asked);
                if (!closed) {
                    lookSafely();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// A bug costs one look, and never the watch.
    private void lookSafely() {
        try {
            lookOnce();
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "the configuration could not be applied, because of a bug", bug);
            settled(seen, platform.ticker().nanos());
        }
    }

    private void lookOnce() {
        long now = platform.ticker().nanos();
        FileStamp fileStamp = fileStamp();
        if (!fileStamp.equals(seen)) {
            seen = fileStamp;
            seenAt = now;
        }
        boolean isAsked = asked;
        asked = false;
        if (isAsked) {
            LOG.log(Level.INFO, "the configuration is read again on request");
            read(fileStamp, now, true);
        } else if (!fileStamp.equals(read)) {
            changing(fileStamp, now);
        } else {
            unrestSince = null;
            readOnceMore(fileStamp, now);
        }
    }

    private void changing(FileStamp fileStamp, long now) {
        long since = unrestSince == null ? now : unrestSince;
        unrestSince = since;
        long quiet = now - seenAt;
        if (quiet >= QUIET.toNanos() || now - since >= LONGEST_UNREST.toNanos()) {
            read(fileStamp, now, quiet >= QUIET_FOR_GOOD.toNanos());
        }
    }

    private void readOnceMore(FileStamp fileStamp, long now) {
        Long at = onceMoreAt;
        if (at != null && now - at >= 0) {
            onceMoreAt = null;
            // What was a pipe from the beginning has been read, and is no change.
            if (fileStamp.kind() != FileStamp.Kind.OTHER) {
                read(fileStamp, now, true);
            }
        }
    }

    /// @param last whether a file that is wrong is taken for wrong, and not for half written
    private void read(FileStamp fileStamp, long now, boolean last) {
        if (take(fileStamp, last)) {
            settled(fileStamp, now);
        }
    }

    /// Whether there is nothing to be done any more.
    private boolean take(FileStamp fileStamp, boolean last) {
        return switch (fileStamp.kind()) {
            case OTHER -> configReload.unreadable("is no file any more, and is not read again");
            case NOTHING -> last && configReload.unreadable("does not exist any more");
            case FILE -> {
                ReadResult readResult = configReload.source().read();
                // What was written while it was read is none of the two.
                yield fileStamp.equals(fileStamp()) && !closed && configReload.take(readResult, last);
            }
        };
    }

    private void settled(FileStamp fileStamp, long now) {
        if (!fileStamp.equals(read)) {
            onceMoreAt = now + ONCE_MORE.toNanos();
        }
        read = fileStamp;
        unrestSince = null;
    }
}
