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

/// A child with everything that came from it. For the one thread that ends it.
///
/// To the tree belongs who is in the child's session, who descends from somebody in the tree, who was seen in it
/// before, and which orphan carries its mark. The child stays a zombie until the tree is ended: so neither its
/// number nor that of its group can mean anybody else meanwhile.
final class ProcessTree {
    private final SpawnedProcess leader;
    private final String mark;
    private final Processes processes;
    private final ProcessTable processTable;
    private final Set<Identity> known = new HashSet<>();

    /// A process for good; parents and sessions change.
    private record Identity(long pid, long start) {
        static Identity of(ProcessEntry entry) {
            return new Identity(entry.pid(), entry.start());
        }
    }

    ProcessTree(SpawnedProcess leader, String mark, Processes processes, ProcessTable processTable) {
        this.leader = leader;
        this.mark = mark;
        this.processes = processes;
        this.processTable = processTable;
    }

    /// Who of it lives, the child included; null if nobody can look now. Reaps those that ended and came to us.
    @Nullable
    List<ProcessEntry> survivors() {
        try {
            return survivors(processTable.fresh());
        } catch (ProcessTableUnavailable unseen) {
            return null;
        }
    }

    private List<ProcessEntry> survivors(ProcessTable.Count count) {
        Set<ProcessEntry> members = members(count);
        members.forEach(member -> known.add(Identity.of(member)));
        members.stream()
                .filter(member -> member.zombie() && member.pid() != leader.pid())
                .filter(member -> member.parent() == count.self().pid())
                .forEach(processes::reap);
        return members.stream().filter(member -> !member.zombie()).toList();
    }

    private Set<ProcessEntry> members(ProcessTable.Count count) {
        var members = new HashSet<ProcessEntry>();
        Deque<ProcessEntry> open = new ArrayDeque<>();
        count.entries().stream().filter(entry -> isRoot(entry, count)).forEach(open::add);
        while (!open.isEmpty()) {
            ProcessEntry next = open.removeFirst();
            if (members.add(next)) {
                open.addAll(count.childrenOf(next));
            }
        }
        return members;
    }

    private boolean isRoot(ProcessEntry entry, ProcessTable.Count count) {
        if (entry.pid() == count.self().pid()) {
            return false;
        }
        return entry.pid() == leader.pid()
                || entry.session() == leader.pid()
                || known.contains(Identity.of(entry))
                || (count.isOrphan(entry) && count.markOf(entry).equals(mark));
    }

    /// Sends it to everybody who can be seen.
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
