package dev.fusebox.gateway.cache;

import dev.fusebox.platform.files.PrivateFile;
import dev.fusebox.platform.files.TemporaryFile;
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

/// A folder with one file for each server and one for embeddings, each replaced atomically: a reader, even after a
/// crash, finds the old file or the new one. Several gateways may share it; the last writer wins. Immutable;
/// blocks on disk access.
///
/// @param path of the folder, which need not exist
public record CacheFolder(Path path) {
    /// Files of servers that are no longer configured have to be deleted at some time.
    static final int MAX = 1_000;

    private static final Pattern FILE = Pattern.compile("[0-9a-f]{64}\\.json");

    private static final String VECTORS = "vectors";
    private static final String FEATURES = "features";

    private PrivateFile file(String identity) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(identity.getBytes(StandardCharsets.UTF_8));
            return new PrivateFile(path.resolve(HexFormat.of().formatHex(hash) + ".json"));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// The file content for a server; null if there is none.
    ///
    /// @throws IOException if the path is not a regular file, or cannot be read
    public byte @Nullable [] read(String identity) throws IOException {
        return file(identity).read();
    }

    /// Stores the content for a server. Unchanged content is not written.
    public void write(String identity, byte[] content) throws IOException {
        file(identity).write(content);
    }

    /// Deletes the file of a server.
    public void remove(String identity) throws IOException {
        Files.deleteIfExists(file(identity).path());
    }

    /// The file for embeddings.
    PrivateFile vectors() {
        return new PrivateFile(path.resolve(VECTORS));
    }

    /// The file for what search knows of tools without the sentence model.
    PrivateFile features() {
        return new PrivateFile(path.resolve(FEATURES));
    }

    // ---- Deletion

    /// Deletes temporary files of killed writers, and the oldest files if there are too many.
    ///
    /// @param now by the clock of file times
    /// @throws IOException if some files could not be deleted; all others are
    public void sweep(Instant now) throws IOException {
        List<Path> old = those(file -> TemporaryFile.isLeftOver(file, now));
        List<Path> kept = those(CacheFolder::isOurs);
        if (kept.size() > MAX) {
            List<Path> oldest = kept.stream()
                    .sorted(Comparator.comparing(CacheFolder::written))
                    .toList();
            old.addAll(oldest.subList(0, kept.size() - MAX));
        }
        remove(old);
    }

    /// Deletes files of ours, including anything else in their place.
    ///
    /// @param wanted selects by content; an unreadable file has empty content
    /// @return the number of deleted files
    /// @throws IOException if some files could not be deleted; all others are
    public int clear(Predicate<byte[]> wanted) throws IOException {
        return remove(those(file -> isOurs(file) && wanted.test(contentOrNothing(file))));
    }

    /// Continues after a failure and reports it at the end.
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
                    "deleted only " + removed + " of " + files.size() + " files: "
                            + failed.getClass().getSimpleName() + ": " + failed.getMessage(),
                    failed);
        }
        return removed;
    }

    /// Deletes the embeddings of all runs, and what else search has stored.
    ///
    /// @return whether there was anything
    /// @throws IOException if a file cannot be deleted
    public boolean clearVectors() throws IOException {
        return remove(those(file ->
                        file.equals(vectors().path()) || file.equals(features().path())))
                > 0;
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
