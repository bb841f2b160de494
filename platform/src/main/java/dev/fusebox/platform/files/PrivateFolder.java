package dev.fusebox.platform.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// A folder that only its owner may enter. Blocks on file system access.
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions.asFileAttribute(OWNERS);

    private PrivateFolder() {}

    /// Creates the folder if it is missing, and makes sure that it belongs to this user and no other user may enter
    /// it.
    ///
    /// @throws IOException if that is impossible; the message has the remedy
    public static void made(Path path) throws IOException {
        try {
            Path base = path.getParent();
            if (base != null && !Files.isDirectory(base)) {
                Files.createDirectories(base, PRIVATE);
            }
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(path, PRIVATE);
            }
        } catch (FileAlreadyExistsException before) {
            // It is checked next, regardless of its creator.
        } catch (UnsupportedOperationException notPosix) {
            throw new IOException("the file system of " + path + " does not support POSIX permissions", notPosix);
        }
        PosixFileAttributes found = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory()) {
            throw new IOException(path + " is not a folder; remove it");
        }
        if (!OWNERS.containsAll(found.permissions())) {
            // Fails if the folder belongs to another user.
            Files.setPosixFilePermissions(path, OWNERS);
        }
    }
}
