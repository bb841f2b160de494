package dev.fusebox.gateway.reload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/// The state of a file that is visible without reading it. Two stamps are equal if nothing visible has changed.
/// Immutable; taking one blocks on file system access.
///
/// @param kind whether it can be read
/// @param size in bytes
/// @param modified when it was last written
/// @param key the identity of the file, if the file system has one
/// @param real its path with all symbolic links followed
/// @param allowed when its content was last allowed; null if that does not matter, or it was never allowed
record FileStamp(
        Kind kind,
        long size,
        @Nullable FileTime modified,
        @Nullable Object key,
        @Nullable Path real,
        @Nullable FileTime allowed) {
    /// The kind of file at the path.
    enum Kind {
        FILE,
        /// Reading a pipe or a device may block forever, or consume data meant for another reader.
        OTHER,
        NOTHING
    }

    private static final FileStamp NOTHING = new FileStamp(Kind.NOTHING, 0, null, null, null, null);

    static FileStamp at(Path path) {
        try {
            BasicFileAttributes seen = Files.readAttributes(path, BasicFileAttributes.class);
            Kind kind = seen.isRegularFile() ? Kind.FILE : Kind.OTHER;
            return new FileStamp(kind, seen.size(), seen.lastModifiedTime(), seen.fileKey(), path.toRealPath(), null);
        } catch (IOException notThere) {
            return NOTHING;
        }
    }

    /// The same, with the time at which its approval record was written.
    FileStamp with(Path approval) {
        FileTime written;
        try {
            written = Files.getLastModifiedTime(approval, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException never) {
            written = null;
        }
        return new FileStamp(kind, size, modified, key, real, written);
    }
}
