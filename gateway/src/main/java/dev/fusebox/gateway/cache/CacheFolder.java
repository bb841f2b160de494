package dev.fusebox.gateway.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A folder with a file for each server, and one of what the model has read, each exchanged whole: whoever looks,
/// also after a crash, finds the old one or the new one. Several gateways may share it: the last that writes is
/// right. Immutable; blocks as the disk does.
///
/// @param path of the folder, which need not be there
public record CacheFolder(Path path) {
    /// Of servers that nobody configures any more something has to go some day.
    static final int MOST = 1_000;

    private static final Pattern FILE = Pattern.compile("[0-9a-f]{64}\\.json");

    private static final String VECTORS = "vectors";

    private PrivateFile file(String identity) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(identity.getBytes(StandardCharsets.UTF_8));
            return new PrivateFile(path.resolve(HexFormat.of().formatHex(hash) + ".json"));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// What is kept of a server; null if nothing is.
    ///
    /// @throws IOException if there is something that is no file of ours, or cannot be read
    public byte @Nullable [] read(String identity) throws IOException {
        return file(identity).read();
    }

    /// Keeps this of a server. What is the same as before is not written.
    public void write(String identity, byte[] content) throws IOException {
        file(identity).write(content);
    }

    /// Removes what is kept of a server.
    public void remove(String identity) throws IOException {
        Files.deleteIfExists(file(identity).path());
    }

    /// Where what the model has read of all of them is kept.
    PrivateFile vectors() {
        return new PrivateFile(path.resolve(VECTORS));
    }

    // ---- What is not needed any more

    /// Removes what writers that were killed have left behind, and of too many files the oldest.
    ///
    /// @param now by the clock that files are dated by
    /// @throws IOException if some of it could not be removed; all else is
    public void sweep(Instant now) throws IOException {
        List<Path> old = those(file -> TemporaryFile.isLeftOver(file, now));
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

    /// What was read of tools in all runs is forgotten, too.
    ///
    /// @return whether there was something
    /// @throws IOException if it cannot be removed
    public boolean clearVectors() throws IOException {
        return remove(those(file -> file.equals(vectors().path()))) > 0;
    }

    private static byte[] contentOrNothing(Path file) {
        byte[] nothing = new byte[0];
        try {
            return Objects.requireNonNullElse(new PrivateFile(file).read(), nothing);
        } catch (IOException unreadable) {
            return nothing;
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

    private static FileTime written(Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }
}
