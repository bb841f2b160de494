package dev.fusebox.gateway.observe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/// The folder with the logs of all gateways of one user, including ended ones. Immutable; blocks on file system
/// access.
///
/// @param path `~/.fusebox/log`, or `log` in the folder that FUSEBOX_HOME names
public record LogFolder(Path path) {
    /// All files together may take 100 MB. This limit is lower, because several gateways may write at once and
    /// each checks it only when it begins a new file.
    static final long MAX_BYTES = 90L << 20;

    /// A gateway that a client starts every minute leaves small files.
    static final int MAX_FILES = 500;

    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    /// The log of one gateway. Immutable.
    ///
    /// @param pid of its process; 0 if it is not known
    /// @param started as in `20261125T040607Z`; empty if it is not known
    public record Log(long pid, String started, List<Path> parts) {
        public Log {
            parts = List.copyOf(parts);
        }

        /// Its lines, oldest first.
        public List<String> lines() throws IOException {
            List<String> lines = new ArrayList<>();
            for (Path part : parts) {
                try {
                    String text = new String(Files.readAllBytes(part), StandardCharsets.UTF_8);
                    lines.addAll(text.lines().toList());
                } catch (NoSuchFileException removed) {
                    // The oldest parts may be deleted meanwhile.
                }
            }
            return lines;
        }
    }

    /// All logs, oldest first.
    public List<Log> logs() throws IOException {
        Map<String, TreeMap<Integer, LogFile>> parts = new TreeMap<>();
        for (LogFile file : files()) {
            parts.computeIfAbsent(file.started() + file.log(), first -> new TreeMap<>())
                    .put(file.part(), file);
        }
        return parts.values().stream().map(LogFolder::log).toList();
    }

    private static Log log(TreeMap<Integer, LogFile> parts) {
        LogFile first = parts.firstEntry().getValue();
        return new Log(
                first.pid(),
                first.started(),
                parts.values().stream().map(LogFile::path).toList());
    }

    private List<LogFile> files() throws IOException {
        List<LogFile> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
            for (Path each : all) {
                LogFile file = LogFile.of(each);
                if (file != null && Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(file);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        return found;
    }

    /// Creates the folder if it is missing, and restricts access to its owner.
    ///
    /// @throws IOException if that is impossible
    void made() throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNERS));
        }
        if (!OWNERS.containsAll(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS))) {
            Files.setPosixFilePermissions(path, OWNERS);
        }
    }

    // ---- Pruning

    /// Deletes the oldest files until the rest is within the limits. The files that running gateways write to
    /// stay.
    ///
    /// @param isRunning whether a gateway with this process may be running
    void prune(long maxBytes, int maxFiles, LongPredicate isRunning) throws IOException {
        List<Aged> all = aged();
        long bytes = all.stream().mapToLong(Aged::bytes).sum();
        int files = all.size();
        Map<String, Integer> newest = newest(all);
        for (Aged each : all) {
            if (bytes <= maxBytes && files <= maxFiles) {
                return;
            }
            LogFile file = each.file();
            boolean isLast = Integer.valueOf(file.part()).equals(newest.get(file.log()));
            if (!isLast || file.pid() == 0 || !isRunning.test(file.pid())) {
                Files.deleteIfExists(file.path());
                bytes -= each.bytes();
                files--;
            }
        }
    }

    private record Aged(LogFile file, long bytes, long changed) {}

    /// The least recently written file first.
    private List<Aged> aged() throws IOException {
        List<Aged> all = new ArrayList<>();
        for (LogFile file : files()) {
            try {
                BasicFileAttributes seen =
                        Files.readAttributes(file.path(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                all.add(new Aged(file, seen.size(), seen.lastModifiedTime().toMillis()));
            } catch (NoSuchFileException removed) {
                // Another gateway may prune, too.
            }
        }
        all.sort((one, other) -> one.changed() == other.changed()
                ? Integer.compare(one.file().part(), other.file().part())
                : Long.compare(one.changed(), other.changed()));
        return all;
    }

    private static Map<String, Integer> newest(List<Aged> all) {
        Map<String, Integer> newest = new TreeMap<>();
        all.forEach(each -> newest.merge(each.file().log(), each.file().part(), Math::max));
        return newest;
    }
}
