package dev.fusebox.gateway.provision;

import dev.fusebox.client.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Descriptions in a file, or in all files `*.json` of a folder. Of what the operator named a link is followed, of
/// what is in his folder none is; what is no file is never opened, as a pipe may never end. Immutable; blocks as the
/// disk does.
record FileDocuments(Path place) implements Documents {
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
    public List<byte[]> read(Patience patience) throws IOException {
        List<byte[]> documents = new ArrayList<>();
        int left = LONGEST;
        for (Seen seen : seen()) {
            byte[] document = document(seen.file(), left);
            documents.add(document);
            left -= document.length;
        }
        return documents;
    }

    private static byte[] document(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] document = in.readNBytes(most + 1);
            if (document.length > most) {
                throw new IOException(file + ": a registry has " + LONGEST + " bytes at most");
            }
            return document;
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
        List<Seen> files = new ArrayList<>();
        try (Stream<Path> inside = Files.list(place)) {
            for (Path file : inside.filter(FileDocuments::isDescription)
                    .sorted()
                    .limit(MOST_FILES)
                    .toList()) {
                BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
                files.add(new Seen(file, seen.size(), seen.lastModifiedTime()));
            }
        }
        return files;
    }

    private static boolean isDescription(Path file) {
        return file.toString().endsWith(".json") && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }
}
