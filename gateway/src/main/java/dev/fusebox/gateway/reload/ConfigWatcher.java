package dev.fusebox.gateway.reload;

import dev.fusebox.config.ReadResult;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A watcher that notices every change of the configuration file and has it applied once the file has been quiet.
/// It polls: a look takes some microseconds, sees replaced links and folders, and works on every file system.
/// Thread-safe; only the watcher's own virtual thread blocks.
///
/// ```
/// as read --looks different--> changing --quiet for 300 ms--> read: right --> applied, as read
///                               ^    |                          '-- wrong --> read again, until quiet for 1 s;
///                               '----'                                        then rejected, as read
///                           looks different
/// ```
/// A file that is never quiet is read every 1.2 s anyway, and applied if it is complete and valid then.
public final class ConfigWatcher implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(ConfigWatcher.class);

    /// A change takes effect within 2 s: two looks, the quiet time and reading take well below that.
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private static final Duration QUIET = Duration.ofMillis(300);

    /// A writer may pause for half a second in the middle of a file.
    private static final Duration FINAL_QUIET = Duration.ofSeconds(1);

    private static final Duration MAX_UNSTABLE = Duration.ofMillis(1_200);

    /// Some file systems have time stamps with a resolution of two seconds, so that a change right after reading
    /// may be invisible.
    private static final Duration REREAD_DELAY = Duration.ofMillis(2_500);

    private final Platform platform;
    private final ConfigReload configReload;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean asked;

    /// The file as it was last read completely.
    private FileStamp read;

    private FileStamp seen;
    private long seenAt;

    /// When the file began to differ from what was read; null while it does not.
    private @Nullable Long unstableSince;

    /// When the file is read once more though it looks unchanged; null if that is done.
    private @Nullable Long rereadAt;

    private ConfigWatcher(Platform platform, ConfigReload configReload) {
        this.platform = platform;
        this.configReload = configReload;
        this.read = fileStamp();
        this.seen = read;
        this.seenAt = platform.ticker().nanos();
        this.rereadAt = seenAt + REREAD_DELAY.toNanos();
        this.thread = Thread.ofVirtual().name("fusebox-config").unstarted(this::watch);
    }

    /// Starts to watch. Changes since the file was first read are noticed, too.
    public static ConfigWatcher begin(Platform platform, ConfigReload configReload) {
        ConfigWatcher watch = new ConfigWatcher(platform, configReload);
        watch.thread.start();
        return watch;
    }

    /// Reads the file now, whether it has changed or not.
    public void readNow() {
        asked = true;
        LockSupport.unpark(thread);
    }

    /// Stops; only a change that is being applied is completed.
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
                platform.await(POLL_INTERVAL, () -> closed || asked);
                if (!closed) {
                    pollSafely();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// A bug fails one look and never stops the watcher.
    private void pollSafely() {
        try {
            poll();
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "failed to apply the configuration (internal error)", bug);
            settled(seen, platform.ticker().nanos());
        }
    }

    private void poll() {
        long now = platform.ticker().nanos();
        FileStamp fileStamp = fileStamp();
        if (!fileStamp.equals(seen)) {
            seen = fileStamp;
            seenAt = now;
        }
        boolean isAsked = asked;
        asked = false;
        if (isAsked) {
            LOG.log(Level.INFO, "rereading the configuration on request");
            read(fileStamp, now, true);
        } else if (!fileStamp.equals(read)) {
            changing(fileStamp, now);
        } else {
            unstableSince = null;
            reread(fileStamp, now);
        }
    }

    private void changing(FileStamp fileStamp, long now) {
        long since = unstableSince == null ? now : unstableSince;
        unstableSince = since;
        long quiet = now - seenAt;
        if (quiet >= QUIET.toNanos() || now - since >= MAX_UNSTABLE.toNanos()) {
            read(fileStamp, now, quiet >= FINAL_QUIET.toNanos());
        }
    }

    private void reread(FileStamp fileStamp, long now) {
        Long at = rereadAt;
        if (at != null && now - at >= 0) {
            rereadAt = null;
            // A path that was a pipe from the beginning has been read, and is unchanged.
            if (fileStamp.kind() != FileStamp.Kind.OTHER) {
                read(fileStamp, now, true);
            }
        }
    }

    /// @param last whether an invalid file counts as invalid, and not as half written
    private void read(FileStamp fileStamp, long now, boolean last) {
        if (take(fileStamp, last)) {
            settled(fileStamp, now);
        }
    }

    /// Whether nothing more needs to be done.
    private boolean take(FileStamp fileStamp, boolean last) {
        return switch (fileStamp.kind()) {
            case OTHER -> configReload.unreadable("is no longer a regular file; keeping the current configuration");
            case NOTHING -> last && configReload.unreadable("no longer exists");
            case FILE -> {
                ReadResult readResult = configReload.source().read();
                // Content that was written while it was read is neither the old nor the new one.
                yield fileStamp.equals(fileStamp()) && !closed && configReload.take(readResult, last);
            }
        };
    }

    private void settled(FileStamp fileStamp, long now) {
        if (!fileStamp.equals(read)) {
            rereadAt = now + REREAD_DELAY.toNanos();
        }
        read = fileStamp;
        unstableSince = null;
    }
}
