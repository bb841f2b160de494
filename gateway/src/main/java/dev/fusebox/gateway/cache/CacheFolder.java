package dev.fusebox.gateway.cache;

import dev.fusebox.gateway.admin.PrivateFolder;
import dev.fusebox.gateway.edit.Durable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A folder with a file for each server, each exchanged whole: whoever looks, also after a crash, finds the old one or
/// the new one. Several gateways may share it: the last that writes is right. Immutable; blocks as the disk does.
///
/// @param path of the folder, which need not be there
public record CacheFolder(Path path) {
    /// As long as a message of a server may be.
    static final int LONGEST = 16 << 20;

    /// Of servers that nobody configures any more something has to go some day.
    static final int MOST = 1_000;

    private static final Pattern FILE = Pattern.compile("[0-9a-f]{64}\\.json");
    private static final Pattern TEMPORARY = Pattern.compile("\\.\\d{1,18}-.*\\.tmp");

    /// Writing takes seconds at most. The number in a name says nothing of whether its writer lives: it may be another
    /// machine's, or somebody else's by now.
    private static final Duration LEFT_OVER = Duration.ofHours(1);

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private Path file(String identity) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(identity.getBytes(StandardCharsets.UTF_8));
            return path.resolve(HexFormat.of().formatHex(hash) + ".json");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// What is kept of a server; null if nothing is.
    ///
    /// @throws IOException if there is something that is no file of ours, or cannot be read
    public byte @Nullable [] read(String identity) throws IOException {
        Path file = file(identity);
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? content(file) : null;
    }

    /// Looks before it opens: opening a pipe would wait for whoever writes into it.
    private static byte[] content(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new IOException(file + " is no file");
        }
        if (found.size() > LONGEST) {
            throw new IOException(file + " is longer than " + LONGEST + " bytes");
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(LONGEST);
        }
    }

    /// Keeps this of a server. What is the same as before is not written.
    public void write(String identity, byte[] content) throws IOException {
        if (content.length > LONGEST) {
            throw new IOException("it is longer than " + LONGEST + " bytes");
        }
        PrivateFolder.made(path);
        Path file = file(identity);
        if (isKept(file, content)) {
            return;
        }
        String begin = "." + ProcessHandle.current().pid() + "-";
        Path next = Files.createTempFile(path, begin, ".tmp", OWNER_ONLY);
        try {
            Durable.write(next, content);
            Durable.rename(next, file);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static boolean isKept(Path file, byte[] content) {
        try {
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && Arrays.equals(content(file), content);
        } catch (IOException hostile) {
            return false;
        }
    }

    // ---- What is not needed any more

    /// Removes what writers that were killed have left behind, and of too many files the oldest.
    ///
    /// @param now by the clock that files are dated by
    /// @throws IOException if some of it could not be removed; all else is
    public void sweep(Instant now) throws IOException {
        Instant latest = now.minus(LEFT_OVER);
        List<Path> old =
                those(file -> isTemporary(file) && written(file).toInstant().isBefore(latest));
        List<Path> kept = those(CacheFolder::isOurs);
        if (kept.size() > MOST) {
            List<Path> oldest = kept.stream()
                    .sorted(Comparator.comparing(CacheFolder::written))
                    .toList();
            old.addAll(oldest.subList(0, kept.size() - MOST));
        }
        remove(old);
    }

    /// Removes files of ours, whatever is in the place of one.
    ///
    /// @param wanted of which content; what cannot be read has none
    /// @return how many were removed
    /// @throws IOException if some could not be; all others are
    public int clear(Predicate<byte[]> wanted) throws IOException {
        return remove(those(file -> isOurs(file) && wanted.test(contentOrNothing(file))));
    }

    /// Goes on past what cannot be removed, and tells of it at the end.
    private static int remove(List<Path> files) throws IOException {
        int removed = 0;
        IOException failed = null;
        for (Path file : files) {
            try {
                removed += Files.deleteIfExists(file) ? 1 : 0;
            } catch (IOException stays) {
                failed = stays;
            }
        }
        if (failed != null) {
            throw new IOException(
                    "of " + files.size() + " files only " + removed + " could be removed: "
                            + failed.getClass().getSimpleName() + ": " + failed.getMessage(),
                    failed);
        }
        return removed;
    }

    private static byte[] contentOrNothing(Path file) {
        try {
            return content(file);
        } catch (IOException unreadable) {
            return new byte[0];
        }
    }

    private List<Path> those(Predicate<Path> wanted) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(path)) {
            return new ArrayList<>(files.filter(wanted).toList());
        } catch (UncheckedIOException unreadable) {
            throw new IOException(unreadable.getMessage(), unreadable);
        }
    }

    private static boolean isOurs(Path file) {
        return FILE.matcher(file.getFileName().toString()).matches();
    }

    private static boolean isTemporary(Path file) {
        return TEMPORARY.matcher(file.getFileName().toString()).matches();
    }

    private static FileTime written(Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }
}
