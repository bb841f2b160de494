package dev.fusebox.oauth.secret;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.TemporaryFile;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A folder with one file per name, readable only by this user. The name of a file is the SHA-256 of the secret's
/// name: names that differ only in case stay apart in every file system. Thread-safe; blocks on disk access.
record SecretFolder(Platform platform, Path path) {
    private static final String SUFFIX = ".json";

    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private static final Set<PosixFilePermission> WRITABLE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /// The content of a file.
    ///
    /// @param value as Base64; null for a name without a value
    private record Entry(String name, @Nullable String value) {}

    /// Null if there is no file for this name, or it has no value.
    byte @Nullable [] read(String name) throws IOException {
        Path file = file(name);
        if (!exists(file)) {
            return null;
        }
        Entry entry = entry(file);
        if (!entry.name().equals(name)) {
            throw new IOException(
                    file + " belongs to the secret " + entry.name() + " and not to " + name + "; remove the file");
        }
        return entry.value() == null ? null : Base64.getDecoder().decode(entry.value());
    }

    /// @param value null for a name without a value
    void write(String name, byte @Nullable [] value) throws IOException {
        JsonWriter json = new JsonWriter().beginObject().name("name").string(name);
        if (value != null) {
            json.name("value").string(Base64.getEncoder().encodeToString(value));
        }
        Path file = file(name);
        if (exists(file) && unsafe(file) != null) {
            // Others may have opened it; a file that is replaced only if its content differs would stay.
            Files.delete(file);
        }
        new PrivateFile(file).write(json.endObject().toString().getBytes(StandardCharsets.UTF_8));
        removeLeftOvers();
    }

    /// Also removes a file that is not safe to read. Returns whether there was one.
    boolean remove(String name) throws IOException {
        return Files.deleteIfExists(file(name));
    }

    List<String> names() throws IOException {
        if (!exists(path)) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*" + SUFFIX)) {
            for (Path file : files) {
                names.add(entry(file).name());
            }
        }
        return names.stream().sorted().toList();
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private Path file(String name) {
        if (!SecretStore.isName(name)) {
            throw new IllegalArgumentException("not the name of a secret");
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return path.resolve(HexFormat.of().formatHex(hash) + SUFFIX);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    // ---- Content

    private Entry entry(Path file) throws IOException {
        String reason = unsafe(path);
        reason = reason == null ? unsafe(file) : reason;
        if (reason != null) {
            throw new IOException(reason);
        }
        byte[] content = new PrivateFile(file).read();
        if (content == null) {
            throw new IOException(file + " has just been removed; try again");
        }
        try {
            JsonView json = JsonView.parse(content);
            String name = json.string("name");
            String value = json.string("value");
            if (name != null && SecretStore.isName(name) && (value == null || isEncoded(value))) {
                return new Entry(name, value);
            }
        } catch (JsonSyntaxError spoilt) {
            // Without the cause: its message could quote the content.
        }
        throw new IOException(file + " is not a stored secret; remove the file and store the secret again");
    }

    private static boolean isEncoded(String value) {
        try {
            return Base64.getDecoder().decode(value).length > 0;
        } catch (IllegalArgumentException notEncoded) {
            return false;
        }
    }

    /// The reason why a file or this folder is not used, and the remedy; null if only this user can change it.
    private static @Nullable String unsafe(Path path) throws IOException {
        PosixFileAttributes found = attributes(path);
        boolean isFolder = found.isDirectory();
        if (!isFolder && !found.isRegularFile()) {
            return path + " is not a regular file; remove it and store the secret again";
        }
        String user = ProcessHandle.current().info().user().orElse("");
        if (!user.isEmpty() && !found.owner().getName().equals(user)) {
            return path + " belongs to " + found.owner() + " and not to " + user
                    + "; remove it and store the secret again";
        }
        boolean isOpen = isFolder
                ? found.permissions().stream().anyMatch(WRITABLE::contains)
                : !OWNERS.containsAll(found.permissions());
        return isOpen
                ? path + " is open to other users (" + PosixFilePermissions.toString(found.permissions())
                        + "); consider the secret known, `chmod go-rwx " + path + "` closes it"
                : null;
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (UnsupportedOperationException noOwners) {
            throw new IOException("the file system of " + path + " does not support POSIX permissions", noOwners);
        }
    }

    /// A process that was killed while it wrote leaves a file with the secret.
    private void removeLeftOvers() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, ".*.tmp")) {
            for (Path file : files) {
                if (TemporaryFile.isLeftOver(file, platform.wallClock().instant())) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
