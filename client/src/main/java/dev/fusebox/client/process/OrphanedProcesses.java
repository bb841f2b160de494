package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Server processes whose gateway and its reaper process are gone. They are found by their [OwnerTag]; on systems
/// where it cannot be read there are none. Immutable and thread-safe; finding them takes milliseconds.
///
/// Only the own PID namespace counts: the process ids of a gateway in another container mean nothing here.
///
/// @param processes of all such gateways
public record OrphanedProcesses(List<ProcessEntry> processes) {
    private static final Duration STARTUP_DELAY = Duration.ofSeconds(2);

    /// A reaper process takes five seconds at most.
    private static final Duration REAPER_LIMIT = Duration.ofSeconds(6);

    public OrphanedProcesses {
        processes = List.copyOf(processes);
    }

    /// The orphaned processes at this time.
    public static OrphanedProcesses of(Platform platform) {
        if (!platform.processes().keepsSessions()) {
            return new OrphanedProcesses(List.of());
        }
        List<ProcessEntry> all = platform.processes().list();
        String ownNamespace = pidNamespace(platform.processes().self());
        Set<Long> ancestors = ancestors(platform.processes().self(), all);
        return new OrphanedProcesses(all.stream()
                .filter(entry -> !entry.zombie() && !ancestors.contains(entry.pid()))
                .filter(entry ->
                        isOrphan(platform, entry, all) && pidNamespace(entry).equals(ownNamespace))
                .toList());
    }

    /// This process and its ancestors: a server may have started them, and they are not orphans.
    private static Set<Long> ancestors(ProcessEntry self, List<ProcessEntry> all) {
        Map<Long, Long> parents = new HashMap<>();
        all.forEach(entry -> parents.put(entry.pid(), entry.parent()));
        Set<Long> ancestors = new HashSet<>();
        Long at = self.pid();
        while (at != null && ancestors.add(at)) {
            at = parents.get(at);
        }
        return ancestors;
    }

    private static boolean isOrphan(Platform platform, ProcessEntry entry, List<ProcessEntry> all) {
        String tag = platform.processes().variable(entry, OwnerTag.VARIABLE);
        String[] parts = tag == null ? new String[0] : tag.split("\\.", -1);
        return parts.length >= 3 && all.stream().noneMatch(each -> isProcess(each, parts[0], parts[1]));
    }

    private static boolean isProcess(ProcessEntry entry, String pid, String start) {
        return pid.equals(Long.toString(entry.pid())) && start.equals(Long.toString(entry.start()));
    }

    /// The PID namespace of a process; empty if it is unknown.
    private static String pidNamespace(ProcessEntry entry) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + entry.pid() + "/ns/pid"))
                    .toString();
        } catch (IOException unknown) {
            return "";
        }
    }

    /// Kills them at once.
    public void end(Platform platform) {
        processes.forEach(entry -> platform.processes().signal(entry, Signal.KILL));
    }

    /// Kills those that remain when a live reaper process has had its time. Blocks for some seconds, and does
    /// nothing in the first ones, in favor of the startup of this process.
    ///
    /// @return number of killed processes
    public static int endRemaining(Platform platform) throws InterruptedException {
        platform.pause(STARTUP_DELAY);
        Set<String> first = of(platform).identities();
        if (first.isEmpty()) {
            return 0;
        }
        platform.pause(REAPER_LIMIT);
        OrphanedProcesses remaining = new OrphanedProcesses(of(platform).processes().stream()
                .filter(entry -> first.contains(identity(entry)))
                .toList());
        remaining.end(platform);
        return remaining.processes().size();
    }

    private Set<String> identities() {
        return processes.stream().map(OrphanedProcesses::identity).collect(Collectors.toSet());
    }

    /// Unique among all processes, past ones included.
    private static String identity(ProcessEntry entry) {
        return entry.pid() + "." + entry.start();
    }
}
