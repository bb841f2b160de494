package dev.fusebox.client.process;

import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.Processes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Who is there, asked by many at once and counted once. Thread-safe; [#fresh] takes milliseconds.
///
/// Looking at all processes takes some milliseconds of processor time. When 300 trees end together, each wants to
/// know several times; so all who ask while a count is running share the next one.
final class ProcessTable {
    private final Processes processes;
    private final AtomicLong begun = new AtomicLong();
    private @Nullable Count latest;
    private long latestNumber;

    ProcessTable(Processes processes) {
        this.processes = processes;
    }

    /// A count that began after this call.
    Count fresh() {
        long wanted = begun.get() + 1;
        synchronized (this) {
            Count known = latest;
            if (known != null && latestNumber >= wanted) {
                return known;
            }
            long number = begun.incrementAndGet();
            Count count = new Count(processes);
            latest = count;
            latestNumber = number;
            return count;
        }
    }

    /// All processes at one time, by number and by parent. Thread-safe.
    static final class Count {
        private final Processes processes;
        private final List<ProcessEntry> entries;
        private final Map<Long, List<ProcessEntry>> children = new HashMap<>();
        private final Map<ProcessEntry, String> marks = new HashMap<>();
        private final ProcessEntry self;

        private Count(Processes processes) {
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

        /// Whether it has lost its parent: then only its mark tells whose it is.
        boolean isOrphan(ProcessEntry entry) {
            return entry.parent() == self.pid() || entry.parent() <= 1;
        }

        /// The mark of a process; empty if it has none. Asked of the machine once.
        synchronized String markOf(ProcessEntry entry) {
            return marks.computeIfAbsent(entry, it -> {
                String mark = processes.variable(it, OwnerTag.VARIABLE);
                return mark == null ? "" : mark;
            });
        }
    }
}
