package dev.fusebox.platform;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The process that listens on a TCP port of this machine. Immutable.
///
/// @param command the kernel's name for it: at most 15 bytes, of any value
public record PortOwner(long pid, String command) {
    private static final String LISTENS = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    /// The longest delay of an error message on a machine with many processes.
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// The owner, as far as `/proc` shows it to this user: processes of other users and processes that deny
    /// inspection are not found, nor any process on systems other than Linux. Blocks for half a second at most.
    public static Optional<PortOwner> of(int port) {
        Set<String> sockets = new HashSet<>();
        String end = String.format(Locale.ROOT, ":%04X", port);
        for (String table : new String[] {"tcp", "tcp6"}) {
            addListening(Path.of("/proc/self/net", table), end, sockets);
        }
        String[] names = sockets.isEmpty() ? null : new File("/proc").list((folder, name) -> isNumber(name));
        long start = System.nanoTime();
        for (int i = 0; names != null && i < names.length && System.nanoTime() - start < MAX_NANOS; i++) {
            if (has(names[i], sockets)) {
                return Optional.of(new PortOwner(Long.parseLong(names[i]), command(names[i])));
            }
        }
        return Optional.empty();
    }

    private static boolean isNumber(String name) {
        return name.chars().allMatch(Character::isDigit);
    }

    private static void addListening(Path table, String end, Set<String> sockets) {
        try {
            for (String line : Files.readAllLines(table, StandardCharsets.ISO_8859_1)) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields.length > INODE && fields[LOCAL].endsWith(end) && fields[STATE].equals(LISTENS)) {
                    sockets.add("socket:[" + fields[INODE] + "]");
                }
            }
        } catch (IOException unreadable) {
            // Then the owners of its sockets stay unknown.
        }
    }

    private static boolean has(String pid, Set<String> sockets) {
        File[] descriptors = new File("/proc/" + pid + "/fd").listFiles();
        for (int i = 0; descriptors != null && i < descriptors.length; i++) {
            String target = target(descriptors[i].toPath());
            if (target != null && sockets.contains(target)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return null;
        }
    }

    private static String command(String pid) {
        try {
            return Files.readString(Path.of("/proc", pid, "comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException ended) {
            return "";
        }
    }
}
