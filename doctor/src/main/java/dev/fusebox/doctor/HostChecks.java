package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.process.OrphanedProcesses;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.share.ShareLeftovers;
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

/// Checks for leftovers of gateways on this machine, and their repair on request. For one thread; blocks on file
/// system access.
public final class HostChecks {
    private static final Set<PosixFilePermission> OTHER_USERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    /// Folders in the gateway's home that must be accessible to the owner only.
    private static final List<String> PRIVATE = List.of("run", "allowed", "tokens", "secrets", "cache", "audit", "log");

    private static final int MAX_DEPTH = 3;
    private static final int MAX_NAMED = 10;

    private final Platform platform;
    private final boolean repairs;

    /// @param repairs whether to repair what is safe to repair
    public HostChecks(Platform platform, boolean repairs) {
        this.platform = platform;
        this.repairs = repairs;
    }

    /// One finding for each check.
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        findings.add(orphans());
        try {
            RunFolder folder = RunFolder.of(platform);
            findings.add(sockets(folder));
            findings.add(files(folder.path().resolveSibling("")));
        } catch (IOException nowhere) {
            findings.add(Finding.ok(Check.FILES, "no state folder: " + nowhere.getMessage()));
        }
        return findings;
    }

    private Finding orphans() {
        OrphanedProcesses orphanedProcesses = OrphanedProcesses.of(platform);
        if (orphanedProcesses.processes().isEmpty()) {
            return Finding.ok(Check.ORPHANS, "no orphaned server processes");
        }
        int count = orphanedProcesses.processes().size();
        String what = count + (count == 1 ? " process" : " processes") + " of ended gateways";
        if (repairs) {
            orphanedProcesses.end(platform);
            return Finding.ok(Check.ORPHANS, "ended " + what);
        }
        List<String> numbers = orphanedProcesses.processes().stream()
                .map(ProcessEntry::pid)
                .map(pid -> "process " + pid)
                .toList();
        return Finding.warn(Check.ORPHANS, ErrorId.ORPHANS, what)
                .shownBy(few(numbers))
                .withRemedy("`" + FuseboxCommand.onFile("doctor", "--fix") + "` ends them");
    }

    private Finding sockets(RunFolder folder) {
        try {
            return staleFiles(folder);
        } catch (IOException failed) {
            return Finding.warn(
                            Check.FILES,
                            ErrorId.STALE_SOCKETS,
                            (repairs ? "cannot remove" : "cannot look for") + " files of ended gateways: " + failed)
                    .withRemedy("remove that file, or make this user its owner");
        }
    }

    private Finding staleFiles(RunFolder folder) throws IOException {
        List<Path> stale = new ArrayList<>(repairs ? folder.sweep() : folder.stale());
        stale.addAll(repairs ? ShareLeftovers.remove(folder) : ShareLeftovers.in(folder));
        if (stale.isEmpty()) {
            return Finding.ok(Check.FILES, "no files of ended gateways");
        }
        String what = stale.size() + (stale.size() == 1 ? " file" : " files") + " of ended gateways";
        if (repairs) {
            return Finding.ok(Check.FILES, "removed " + what);
        }
        return Finding.warn(Check.FILES, ErrorId.STALE_SOCKETS, what)
                .shownBy(few(stale.stream().map(Path::toString).toList()))
                .withRemedy("`" + FuseboxCommand.onFile("doctor", "--fix") + "` removes them");
    }

    // ---- File permissions

    private Finding files(Path home) throws IOException {
        List<Path> open = new ArrayList<>();
        for (String name : PRIVATE) {
            Path folder = home.resolve(name);
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                try (Stream<Path> all = Files.walk(folder, MAX_DEPTH)) {
                    all.filter(HostChecks::isOpen).forEach(open::add);
                }
            }
        }
        if (open.isEmpty()) {
            return Finding.ok(Check.FILES, "only this user can read the files of Fusebox");
        }
        if (repairs) {
            for (Path path : open) {
                close(path);
            }
            return Finding.ok(Check.FILES, "removed the permissions of other users from " + open.size() + " files");
        }
        return Finding.warn(Check.FILES, ErrorId.FILES_OPEN, "other users can read or change files of Fusebox")
                .shownBy(few(open.stream().map(Path::toString).toList()))
                .withRemedy("`" + FuseboxCommand.onFile("doctor", "--fix") + "` removes their permissions");
    }

    /// A socket in an owner-only folder needs no permissions of its own.
    private static boolean isOpen(Path path) {
        boolean isKept = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        try {
            return isKept && Files.getPosixFilePermissions(path).stream().anyMatch(OTHER_USERS::contains);
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private static void close(Path path) throws IOException {
        Set<PosixFilePermission> rights = EnumSet.copyOf(Files.getPosixFilePermissions(path));
        rights.removeAll(OTHER_USERS);
        rights.remove(PosixFilePermission.GROUP_EXECUTE);
        rights.remove(PosixFilePermission.OTHERS_EXECUTE);
        Files.setPosixFilePermissions(path, rights);
    }

    private static List<String> few(List<String> lines) {
        return lines.subList(0, Math.min(MAX_NAMED, lines.size()));
    }
}
