package dev.fusebox.gateway.cache;

import dev.fusebox.config.edit.FileSync;
import dev.fusebox.gateway.admin.PrivateFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A file that only its owner sees, exchanged whole: whoever looks, also after a crash, finds the old one or the
/// new one. Immutable; blocks as the disk does.
///
/// @param path of the file, which need not be there, and nor need its folder
public record PrivateFile(Path path) {
    /// As long as a message of a server may be.
    static final int LONGEST = 16 << 20;

    /// What it says; null if it is not there.
    ///
    /// @throws IOException if there is something that is no file of ours, or cannot be read
    public byte @Nullable [] read() throws IOException {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? content() : null;
    }

    /// Looks before it opens: opening a pipe would wait for whoever writes into it.
    private byte[] content() throws IOException {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new IOException(path + " is no file");
        }
        if (found.size() > LONGEST) {
            throw new IOException(path + " is longer than " + LONGEST + " bytes");
        }
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(LONGEST);
        }
    }

    /// What is the same as before is not written.
    public void write(byte[] content) throws IOException {
        if (content.length > LONGEST) {
            throw new IOException("it is longer than " + LONGEST + " bytes");
        }
        Path folder = path.resolveSibling("");
        PrivateFolder.made(folder);
        if (says(content)) {
            return;
        }
        Path next = TemporaryFile.begin(folder);
        try {
            FileSync.write(next, content);
            FileSync.rename(next, path);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private boolean says(byte[] content) {
        try {
            return Arrays.equals(read(), content);
        } catch (IOException hostile) {
            return false;
        }
    }
}
