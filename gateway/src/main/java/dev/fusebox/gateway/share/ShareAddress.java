package dev.fusebox.gateway.share;

import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;

/// Where the gateway of a configuration file is found: a socket in the run folder, which only this user may enter.
/// Immutable; blocks on file system access.
///
/// @param folder the run folder
/// @param config the configuration file, by its real path
/// @param isApproved whether the gateway serves only contents of the file that the user has allowed
/// @param processNamespace the PID namespace of this process, so that a client in a container or a sandbox does not
/// use servers outside of it; empty if the system has no namespaces
public record ShareAddress(RunFolder folder, Path config, boolean isApproved, String processNamespace) {
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /// Can change the permissions of the folders of other users, so it has to be checked whose folder it is.
    private static final String SUPERUSER = "root";

    /// The address for a configuration file, whose folders may contain links.
    ///
    /// @throws IOException if the file does not exist, or the environment does not name the run folder
    public static ShareAddress of(Platform platform, Path config, boolean isApproved) throws IOException {
        return new ShareAddress(RunFolder.of(platform), config.toRealPath(), isApproved, currentNamespace());
    }

    private static String currentNamespace() {
        try {
            return Files.readSymbolicLink(NAMESPACE).toString();
        } catch (IOException | UnsupportedOperationException none) {
            return "";
        }
    }

    /// The socket. Two gateways of one file have it one after the other: the newer one puts its own in this place.
    public Path socket() {
        return folder.path().resolve("shared-" + key() + ".sock");
    }

    /// The socket of a gateway that is not in place yet.
    Path socketOf(long pid) {
        return folder.path().resolve("shared-" + key() + "." + pid);
    }

    /// Is locked by the process that starts a gateway.
    Path startLock() {
        return folder.path().resolve("shared-" + key() + ".lock");
    }

    /// What a gateway prints before it serves.
    Path startLog() {
        return folder.path().resolve("shared-" + key() + ".start");
    }

    /// The name by which both sides know the configuration.
    String name() {
        return isApproved ? config + " as allowed" : config.toString();
    }

    /// A name for the file, which both sides compare in full when they meet: a cryptographic hash would load
    /// classes in every connector.
    private String key() {
        long hash = FNV_OFFSET;
        for (byte each : (name() + processNamespace).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        return String.format("%016x", hash);
    }

    /// Makes sure that no other user can have made what is in the folder.
    ///
    /// @throws IOException with what is wrong
    void requireSafe() throws IOException {
        // Creates the folder; fails if its permissions cannot be changed, as for a folder of another user.
        folder.made();
        UserPrincipal owner = Files.getOwner(folder.path(), LinkOption.NOFOLLOW_LINKS);
        boolean isSuperuser = SUPERUSER.equals(System.getProperty("user.name"));
        if (isSuperuser && !owner.getName().equals(SUPERUSER)) {
            throw new IOException(folder.path() + " belongs to " + owner + " and not to " + SUPERUSER
                    + "; set FUSEBOX_HOME to a folder of " + SUPERUSER);
        }
        if (Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)) {
            PosixFileAttributes found =
                    Files.readAttributes(socket(), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isOther()) {
                throw new IOException(socket() + " is not a socket; remove it");
            }
            if (!found.owner().equals(owner)) {
                throw new IOException(socket() + " belongs to " + found.owner() + " and not to " + owner);
            }
        }
    }
}
