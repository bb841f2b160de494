package dev.fusebox.gateway.share;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The file lock under which a gateway of a configuration file is started, or places its socket again. For one
/// thread; taking it does not block.
///
/// Its owner may delete the file. A process that has opened the file before can still lock it then, but excludes no
/// other process that way. So the lock is taken only if the path names the same file before it is opened and after it
/// is locked. The file must not be opened for that: its lock ends when the process closes it anywhere. Only a regular
/// file is opened: opening a pipe could block for ever, and a link could lead to any file.
final class StartLock implements AutoCloseable {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Set<OpenOption> OPENING = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final FileChannel channel;
    private final Path file;

    private StartLock(FileChannel channel, Path file) {
        this.channel = channel;
        this.file = file;
    }

    /// Null if it is taken, or its file is being deleted.
    ///
    /// @throws IOException if the file cannot be made or opened, or is not a regular file
    static @Nullable StartLock tryTake(Path file) throws IOException {
        try {
            Identity before = existing(file);
            return tryTake(FileChannel.open(file, OPENING), file, before);
        } catch (NoSuchFileException deleted) {
            return null;
        }
    }

    /// The channel is closed if the lock cannot be taken.
    ///
    /// @param before the file that the path named before the channel was opened
    static @Nullable StartLock tryTake(FileChannel channel, Path file, Identity before) throws IOException {
        boolean isMine = false;
        try {
            FileLock lock = channel.tryLock();
            isMine = lock != null && before.equals(Identity.of(file));
            return isMine ? new StartLock(channel, file) : null;
        } catch (OverlappingFileLockException inThisProcess) {
            return null;
        } finally {
            if (!isMine) {
                channel.close();
            }
        }
    }

    /// What distinguishes a file from an earlier one of the same name. Immutable.
    ///
    /// @param key which a later file may get after the earlier one was deleted
    record Identity(@Nullable Object key, FileTime created) {
        static Identity of(Path file) throws IOException {
            BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isRegularFile()) {
                throw new IOException(file + " is not a regular file; remove it");
            }
            return new Identity(found.fileKey(), found.creationTime());
        }
    }

    private static Identity existing(Path file) throws IOException {
        try {
            return Identity.of(file);
        } catch (NoSuchFileException missing) {
            create(file);
            return Identity.of(file);
        }
    }

    private static void create(Path file) throws IOException {
        try {
            Files.createFile(file, OWNER_ONLY);
        } catch (FileAlreadyExistsException byAnother) {
            return;
        }
    }

    /// Deletes the file; the lock is held until [#close].
    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
