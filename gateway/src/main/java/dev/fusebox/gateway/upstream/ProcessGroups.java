package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.catalog.Asking;
import dev.fusebox.gateway.catalog.CachedServerEntry;
import dev.fusebox.gateway.catalog.SharingHistory;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Which client sessions share a process of one server, where that is decided by what the server does
/// (`"isolation": "auto"` in a shared gateway). Thread-safe; only [#as] and [#begin] block, for the roots of a
/// client.
///
/// A process is told what its first client can do. Others share it once the server has shown, in this run or an
/// earlier one, that this makes no difference: it has answered calls of clients with the same capabilities and
/// asked nothing, and clients with other capabilities see the same lists. Clients that cannot be asked and see the
/// same lists share from the beginning. A server that asks is remembered, and each session gets a process of its
/// own from then on.
///
/// Clients without a session that can be asked are not grouped: what they can do comes with each call.
final class ProcessGroups {
    private static final System.Logger LOG = LazyLoggers.of(ProcessGroups.class);

    private final String server;
    private final Setting setting;
    private final Supplier<Actions> actions;
    private final ClientRoots roots;
    private final StateReports reports;
    private final Map<ClientSession, ProcessGroup> groups = new ConcurrentHashMap<>();

    /// Sessions that have left the state of a shared process behind and have not been told so.
    private final Set<ClientSession> moved = ConcurrentHashMap.newKeySet();

    private final List<ProcessGroup> open = new ArrayList<>();

    /// Sessions without a group that have called the server.
    private final Set<ClientSession> callers = ConcurrentHashMap.newKeySet();

    /// What the grouping depends on. Its suppliers must not block.
    ///
    /// @param platform limits the waits for roots
    /// @param isAdaptive whether sessions are grouped at all
    /// @param memory what the server has shown about sharing its process
    record Setting(Platform platform, BooleanSupplier isAdaptive, Supplier<CachedServerEntry> memory) {}

    /// What follows for the server. Implementations must not block.
    interface Actions {
        void listsChanged(ClientSession group);

        void processLost(ClientSession group);

        void over(ClientSession group);
    }

    ProcessGroups(String server, Setting setting, Supplier<Actions> actions) {
        this.server = server;
        this.setting = setting;
        this.actions = actions;
        this.roots = new ClientRoots(setting.platform(), server);
        this.reports = new StateReports(server);
    }

    private boolean isAdaptive() {
        return setting.isAdaptive().getAsBoolean();
    }

    private boolean isGrouped(ClientMetadata client) {
        return isAdaptive() && (client.clientSession() != null || !client.takesQuestions());
    }

    private Asking asking() {
        return setting.memory().get().sharing().asked();
    }

    private final class Listener implements ProcessGroup.Listener {
        @Override
        public void asked(Asking what) {
            if (setting.memory().get().noteAsked(what)) {
                LOG.log(
                        Level.INFO,
                        what == Asking.ROOTS
                                ? server
                                        + " reads the roots of its client: clients with other roots get other processes"
                                : server + " sends requests to its client: each client gets its own process of it");
            }
        }

        @Override
        public void listsChanged(ProcessGroup group) {
            actions.get().listsChanged(group);
        }

        @Override
        public void processLost(ProcessGroup group) {
            actions.get().processLost(group);
        }

        @Override
        public void over(ProcessGroup group) {
            synchronized (ProcessGroups.this) {
                open.remove(group);
            }
            actions.get().over(group);
        }
    }

    // ---- Lookup

    /// The client as the session of its group; the same client where sessions are not grouped. May block for a
    /// moment for the roots of the client.
    ClientMetadata as(ClientMetadata client) {
        return isGrouped(client) ? client.of(groupOf(client)) : client;
    }

    /// The client as the session of the group whose lists it would see. A client that has no group does not join it:
    /// that would count it as a user of the process.
    ClientMetadata seen(ClientMetadata client) {
        if (!isGrouped(client)) {
            return client;
        }
        ProcessGroup known = groups.get(client.sessionOrShared());
        return client.of(known == null ? candidate(client) : known);
    }

