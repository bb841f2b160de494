package dev.fusebox.gateway.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Files that are being written beside those that they will replace. The name of each tells its writer, so that
/// whoever comes after a kill sees which will never be finished. Blocks as the disk does.
final class TemporaryFile {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Pattern NAME = Pattern.compile("\\.(\\d{1,18})-(?:([0-9a-f]{1,8})-)?.*\\.tmp");

    /// Writing takes seconds at most. Whether a process of another machine or container lives is not to be seen.
    private static final Duration LEFT_OVER = Duration.ofHours(1);

    /// Numbers of processes mean something within one table of one start of a machine; empty if that is not told.
    private static final String TABLE = table();

    private TemporaryFile() {}

    private static String table() {
        try {
            String start = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            return Integer.toHexString((start + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))).hashCode());
        } catch (IOException | UnsupportedOperationException unknown) {
            return "";
        }
    }

    static Path begin(Path folder) throws IOException {
        String owner = "." + ProcessHandle.current().pid() + "-" + (TABLE.isEmpty() ? "" : TABLE + "-");
        return Files.createTempFile(folder, owner, ".tmp", OWNER_ONLY);
    }

    /// Whether it is one that nobody will finish.
    static boolean isLeftOver(Path file, Instant now) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() && (isOrphan(name) || written(file).isBefore(now.minus(LEFT_OVER)));
    }

    private static boolean isOrphan(Matcher name) {
        return !TABLE.isEmpty()
                && TABLE.equals(name.group(2))
                && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
                && canSee();
    }

    /// Without a descriptor nobody seems to live.
    private static boolean canSee() {
        return ProcessHandle.of(ProcessHandle.current().pid()).isPresent();
    }

    private static Instant written(Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
        } catch (IOException gone) {
            return Instant.MIN;
        }
    }
}
