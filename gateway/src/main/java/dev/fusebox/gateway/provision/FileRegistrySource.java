package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Registry documents in a file, or in all files `*.json` of a folder. Symbolic links are followed for the
/// configured path, and not inside the folder; only regular files are opened, because a pipe may never end.
/// Immutable; blocks on disk access.
record FileRegistrySource(Path place) implements RegistrySource {
    private static final int MAX_FILES = 1_000;

    /// The visible state of a file.
    private record Seen(Path file, long size, FileTime modified) {}

    @Override
    public Object mark() {
        try {
            return seen();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    @Override
    public List<byte[]> read(Deadline deadline) throws IOException {
        List<byte[]> documents = new ArrayList<>();
        int left = MAX_LENGTH;
        for (Seen seen : seen()) {
            byte[] document = document(seen.file(), left);
            if (document.length > left) {
                throw new IOException(place + ": the registry exceeds " + MAX_LENGTH + " bytes");
            }
            documents.add(document);
            left -= document.length;
        }
        return documents;
    }

    /// At most one byte more than allowed. A file in a folder that is unreadable, or was deleted, does not affect
    /// the others: it counts as empty.
    private byte[] document(Path file, int most) throws IOException {
        boolean isNamed = file.equals(place);
        OpenOption[] options = isNamed ? new OpenOption[0] : new OpenOption[] {LinkOption.NOFOLLOW_LINKS};
        try (InputStream in = Files.newInputStream(file, options)) {
            return in.readNBytes(most + 1);
        } catch (IOException unreadable) {
            if (isNamed) {
                throw unreadable;
            }
            return new byte[0];
        }
    }

    private List<Seen> seen() throws IOException {
        if (!Files.isDirectory(place)) {
            BasicFileAttributes seen = Files.readAttributes(place, BasicFileAttributes.class);
            if (!seen.isRegularFile()) {
                throw new IOException(place + " is neither a file nor a folder");
            }
            return List.of(new Seen(place, seen.size(), seen.lastModifiedTime()));
        }
        try (Stream<Path> inside = Files.list(place)) {
            return inside.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .flatMap(FileRegistrySource::inFolder)
                    .limit(MAX_FILES)
                    .toList();
        } catch (UncheckedIOException unreadable) {
            throw new IOException(unreadable.getMessage(), unreadable);
        }
    }

    /// Empty if it is not a regular file, or was deleted.
    private static Stream<Seen> inFolder(Path file) {
        try {
            BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return seen.isRegularFile() ? Stream.of(new Seen(file, seen.size(), seen.lastModifiedTime())) : Stream.of();
        } catch (IOException gone) {
            return Stream.of();
        }
    }
}
