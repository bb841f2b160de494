package dev.fusebox.gateway.doctor;

import dev.fusebox.client.process.OrphanedProcesses;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.errors.ErrorId;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// What gateways have left behind on this machine, and what is put in order on request. For one thread; blocks as
/// the file system does.
public final class HostChecks {
    private static final Set<PosixFilePermission> OF_OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    /// Folders of the gateway's home in which everything is its owner's alone.
    private static final List<String> PRIVATE = List.of("run", "allowed", "tokens", "cache", "audit", "log");

    private static final int DEEPEST = 3;
    private static final int MOST_NAMED = 10;

    private final Platform platform;
    private final boolean mends;

    /// @param mends whether what can be mended without harm is mended
    public HostChecks(Platform platform, boolean mends) {
        this.platform = platform;
        this.mends = mends;
    }

    /// A finding for each thing that is looked at.
    public List<Finding> look() {
        List<Finding> findings = new ArrayList<>();
        findings.add(orphans());
        try {
            RunFolder folder = RunFolder.of(platform);
            findings.add(sockets(folder));
            findings.add(files(folder.path().resolveSibling("")));
        } catch (IOException nowhere) {
            findings.add(Finding.ok(Check.FILES, "nothing is kept: " + nowhere.getMessage()));
        }
        return findings;
    }

    private Finding orphans() {
        OrphanedProcesses orphanedProcesses = OrphanedProcesses.of(platform);
        if (orphanedProcesses.processes().isEmpty()) {
            return Finding.ok(Check.ORPHANS, "no server runs without its gateway");
        }
        int count = orphanedProcesses.processes().size();
        String what = count + (count == 1 ? " process" : " processes") + " of gateways that are gone";
        if (mends) {
            orphanedProcesses.end(platform);
            return Finding.ok(Check.ORPHANS, "ended " + what);
        }
        List<String> numbers = orphanedProcesses.processes().stream()
                .map(ProcessEntry::pid)
                .map(pid -> "process " + pid)
                .toList();
        return Finding.warn(Check.ORPHANS, ErrorId.ORPHANS, what)
                .shownBy(few(numbers))
                .mendedBy("`" + FuseboxCommand.onFile("doctor", "--fix") + "` puts it in order");
    }

    private Finding sockets(RunFolder folder) throws IOException {
        List<Path> stale = folder.stale();
        if (stale.isEmpty()) {
            return Finding.ok(Check.FILES, "no socket without its gateway");
        }
        String what = stale.size() + (stale.size() == 1 ? " socket" : " sockets") + " of gateways that are gone";
        if (mends) {
            folder.sweep();
            return Finding.ok(Check.FILES, "removed " + what);
        }
        return Finding.warn(Check.FILES, ErrorId.STALE_SOCKETS, what)
                .shownBy(few(stale.stream().map(Path::toString).toList()))
                .mendedBy("`" + FuseboxCommand.onFile("doctor", "--fix") + "` puts it in order");
    }

    // ---- Who may read what

    private Finding files(Path home) throws IOException {
        List<Path> open = new ArrayList<>();
        for (String name : PRIVATE) {
            Path folder = home.resolve(name);
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                try (Stream<Path> all = Files.walk(folder, DEEPEST)) {
                    all.filter(HostChecks::isOpen).forEach(open::add);
                }
            }
        }
        if (open.isEmpty()) {
            return Finding.ok(Check.FILES, "only this user may read the files of Fusebox");
        }
        if (mends) {
            for (Path path : open) {
                close(path);
            }
            return Finding.ok(Check.FILES, "took the rights of others from " + open.size() + " files");
        }
        return Finding.warn(Check.FILES, ErrorId.FILES_OPEN, "others may read or change what is kept")
                .shownBy(few(open.stream().map(Path::toString).toList()))
                .mendedBy("`" + FuseboxCommand.onFile("doctor", "--fix") + "` puts it in order");
    }

    /// A socket in a folder that nobody else may enter needs no mode of its own.
    private static boolean isOpen(Path path) {
        boolean isKept = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        try {
            return isKept && Files.getPosixFilePermissions(path).stream().anyMatch(OF_OTHERS::contains);
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private static void close(Path path) throws IOException {
        Set<PosixFilePermission> rights = EnumSet.copyOf(Files.getPosixFilePermissions(path));
        rights.removeAll(OF_OTHERS);
        rights.remove(PosixFilePermission.GROUP_EXECUTE);
        rights.remove(PosixFilePermission.OTHERS_EXECUTE);
        Files.setPosixFilePermissions(path, rights);
    }

    private static List<String> few(List<String> lines) {
        return lines.subList(0, Math.min(MOST_NAMED, lines.size()));
    }
}
