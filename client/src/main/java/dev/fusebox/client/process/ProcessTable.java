package dev.fusebox.client.process;

import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.Processes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Shared view of all processes of the machine. Thread-safe; [#fresh] takes milliseconds.
///
/// Reading all processes takes some milliseconds of processor time. When 300 process trees end together, each
/// needs it several times, so all callers that come during one read share the next one.
final class ProcessTable {
    private final Processes processes;
    private final AtomicLong started = new AtomicLong();
    private @Nullable Snapshot latest;
    private long latestNumber;

    ProcessTable(Processes processes) {
        this.processes = processes;
    }

    /// A snapshot that was begun after this call.
    Snapshot fresh() {
        long wanted = started.get() + 1;
        synchronized (this) {
            Snapshot known = latest;
            if (known != null && latestNumber >= wanted) {
                return known;
            }
            long number = started.incrementAndGet();
            Snapshot snapshot = new Snapshot(processes);
            latest = snapshot;
            latestNumber = number;
            return snapshot;
        }
    }

    /// All processes at one time, by id and by parent. Thread-safe.
    static final class Snapshot {
        private final Processes processes;
        private final List<ProcessEntry> entries;
        private final Map<Long, List<ProcessEntry>> children = new HashMap<>();
        private final Map<ProcessEntry, String> tags = new HashMap<>();
        private final ProcessEntry self;

        private Snapshot(Processes processes) {
            this.processes = processes;
            this.entries = processes.list();
            this.self = processes.self();
            entries.forEach(entry -> children.computeIfAbsent(entry.parent(), it -> new ArrayList<>())
                    .add(entry));
        }

        List<ProcessEntry> entries() {
            return entries;
        }

        List<ProcessEntry> childrenOf(ProcessEntry parent) {
            return children.getOrDefault(parent.pid(), List.of());
        }

        ProcessEntry self() {
            return self;
        }

        /// Whether it has lost its parent: then only its tag shows its owner.
        boolean isOrphan(ProcessEntry entry) {
            return entry.parent() == self.pid() || entry.parent() <= 1;
        }

        /// The [OwnerTag] of a process; empty if it has none. Read from the system once.
        synchronized String tagOf(ProcessEntry entry) {
            return tags.computeIfAbsent(entry, it -> {
                String tag = processes.variable(it, OwnerTag.VARIABLE);
                return tag == null ? "" : tag;
            });
        }
    }
}
