package dev.fusebox.gateway.observe;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The asynchronous writer of one gateway's log files, which only their owner may read and which stay after its
/// end (see [LogFolder]). After 2 MB a new file begins, and the oldest files of all gateways are deleted.
/// Thread-safe. Writing a line does not block: a separate thread writes, and lines that a slow disk cannot take
/// are dropped and counted. A failing disk is reported once.
public final class LogFileWriter implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(LogFileWriter.class);

    private static final int MAX_WAITING = 1_000;
    private static final FileAttribute<?> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<OpenOption> APPENDING =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);

    /// Terminates the writer thread.
    private static final String END = "";

    /// The longest time that shutdown waits for pending lines.
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private static final Duration PRUNE_DELAY = Duration.ofMinutes(1);

    private final Platform platform;
    private final LogFolder folder;
    private final Limits limits;
    private final UnaryOperator<String> hide;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Thread writer;
    private volatile @Nullable Thread closing;
    private volatile boolean ended;

    /// Confined to the writer thread, as are the fields below.
    private final String name;

    private int part;
    private long written;
    private @Nullable FileChannel channel;
    private boolean isFailing;
    private final long begun;
    private boolean isPruned;

    /// The limits. Immutable.
    ///
    /// @param partBytes of one file
    /// @param bytes of all files of all gateways
    /// @param files of all gateways
    record Limits(long partBytes, long bytes, int files) {
        static final Limits USUAL = new Limits(2 << 20, LogFolder.MAX_BYTES, LogFolder.MAX_FILES);
    }

    private LogFileWriter(Platform platform, LogFolder folder, Limits limits, UnaryOperator<String> hide) {
        this.platform = platform;
        this.folder = folder;
        this.limits = limits;
        this.hide = hide;
        this.begun = platform.ticker().nanos();
        this.name = LogFile.name(
                UtcTimestamp.of(platform.wallClock().instant()),
                ProcessHandle.current().pid());
        this.writer = Thread.ofPlatform().daemon().name("fusebox-log").unstarted(this::run);
    }

    /// Starts to write. The folder is created if it is missing.
    ///
    /// @param hide removes secrets from a line, on the writer thread
    public static LogFileWriter in(Platform platform, LogFolder folder, UnaryOperator<String> hide) {
        return in(platform, folder, Limits.USUAL, hide);
    }

    static LogFileWriter in(Platform platform, LogFolder folder, Limits limits, UnaryOperator<String> hide) {
        LogFileWriter files = new LogFileWriter(platform, folder, limits, hide);
        files.writer.start();
        return files;
    }

    /// Queues a line, if there is room.
    public void write(String line) {
        if (!waiting.offer(line)) {
            lost.incrementAndGet();
        }
    }

    // ---- On the writer thread

    private void run() {
        try {
            String line = waiting.take();
            while (!line.equals(END)) {
                append(line);
                pruneIfDue();
                line = waiting.take();
            }
            if (!isPruned) {
                prune();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            close(channel);
            ended = true;
            LockSupport.unpark(closing);
        }
    }

    /// A line that cannot be written is dropped; the next one is tried, because the disk may have room again.
    private void append(String line) {
        long missing = lost.getAndSet(0);
        try {
            String text = (missing == 0 ? "" : "(" + missing + " lines omitted)\n") + hide.apply(line) + "\n";
            write(text.getBytes(StandardCharsets.UTF_8));
            isFailing = false;
        } catch (IOException | RuntimeException unwritable) {
            lost.addAndGet(missing + 1);
            fail(unwritable);
        }
    }

    private void write(byte[] bytes) throws IOException {
        FileChannel file = channel;
        if (file != null && written > 0 && written + bytes.length > limits.partBytes()) {
            close(file);
            channel = null;
            part++;
            file = null;
        } else if (file != null && !Files.exists(path(), LinkOption.NOFOLLOW_LINKS)) {
            close(file);
            file = null;
        }
        if (file == null) {
            file = opened();
        }
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            written += file.write(rest);
        }
    }

    private Path path() {
        return folder.path().resolve(part == 0 ? name : name + "." + part);
    }

    private FileChannel opened() throws IOException {
        folder.made();
        FileChannel file = FileChannel.open(path(), APPENDING, FILE);
        channel = file;
        written = file.size();
        if (part > 0) {
            prune();
        }
        return file;
    }

    /// Delayed, so that it does not slow down the start.
    private void pruneIfDue() {
        if (!isPruned && platform.ticker().nanos() - begun > PRUNE_DELAY.toNanos()) {
            prune();
        }
    }

    private void prune() {
        isPruned = true;
        long self = ProcessHandle.current().pid();
        try {
            folder.prune(
                    limits.bytes(),
                    limits.files(),
                    pid -> pid == self || ProcessHandle.of(pid).isPresent());
        } catch (IOException | RuntimeException unremovable) {
            LOG.log(Level.WARNING, "cannot delete old log files: " + unremovable.getMessage());
        }
    }

    /// Reported once, until a line could be written again.
    private void fail(Exception why) {
        close(channel);
        channel = null;
        if (!isFailing) {
            isFailing = true;
            LOG.log(
                    Level.WARNING,
                    "cannot write the log file; calls are not affected: " + path() + ": " + why.getMessage());
        }
    }

    private static void close(@Nullable FileChannel file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException alreadyWritten) {
            // Each line was handed to the system when it was written.
        }
    }

    /// Writes pending lines, unless the disk hangs. Blocks for at most a second.
    @Override
    public void close() {
        closing = Thread.currentThread();
        if (!waiting.offer(END)) {
            writer.interrupt();
        }
        try {
            platform.await(CLOSE_LIMIT, () -> ended);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
