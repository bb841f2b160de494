package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.ProcessTableUnavailable;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/// Reaps what was left to us: children of children that ended after their parents. Thread-safe; blocks nobody.
///
/// Others in this process may have children, too, and wait for them. Those are in our session or are reaped at
/// once by who waits for them. So only a zombie from another session is reaped, and only when it was there at the
/// look before. As the first process of its table, a container's, this process has nobody beside it who would
/// wait: it reaps all.
final class ZombieReaper {
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final long FIRST = 1;

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

    /// Begins; does nothing the second time.
    void watch() {
        if (platform.processes().keepsSessions() && isWatching.compareAndSet(false, true)) {
            Thread.ofVirtual().name("fusebox-zombies").start(this::run);
        }
    }

    /// Begins if this process has number 1 and so becomes the parent of all orphaned processes. Asks the JDK,
    /// which knows at once: the first system call through the linker waits until the C library is linked.
    void watchIfFirst() {
        if (ProcessHandle.current().pid() == FIRST) {
            watch();
        }
    }

    private static boolean isFirst(ProcessEntry self) {
        return self.pid() == FIRST;
    }

    private void run() {
        Set<ProcessEntry> seen = Set.of();
        while (!closed.awaitUninterrupted(LOOK)) {
            seen = look(seen);
        }
    }

    /// Reaps those that were there before; gives those that are there now. Without a look nobody is reaped.
    private Set<ProcessEntry> look(Set<ProcessEntry> before) {
        Set<ProcessEntry> zombies;
        try {
            zombies = zombies(processTable.fresh());
        } catch (ProcessTableUnavailable blind) {
            return before;
        }
        zombies.stream().filter(before::contains).forEach(platform.processes()::bury);
        return zombies;
    }

    private Set<ProcessEntry> zombies(ProcessTable.Count count) {
        return count.childrenOf(count.self()).stream()
                .filter(ProcessEntry::zombie)
                .filter(entry ->
                        isFirst(count.self()) || entry.session() != count.self().session())
                .filter(entry -> !leaders.contains(entry.pid()))
                .collect(Collectors.toSet());
    }

    void close() {
        closed.reach();
    }
}
