package dev.fusebox.gateway.share;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The file lock under which a gateway of a configuration file is started, or places its socket again. For one
/// thread; taking it does not block.
final class StartLock implements AutoCloseable {
    private static final Set<StandardOpenOption> LOCKING = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final FileChannel channel;

    private StartLock(FileChannel channel) {
        this.channel = channel;
    }

    /// Null if it is taken.
    static @Nullable StartLock tryTake(ShareAddress address) throws IOException {
        FileChannel channel = FileChannel.open(address.startLock(), LOCKING, OWNER_ONLY);
        boolean isMine = false;
        try {
            FileLock lock = channel.tryLock();
            isMine = lock != null;
            return isMine ? new StartLock(channel) : null;
        } catch (OverlappingFileLockException inThisProcess) {
            return null;
        } finally {
            if (!isMine) {
                channel.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
