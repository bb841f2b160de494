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

/// Processes of servers whose gateway is gone, and its janitor with it. Found by the mark that they carry; where
/// marks cannot be read there are none. Immutable and thread-safe; finding them takes milliseconds.
///
/// Only what lives in our own process table counts: the gateway of another container has numbers that mean nothing
/// here.
///
/// @param processes of all such gateways
public record OrphanedProcesses(List<ProcessEntry> processes) {
    private static final Duration AFTER_START = Duration.ofSeconds(2);

    /// It takes five seconds at most.
    private static final Duration FOR_THE_REAPER = Duration.ofSeconds(6);

    public OrphanedProcesses {
        processes = List.copyOf(processes);
    }

    /// Those that there are now.
    public static OrphanedProcesses of(Platform platform) {
        if (!platform.processes().keepsSessions()) {
            return new OrphanedProcesses(List.of());
        }
        List<ProcessEntry> all = platform.processes().list();
        String ours = table(platform.processes().self());
        Set<Long> above = above(platform.processes().self(), all);
        return new OrphanedProcesses(all.stream()
                .filter(entry -> !entry.zombie() && !above.contains(entry.pid()))
                .filter(entry -> isLost(platform, entry, all) && table(entry).equals(ours))
                .toList());
    }

    /// This process and those that it descends from: they may have been started by such a server, and are no
    /// castaways.
    private static Set<Long> above(ProcessEntry self, List<ProcessEntry> all) {
        Map<Long, Long> parents = new HashMap<>();
        all.forEach(entry -> parents.put(entry.pid(), entry.parent()));
        Set<Long> above = new HashSet<>();
        Long at = self.pid();
        while (at != null && above.add(at)) {
            at = parents.get(at);
        }
        return above;
    }

    private static boolean isLost(Platform platform, ProcessEntry entry, List<ProcessEntry> all) {
        String mark = platform.processes().variable(entry, OwnerTag.VARIABLE);
        String[] parts = mark == null ? new String[0] : mark.split("\\.", -1);
        return parts.length >= 3 && all.stream().noneMatch(each -> isNamed(each, parts[0], parts[1]));
    }

    private static boolean isNamed(ProcessEntry entry, String pid, String start) {
        return pid.equals(Long.toString(entry.pid())) && start.equals(Long.toString(entry.start()));
    }

    /// The process table that a process is counted in; nothing if that is not told.
    private static String table(ProcessEntry entry) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + entry.pid() + "/ns/pid"))
                    .toString();
        } catch (IOException unknown) {
            return "";
        }
    }

    /// Ends them at once.
    public void end(Platform platform) {
        processes.forEach(entry -> platform.processes().signal(entry, Signal.KILL));
    }

    /// Ends those that are still there when their janitor, if it lives, has had its time. Blocks for some seconds,
    /// the first of which are for whoever starts now.
    ///
    /// @return how many were ended
    public static int endLeft(Platform platform) throws InterruptedException {
        platform.pause(AFTER_START);
        Set<String> before = of(platform).names();
        if (before.isEmpty()) {
            return 0;
        }
        platform.pause(FOR_THE_REAPER);
        OrphanedProcesses left = new OrphanedProcesses(of(platform).processes().stream()
                .filter(entry -> before.contains(name(entry)))
                .toList());
        left.end(platform);
        return left.processes().size();
    }

    private Set<String> names() {
        return processes.stream().map(OrphanedProcesses::name).collect(Collectors.toSet());
    }

    /// That no other process ever has.
    private static String name(ProcessEntry entry) {
        return entry.pid() + "." + entry.start();
    }
}
