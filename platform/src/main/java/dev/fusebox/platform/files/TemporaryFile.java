package dev.fusebox.platform.files;

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

/// Names of temporary files, which later replace the files beside them. A name contains its writer's process id,
/// so that leftovers of a killed process can be recognized. Blocks on disk access.
public final class TemporaryFile {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Pattern NAME = Pattern.compile("\\.(\\d{1,18})-(?:([0-9a-f]{1,8})-)?.*\\.tmp");

    /// Writing takes seconds at most. Processes of another machine or container cannot be checked for being alive.
    private static final Duration MAX_AGE = Duration.ofHours(1);

    /// Process ids are only valid within one PID namespace and one boot of a machine; empty if these cannot be
    /// determined.
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

    /// Creates an empty one, readable only by this user.
    public static Path begin(Path folder) throws IOException {
        String owner = "." + ProcessHandle.current().pid() + "-" + (TABLE.isEmpty() ? "" : TABLE + "-");
        return Files.createTempFile(folder, owner, ".tmp", OWNER_ONLY);
    }

    /// Whether its writer will never finish it.
    public static boolean isLeftOver(Path file, Instant now) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() && (isOrphan(name) || written(file).isBefore(now.minus(MAX_AGE)));
    }

    /// Whether its writer was a process of this machine that has ended.
    public static boolean isOrphan(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() && isOrphan(name);
    }

    private static boolean isOrphan(Matcher name) {
        return !TABLE.isEmpty()
                && TABLE.equals(name.group(2))
                && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
                && canInspectProcesses();
    }

    /// Without a free file descriptor no process seems to be alive.
    private static boolean canInspectProcesses() {
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
