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

/// Descriptions in a file, or in all files `*.json` of a folder. Of what the operator named a link is followed, of
/// what is in his folder none is; what is no file is never opened, as a pipe may never end. Immutable; blocks as
/// the disk does.
record FileRegistrySource(Path place) implements RegistrySource {
    private static final int MOST_FILES = 1_000;

    /// What can be seen of a file.
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
        int left = LONGEST;
        for (Seen seen : seen()) {
            byte[] document = document(seen.file(), left);
            if (document.length > left) {
                throw new IOException(place + ": a registry has " + LONGEST + " bytes at most");
            }
            documents.add(document);
            left -= document.length;
        }
        return documents;
    }

    /// One byte more than there may be, if there is. A file of a folder that cannot be read, or has just gone,
    /// takes nothing away from the others: it is as good as empty.
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
                    .limit(MOST_FILES)
                    .toList();
        } catch (UncheckedIOException unreadable) {
            throw new IOException(unreadable.getMessage(), unreadable);
        }
    }

    /// Nothing if it is no file, or has just gone.
    private static Stream<Seen> inFolder(Path file) {
        try {
            BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return seen.isRegularFile() ? Stream.of(new Seen(file, seen.size(), seen.lastModifiedTime())) : Stream.of();
        } catch (IOException gone) {
            return Stream.of();
        }
    }
}
