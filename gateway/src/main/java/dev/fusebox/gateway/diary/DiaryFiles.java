package dev.fusebox.gateway.diary;

import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps lines in files that only their owner may read: `gateway.log`, and older ones up to `gateway.4.log`. Several
/// gateways write into the same ones, whole lines each. Thread-safe; nothing that writes a line blocks: a thread of its
/// own does it, and what a slow disk cannot take is left out and counted.
public final class DiaryFiles implements AutoCloseable {
    private static final String NEWEST = "gateway.log";
    private static final int FILES = 5;
    private static final long MOST_BYTES = 2 << 20;
    private static final int MOST_WAITING = 1_000;
    private static final FileAttribute<?> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<OpenOption> APPENDING =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
    private static final FileAttribute<?> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /// Ends the thread that writes.
    private static final String END = "";

    /// What is still waiting at the end has so long.
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final World world;
    private final Path folder;
    private final long mostBytes;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Thread writer;
    private volatile @Nullable Thread closing;
    private volatile boolean ended;

    private DiaryFiles(World world, Path folder, long mostBytes) {
        this.world = world;
        this.folder = folder;
        this.mostBytes = mostBytes;
        this.writer = Thread.ofPlatform().daemon().name("fusebox-diary").unstarted(this::run);
    }

    /// Begins to write.
    ///
    /// @param folder is made if it is not there
    /// @throws IOException if it cannot be had
    public static DiaryFiles in(World world, Path folder) throws IOException {
        return in(world, folder, MOST_BYTES);
    }

    static DiaryFiles in(World world, Path folder, long mostBytes) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, FOLDER);
        }
        DiaryFiles files = new DiaryFiles(world, folder, mostBytes);
        files.writer.start();
        return files;
    }

    /// The lines that are kept, oldest first. Blocks as the file system does.
    public static List<String> read(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int age = FILES - 1; age >= 0; age--) {
            Path file = folder.resolve(name(age));
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                lines.addAll(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                        .lines()
                        .toList());
            }
        }
        return lines;
    }

    private static String name(int age) {
        return age == 0 ? NEWEST : "gateway." + age + ".log";
    }

    /// Has a line written, if there is room.
    public void write(String line) {
        if (!waiting.offer(line)) {
            lost.incrementAndGet();
        }
    }

    // ---- On its own thread

    private void run() {
        try {
            String line = waiting.take();
            while (!line.equals(END)) {
                long missing = lost.getAndSet(0);
                append((missing == 0 ? "" : "(" + missing + " lines were left out)\n") + line + "\n");
                line = waiting.take();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
            LockSupport.unpark(closing);
        }
    }

    /// A line that cannot be kept is lost: there is nobody left to tell.
    private void append(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve(NEWEST);
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) + bytes.length > mostBytes) {
                rotate();
            }
            try (FileChannel channel = FileChannel.open(file, APPENDING, FILE)) {
                channel.write(ByteBuffer.wrap(bytes));
            }
        } catch (IOException | RuntimeException unwritable) {
            lost.incrementAndGet();
        }
    }

    /// One gateway does it, and looks again once it may: another may just have done it.
    private void rotate() throws IOException {
        Path lock = folder.resolve("lock");
        Set<StandardOpenOption> how = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(lock, how, FILE);
                FileLock held = locked(channel)) {
            if (held == null || Files.size(folder.resolve(NEWEST)) <= mostBytes / 2) {
                return;
            }
            for (int age = FILES - 2; age >= 0; age--) {
                Path from = folder.resolve(name(age));
                if (Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(from, folder.resolve(name(age + 1)), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /// Null if somebody else has it.
    private static @Nullable FileLock locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException ours) {
            return null;
        }
    }

    /// What waits is still written, unless the disk hangs. Blocks for a second at most.
    @Override
    public void close() {
        closing = Thread.currentThread();
        if (!waiting.offer(END)) {
            writer.interrupt();
        }
        try {
            world.await(FAREWELL, () -> ended);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
