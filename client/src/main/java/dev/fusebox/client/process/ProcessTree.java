package dev.fusebox.client.process;

import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.ProcessTableUnavailable;
import dev.fusebox.platform.Processes;
import dev.fusebox.platform.Signal;
import dev.fusebox.platform.SpawnedProcess;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Process tree of a child. Used by the one thread that terminates it; reads the process table, which takes
/// milliseconds.
///
/// The tree consists of the processes in the session of the child, the descendants of processes in the tree,
/// processes seen in it before, and orphans with its tag. The child stays a zombie until the tree has ended, so
/// that neither its process id nor that of its group can be reused meanwhile.
final class ProcessTree {
    private final SpawnedProcess leader;
    private final String tag;
    private final Processes processes;
    private final ProcessTable processTable;
    private final Set<Identity> known = new HashSet<>();

    /// Unique identity of a process; its parent and session may change.
    private record Identity(long pid, long start) {
        static Identity of(ProcessEntry entry) {
            return new Identity(entry.pid(), entry.start());
        }
    }

    ProcessTree(SpawnedProcess leader, String tag, Processes processes, ProcessTable processTable) {
        this.leader = leader;
        this.tag = tag;
        this.processes = processes;
        this.processTable = processTable;
    }

    /// The live processes of the tree, including the child; null if the process table is unavailable. Reaps its
    /// zombies that became children of this process.
    @Nullable
    List<ProcessEntry> survivors() {
        try {
            return survivors(processTable.fresh());
        } catch (ProcessTableUnavailable unseen) {
            return null;
        }
    }

    private List<ProcessEntry> survivors(ProcessTable.Snapshot snapshot) {
        Set<ProcessEntry> members = members(snapshot);
        members.forEach(member -> known.add(Identity.of(member)));
        members.stream()
                .filter(member -> member.zombie() && member.pid() != leader.pid())
                .filter(member -> member.parent() == snapshot.self().pid())
                .forEach(processes::reap);
        return members.stream().filter(member -> !member.zombie()).toList();
    }

    private Set<ProcessEntry> members(ProcessTable.Snapshot snapshot) {
        var members = new HashSet<ProcessEntry>();
        Deque<ProcessEntry> open = new ArrayDeque<>();
        snapshot.entries().stream().filter(entry -> isRoot(entry, snapshot)).forEach(open::add);
        while (!open.isEmpty()) {
            ProcessEntry next = open.removeFirst();
            if (members.add(next)) {
                open.addAll(snapshot.childrenOf(next));
            }
        }
        return members;
    }

    private boolean isRoot(ProcessEntry entry, ProcessTable.Snapshot snapshot) {
        if (entry.pid() == snapshot.self().pid()) {
            return false;
        }
        return entry.pid() == leader.pid()
                || entry.session() == leader.pid()
                || known.contains(Identity.of(entry))
                || (snapshot.isOrphan(entry) && snapshot.tagOf(entry).equals(tag));
    }

    /// Sends a signal to all live processes of the tree.
    void signal(Signal signal) {
        List<ProcessEntry> members = survivors();
        if (members != null) {
            signal(members, signal);
        }
    }

    void signal(List<ProcessEntry> members, Signal signal) {
        members.forEach(member -> processes.signal(member, signal));
    }
}
