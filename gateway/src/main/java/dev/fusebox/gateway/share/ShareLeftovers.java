package dev.fusebox.gateway.share;

import dev.fusebox.gateway.admin.RunFolder;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Files in the run folder of shared gateways that were killed or did not start: their sockets, the locks under which
/// they were started, and what they printed. Stateless; blocks on the file system.
public final class ShareLeftovers {
    private static final Pattern NAME = Pattern.compile("(shared-[0-9a-f]{16})\\.(sock|lock|start|\\d{1,18})");

    private ShareLeftovers() {}

    /// Those of configuration files that no gateway serves and for which none is being started.
    public static List<Path> in(RunFolder folder) throws IOException {
        return unused(folder, false);
    }

    /// Removes them, and returns what it has removed.
    public static List<Path> remove(RunFolder folder) throws IOException {
        return unused(folder, true);
    }

    private static List<Path> unused(RunFolder folder, boolean removes) throws IOException {
        List<Path> unused = new ArrayList<>();
        for (Map.Entry<String, List<Path>> each : byConfig(folder).entrySet()) {
            Path lockFile = folder.path().resolve(each.getKey() + ".lock");
            List<Path> files = each.getValue();
            boolean isNew = !files.contains(lockFile);
            try (StartLock lock = StartLock.tryTake(lockFile)) {
                if (lock == null) {
                    continue;
                }
                boolean isUnused = files.stream().noneMatch(ShareLeftovers::isInUse);
                if (isUnused) {
                    unused.addAll(files);
                }
                if (isUnused && removes) {
                    delete(files, lockFile);
                }
                if (isNew || (isUnused && removes)) {
                    // Last: it guards the others.
                    lock.delete();
                }
            }
        }
        return unused;
    }

    private static void delete(List<Path> files, Path lockFile) throws IOException {
        for (Path file : files) {
            if (!file.equals(lockFile)) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// The files of each configuration file, by the beginning of their names.
    private static Map<String, List<Path>> byConfig(RunFolder folder) throws IOException {
        Map<String, List<Path>> files = new TreeMap<>();
        if (!Files.isDirectory(folder.path(), LinkOption.NOFOLLOW_LINKS)) {
            return files;
        }
        try (Stream<Path> all = Files.list(folder.path())) {
            for (Path file : all.sorted().toList()) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    files.computeIfAbsent(name.group(1), _ -> new ArrayList<>()).add(file);
                }
            }
        }
        return files;
    }

    /// Whether it is a socket at which a program accepts connections, even one that is suspended.
    private static boolean isInUse(Path file) {
        String name = file.getFileName().toString();
        return !name.endsWith(".lock") && !name.endsWith(".start") && isAccepting(file);
    }

    /// Does not wait for a suspended program, whose queue may be full.
    private static boolean isAccepting(Path socket) {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(socket));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
