package dev.fusebox.oauth.token;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Locks on files that one thread of one process of this machine holds at a time. A lock ends with its process,
/// whatever its end; the empty file stays. Thread-safe; blocks on disk access only.
///
/// The operating system grants locks to processes, and closing any descriptor of a file ends all locks that its
/// process has on it. So the threads of this process take turns before the file is opened.
public final class FileLocks {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /// Paths whose files this process has open; they belong to the process as its descriptors do.
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private FileLocks() {}

    /// Takes the lock; null if another thread or process has it.
    ///
    /// @param path of a file in an existing folder
    public static TokenStore.@Nullable Lock tryLock(Path path) throws IOException {
        Path own = path.toAbsolutePath().normalize();
        if (!OPEN.add(own)) {
            return null;
        }
        FileLock taken = null;
        try {
            taken = locked(own);
        } finally {
            if (taken == null) {
                OPEN.remove(own);
            }
        }
        return taken == null ? null : new Held(own, taken);
    }

    /// Opening a named pipe would block until another process reads from it.
    private static @Nullable FileLock locked(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is not a regular file; delete it");
        }
        FileChannel channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                OWNER_ONLY);
        FileLock taken = null;
        try {
            taken = channel.tryLock();
        } finally {
            if (taken == null) {
                channel.close();
            }
        }
        return taken;
    }

    /// A lock that this process holds. Closed once by its holder.
    private record Held(Path path, FileLock fileLock) implements TokenStore.Lock {
        @Override
        public void close() {
            try {
                // Releases the lock, too.
                fileLock.acquiredBy().close();
            } catch (IOException closed) {
                // The descriptor is gone, and the lock with it.
            } finally {
                OPEN.remove(path);
            }
        }
    }
}
