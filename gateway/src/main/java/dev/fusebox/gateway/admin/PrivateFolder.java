package dev.fusebox.gateway.admin;

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

/// A folder that nobody but its owner may look into. Blocks as the file system does.
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions.asFileAttribute(OWNERS);

    private PrivateFolder() {}

    /// Makes the folder if it is not there, and sees to it that it is a folder of ours that nobody else may enter.
    ///
    /// @throws IOException if that cannot be had; the message says what to do
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
            // Whoever made it: what it is is looked at next.
        } catch (UnsupportedOperationException notPosix) {
            throw new IOException("the file system of " + path + " has no permissions that could protect it", notPosix);
        }
        PosixFileAttributes found = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory()) {
            throw new IOException(path + " is not a folder; remove it");
        }
        if (!OWNERS.containsAll(found.permissions())) {
            // Fails if it is somebody else's.
            Files.setPosixFilePermissions(path, OWNERS);
        }
    }
}