    /// The group that a client without one would join; one of its own if there is none, or as long as its roots
    /// are not known.
    private ProcessGroup candidate(ClientMetadata client) {
        Asking asking = asking();
        boolean isAlone = asking == Asking.QUESTIONS || (asking == Asking.ROOTS && !roots.isKnown(client));
        String itsRoots = asking == Asking.ROOTS && !isAlone ? roots.of(client) : null;
        SharingHistory sharing = setting.memory().get().sharing();
        ProcessGroup candidate;
        synchronized (this) {
            candidate = isAlone
                    ? null
                    : open.stream()
                            .filter(each -> each.mayJoin(client, itsRoots, sharing))
                            .findFirst()
                            .orElse(null);
        }
        return candidate != null
                ? candidate
                : new ProcessGroup(new Listener(), client, new ProcessGroup.Kind(true, itsRoots));
    }

    /// What stands for the session where sessions are grouped; the session itself if it has no group.
    ClientSession as(ClientSession session) {
        ProcessGroup group = groups.get(session);
        return group == null ? session : group;
    }

    private ProcessGroup groupOf(ClientMetadata client) {
        ProcessGroup known = groups.get(client.sessionOrShared());
        return known == null ? join(client) : known;
    }

    private ProcessGroup join(ClientMetadata client) {
        ClientSession session = client.sessionOrShared();
        Asking asking = asking();
        String itsRoots = asking == Asking.ROOTS ? roots.of(client) : null;
        ProcessGroup group;
        synchronized (this) {
            ProcessGroup known = groups.get(session);
            if (known != null) {
                return known;
            }
            group = asking == Asking.QUESTIONS
                    ? opened(client, new ProcessGroup.Kind(true, null))
                    : open.stream()
                            .filter(each -> each.join(
                                    client, itsRoots, setting.memory().get().sharing()))
                            .findFirst()
                            .orElseGet(() -> opened(client, new ProcessGroup.Kind(false, itsRoots)));
            groups.put(session, group);
        }
        // A session that ends is marked first, and its group looked for then: one of the two sees the other.
        if (!session.isHere()) {
            left(session);
        }
        return group;
    }

    /// The group for a call: a session that has not used its process yet leaves it for one that it can share by
    /// now.
    private ProcessGroup groupForCall(ClientMetadata client) {
        ProcessGroup group = groupOf(client);
        Asking asking = asking();
        if (group.isUsed() || asking == Asking.QUESTIONS) {
            return group;
        }
        ClientSession session = client.sessionOrShared();
        String itsRoots = asking == Asking.ROOTS ? roots.of(client) : null;
        ProcessGroup shared;
        boolean isMoved;
        synchronized (this) {
            ProcessGroup now = groups.get(session);
            if (now == null || !now.equals(group)) {
                return now == null ? group : now;
            }
            shared = open.stream()
                    .filter(each -> each.isUsed()
                            && each.join(
                                    client, itsRoots, setting.memory().get().sharing()))
                    .findFirst()
                    .orElse(group);
            isMoved = groups.replace(session, group, shared);
        }
        if (shared.equals(group)) {
            return group;
        }
        // A session that has ended meanwhile is in no group.
        (isMoved ? group : shared).leave(session);
        if (isMoved && !session.isHere()) {
            left(session);
        }
        return shared;
    }

    private ProcessGroup opened(ClientMetadata client, ProcessGroup.Kind kind) {
        ProcessGroup group = new ProcessGroup(new Listener(), client, kind);
        open.add(group);
        return group;
    }

    // ---- Calls

    /// A call in progress. Thread-safe.
    ///
    /// @param client as the session of its group
    /// @param session of the client
    /// @param group null if it has none
    /// @param losses of state in the group before
    record Entry(
            ClientMetadata client,
            ClientSession session,
            @Nullable ProcessGroup group,
            int losses) {
        private void note(Outcome outcome) {
            if (group != null) {
                group.state().ended(session, losses, outcome);
            }
        }

        private @Nullable String lostInGroup() {
            return group == null ? null : group.state().take(session, losses);
        }

        void end() {
            if (group != null) {
                group.state().end(session);
                group.end();
            }
        }
    }

    /// Begins a call of the client; [Entry#end] must follow.
    Entry begin(ClientMetadata client) {
        ClientSession session = client.sessionOrShared();
        if (!isGrouped(client)) {
            noteCaller(session);
            return new Entry(client, session, null, 0);
        }
        ProcessGroup group = groupForCall(client);
        while (isOfOtherRoots(client, group) || !group.begin(session)) {
            if (!session.isHere()) {
                // Its calls end with it.
                return new Entry(client, session, null, 0);
            }
            move(session, group);
            group = groupOf(client);
        }
        return new Entry(client.of(group), session, group, group.state().begin(session));
    }

