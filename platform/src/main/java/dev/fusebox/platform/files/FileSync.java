package dev.fusebox.platform.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// What is on the disk, and not only on its way there. Pure functions of the disk; they block as it does.
public final class FileSync {
    private FileSync() {}

    /// Writes the whole content of a file that is there.
    public static void write(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer out = ByteBuffer.wrap(content);
            while (out.hasRemaining()) {
                channel.write(out);
            }
            channel.force(true);
        }
    }

    /// Puts a file in the place of another in the same folder: a reader, also after a loss of power, finds
    /// the one or the other. A name that is renamed is safe only when its folder is.
    public static void rename(Path next, Path target) throws IOException {
        Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
        sync(target.resolveSibling(""));
    }

    /// Puts on the disk which files a folder has.
    public static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
