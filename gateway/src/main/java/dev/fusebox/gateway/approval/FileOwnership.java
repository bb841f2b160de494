package dev.fusebox.gateway.approval;

import dev.fusebox.platform.FuseboxCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// The ownership check of a file or folder: who owns it, and whether other users may change it. Immutable; blocks
/// on file system access.
///
/// @param user the user of this process
record FileOwnership(UserPrincipal user) {
    private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final int ROOT = 0;

    /// Java does not expose the user id of its process; the owner of a new file shows it.
    static FileOwnership ofThisProcess() throws IOException {
        Path probe = Files.createTempFile("fusebox", ".owner");
        try {
            return new FileOwnership(Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS));
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    /// The reason why others may change a file; empty if only this user may. Links are not followed.
    Optional<ConfigRejection> ofFile(Path file) throws IOException {
        PosixFileAttributes found = attributes(file);
        if (!found.isRegularFile()) {
            return Optional.of(new ConfigRejection("is not a regular file", "put a file in its place"));
        }
        if (!found.owner().equals(user)) {
            return Optional.of(foreign(found.owner(), file));
        }
        return isWritableByOthers(found) ? Optional.of(writable(found, file)) : Optional.empty();
    }

    /// The same for a folder. Root may own it, because root may change everything anyway.
    Optional<ConfigRejection> ofFolder(Path folder) throws IOException {
        PosixFileAttributes found = attributes(folder);
        if (!found.isDirectory()) {
            return Optional.of(new ConfigRejection("is not in a folder: " + folder, "put a folder in its place"));
        }
        boolean isTrusted = found.owner().equals(user) || isRoot(folder);
        if (!isTrusted) {
            return Optional.of(new ConfigRejection(
                    "is in the folder " + folder + ", which belongs to " + found.owner() + " and not to " + user,
                    FuseboxCommand.of("serve", "--config", "FILE") + " uses such a file without approval"));
        }
        return isWritableByOthers(found)
                ? Optional.of(new ConfigRejection(
                        "is in the folder " + folder + ", which other users may write ("
                                + PosixFilePermissions.toString(found.permissions()) + ")",
                        "chmod go-w " + folder + " removes that permission"))
                : Optional.empty();
    }

    /// The reason why a symbolic link is not this user's; empty if it is, or if the path is not a link. The mode
    /// of a link means nothing.
    Optional<ConfigRejection> ofLink(Path link) throws IOException {
        UserPrincipal owner = Files.getOwner(link, LinkOption.NOFOLLOW_LINKS);
        boolean isForeign = Files.isSymbolicLink(link) && !owner.equals(user);
        return isForeign ? Optional.of(foreign(owner, link)) : Optional.empty();
    }

    private ConfigRejection foreign(UserPrincipal owner, Path file) {
        return new ConfigRejection(
                "belongs to " + owner + " and not to " + user,
                "`" + FuseboxCommand.of("serve", "--config", file.toString()) + "` uses it without approval");
    }

    private static ConfigRejection writable(PosixFileAttributes found, Path file) {
        return new ConfigRejection(
                "may be written by other users (" + PosixFilePermissions.toString(found.permissions()) + ")",
                "chmod go-w " + file + " removes that permission");
    }

    private static boolean isWritableByOthers(PosixFileAttributes found) {
        return found.permissions().stream().anyMatch(WRITABLE_BY_OTHERS::contains);
    }

    private static boolean isRoot(Path folder) throws IOException {
        return Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(ROOT);
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (UnsupportedOperationException noOwners) {
            throw new IOException("the file system of " + path + " does not support POSIX file permissions", noOwners);
        }
    }
}