    /// Looks before it writes, because most calls are not the first of their session.
    private void noteCaller(ClientSession session) {
        if (!callers.contains(session)) {
            callers.add(session);
            if (!session.isHere()) {
                callers.remove(session);
            }
        }
    }

    /// The process may have read another session's roots after this one has joined.
    private boolean isOfOtherRoots(ClientMetadata client, ProcessGroup group) {
        if (asking() != Asking.ROOTS) {
            return false;
        }
        ClientMetadata owner = group.rootsOwner();
        if (owner != null) {
            group.fix(roots.of(owner));
        }
        return group.differs(roots.of(client));
    }

    private void move(ClientSession session, ProcessGroup from) {
        if (groups.remove(session, from) && from.leave(session)) {
            moved.add(session);
        }
    }

    /// Notes the outcome of a call, before it ends.
    ///
    /// @param generation to which the call was sent
    void note(Entry entry, ServerGeneration generation, Outcome outcome) {
        entry.note(outcome);
        if (!(outcome instanceof Outcome.Answered)) {
            return;
        }
        if (entry.group() != null) {
            noteUnused(entry.group());
        }
        if (generation.keepsState()) {
            entry.session().leavesState(server, generation.number());
        }
    }

    private void noteUnused(ProcessGroup group) {
        switch (asking()) {
            case NOTHING -> setting.memory().get().noteUnused(group.offeredQuestions());
            case ROOTS -> {
                Set<String> others = new HashSet<>(group.offeredQuestions());
                others.remove("roots");
                setting.memory().get().noteUnused(others);
            }
            case QUESTIONS -> {
                // Its clients do not share.
            }
        }
    }

    /// The outcome of a call, with a report if state of its client was lost.
    Outcome report(Entry entry, ServerGeneration generation, Outcome outcome) {
        if (!StateReports.canReport(outcome)) {
            return outcome;
        }
        ClientSession session = entry.session();
        String report = entry.lostInGroup();
        String former = reports.ofStateLoss(session.takeStateLoss(server, generation.number()), isOnlyUser(session));
        report = report == null ? former : report;
        if (!moved.isEmpty() && moved.remove(session)) {
            report = reports.ofIsolation();
        }
        return report == null ? outcome : reports.with(outcome, report);
    }

    /// Whether no other session has used the process of this one; true where sessions are not grouped.
    boolean isOnlyUser(ClientSession session) {
        ProcessGroup group = groups.get(session);
        return group == null ? !isAdaptive() : group.isOnlyUser(session);
    }

    /// Whether what its process logs concerns the session only; true for a session without a process.
    boolean isSoleUser(ClientSession session) {
        ProcessGroup group = groups.get(session);
        return group == null || group.isSoleUser();
    }

    // ---- Changes

    /// The roots of a session have changed; returns whether its process is to know that. Otherwise the session
    /// needs another process.
    boolean rootsChanged(ClientSession session) {
        roots.forget(session);
        ProcessGroup group = groups.get(session);
        return group == null || group.rootsChanged(session);
    }

    /// Removes a session that has ended.
    void left(ClientSession session) {
        roots.forget(session);
        moved.remove(session);
        callers.remove(session);
        ProcessGroup group = groups.remove(session);
        if (group != null) {
            group.leave(session);
        }
    }

    /// The clients that use each of its processes.
    ///
    /// @param clients all that may use the server
    List<ProcessSharing> sharing(Collection<ClientMetadata> clients, ServerGeneration generation) {
        if (!isAdaptive()) {
            List<ClientMetadata> users = clients.stream()
                    .filter(client -> callers.contains(client.sessionOrShared()))
                    .toList();
            boolean withoutSession = callers.stream().anyMatch(ClientSession.WithoutSession.class::isInstance);
            return ProcessSharing.of(users, withoutSession, generation);
        }
        List<ProcessGroup> now;
        synchronized (this) {
            now = List.copyOf(open);
        }
        return now.stream()
                .map(group -> ProcessSharing.of(group, generation))
                .filter(ProcessSharing::isUsed)
                .toList();
    }
}
