package dev.fusebox.platform.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A file with owner-only permissions that is replaced atomically: a reader, even after a crash, finds the old
/// content or the new one. Immutable; blocks on disk access.
///
/// @param path of the file, which need not exist, and neither need its folder
public record PrivateFile(Path path) {
    /// The maximum size of a server's message.
    public static final int MAX_LENGTH = 16 << 20;

    private static final Set<PosixFilePermission> OWNERS =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /// The content; null if the file does not exist.
    ///
    /// @throws IOException if the path is not a regular file, or cannot be read
    public byte @Nullable [] read() throws IOException {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? content() : null;
    }

    /// The content of a file with secrets; null if the file does not exist.
    ///
    /// @throws IOException if it belongs to another user, others may use it, or it cannot be read
    public byte @Nullable [] readSecret() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        PosixFileAttributes found = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        UserPrincipal owner = Files.getOwner(path.resolveSibling(""), LinkOption.NOFOLLOW_LINKS);
        if (found.isRegularFile() && !OWNERS.containsAll(found.permissions())) {
            throw new IOException(
                    path + " can be used by other users (" + PosixFilePermissions.toString(found.permissions())
                            + "); if its content can be trusted, `chmod 600` it, otherwise delete it");
        }
        if (!found.owner().equals(owner)) {
            throw new IOException(path + " belongs to " + found.owner().getName() + ", not to the owner of its folder;"
                    + " delete it");
        }
        return content();
    }

    /// Checks the file type before opening: opening a named pipe would block until another process writes to it.
    private byte[] content() throws IOException {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new IOException(path + " is not a regular file");
        }
        if (found.size() > MAX_LENGTH) {
            throw new IOException(path + " is longer than " + MAX_LENGTH + " bytes");
        }
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(MAX_LENGTH);
        }
    }

    /// Unchanged content is not written.
    public void write(byte[] content) throws IOException {
        if (content.length > MAX_LENGTH) {
            throw new IOException("content is longer than " + MAX_LENGTH + " bytes");
        }
        Path folder = path.resolveSibling("");
        PrivateFolder.made(folder);
        if (holdsContent(content)) {
            return;
        }
        Path next = TemporaryFile.begin(folder);
        try {
            FileSync.write(next, content);
            FileSync.rename(next, path);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private boolean holdsContent(byte[] content) {
        try {
            return Arrays.equals(read(), content);
        } catch (IOException hostile) {
            return false;
        }
    }
}
