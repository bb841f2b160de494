package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.ProcessTableUnavailable;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/// Reaper of zombies that became children of this process: descendants of servers that outlived their parents.
/// Thread-safe; runs on a virtual thread of its own, nothing else blocks.
///
/// Other code in this process may have children, too, and wait for them. Those are in the session of this process,
/// or are reaped at once by their owner. So only a zombie from another session is reaped, and only if it was seen
/// in the previous round. As the first process of its PID namespace, in a container, this process has no such code
/// beside it, and reaps all.
final class ZombieReaper {
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final long INIT_PID = 1;

    private final Platform platform;
    private final ProcessTable processTable;
    private final CompletionSignal closed;
    private final AtomicBoolean isWatching = new AtomicBoolean();
    private final Set<Long> leaders;

    ZombieReaper(Platform platform, ProcessTable processTable, Set<Long> leaders) {
        this.platform = platform;
        this.processTable = processTable;
        this.leaders = leaders;
        this.closed = new CompletionSignal(platform);
    }

    /// Starts the thread. Idempotent.
    void watch() {
        if (platform.processes().keepsSessions() && isWatching.compareAndSet(false, true)) {
            Thread.ofVirtual().name("fusebox-zombies").start(this::run);
        }
    }

    /// Starts it if this process has id 1, and so is the parent of all orphaned processes. Uses the JDK, which
    /// knows the id at once: the first system call through the linker waits until the C library is linked.
    void watchIfInit() {
        if (ProcessHandle.current().pid() == INIT_PID) {
            watch();
        }
    }

    private static boolean isInit(ProcessEntry self) {
        return self.pid() == INIT_PID;
    }

    private void run() {
        Set<ProcessEntry> seen = Set.of();
        while (!closed.awaitUninterrupted(PERIOD)) {
            seen = reap(seen);
        }
    }

    /// Reaps the zombies that were seen before, and returns the present ones. Without a process table it reaps
    /// none.
    private Set<ProcessEntry> reap(Set<ProcessEntry> before) {
        Set<ProcessEntry> zombies;
        try {
            zombies = zombies(processTable.fresh());
        } catch (ProcessTableUnavailable blind) {
            return before;
        }
        zombies.stream().filter(before::contains).forEach(platform.processes()::reap);
        return zombies;
    }

    private Set<ProcessEntry> zombies(ProcessTable.Snapshot snapshot) {
        return snapshot.childrenOf(snapshot.self()).stream()
                .filter(ProcessEntry::zombie)
                .filter(entry -> isInit(snapshot.self())
                        || entry.session() != snapshot.self().session())
                .filter(entry -> !leaders.contains(entry.pid()))
                .collect(Collectors.toSet());
    }

    void close() {
        closed.reach();
    }
}
