package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Principal;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.gateway.catalog.Asking;
import dev.fusebox.gateway.catalog.SharingHistory;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The client sessions that use one process of a server; to the process they are one session. Thread-safe; nothing
/// blocks, and its monitor is a leaf.
///
/// A request of the server names no call. It is handed to a session only if no other one has used the process: a
/// server may ask late, for a call that was cancelled or answered long ago.
///
/// ```
/// open --- asked with one user ---> closed to others
///      --- asked with several ----> retired: its sessions move to processes of their own
/// ```
final class ProcessGroup implements ClientSession {
    private final Listener listener;
    private final Principal principal;
    private final boolean isLegacy;
    private final JsonView offered;
    private final Set<String> offeredQuestions;
    private final String profile;
    private final Map<ClientSession, ClientMetadata> members = new LinkedHashMap<>();
    private final Set<ClientSession> users = new LinkedHashSet<>();
    private final GroupState state = new GroupState();
    private int calls;
    private volatile boolean isUsed;
    private boolean isClosed;
    private boolean isRetired;
    private boolean isOver;

    /// The roots that the process was told, and all its users have; null if it has not asked for them, or they are
    /// not known yet.
    private @Nullable String roots;

    /// The session whose roots the process was told; null if it has not asked for them.
    private @Nullable ClientMetadata rootsOwner;

    /// Is told what concerns the server. Implementations must not block.
    interface Listener {
        /// The server has sent a request to its client.
        void asked(Asking what);

        void listsChanged(ProcessGroup group);

        void processLost(ProcessGroup group);

        /// No session uses the process any more, and no call is in flight.
        void over(ProcessGroup group);
    }

    /// @param first the session that needs the process, which is told its capabilities
    /// @param kind who may join it
    ProcessGroup(Listener listener, ClientMetadata first, Kind kind) {
        ClientSession session = first.sessionOrShared();
        this.listener = listener;
        this.principal = session.principal();
        this.isLegacy = session.isLegacy();
        this.offered = first.capabilities();
        this.offeredQuestions = first.questionCapabilities();
        this.profile = first.profile();
        this.isClosed = kind.isClosed();
        this.roots = kind.roots();
        members.put(session, first);
    }

    /// Which sessions may join a group. Immutable.
    ///
    /// @param isClosed whether none may
    /// @param roots those that members must have; null if that does not matter
    record Kind(boolean isClosed, @Nullable String roots) {}

    // ---- Membership

    /// Adds a session if it can share the process: the server has shown that it makes no use of what its clients
    /// can be asked, and that it shows them the same lists.
    ///
    /// @param itsRoots null if they do not matter
    synchronized boolean join(ClientMetadata client, @Nullable String itsRoots, SharingHistory history) {
        boolean mayJoin = mayJoin(client, itsRoots, history);
        if (mayJoin) {
            members.put(client.sessionOrShared(), client);
        }
        return mayJoin;
    }

    /// Whether the session could join now.
    synchronized boolean mayJoin(ClientMetadata client, @Nullable String itsRoots, SharingHistory history) {
        return !isClosed
                && !isRetired
                && !isOver
                && Objects.equals(roots, itsRoots)
                && principal.equals(client.principal())
                && isUnused(offeredQuestions, history)
                && isUnused(client.questionCapabilities(), history)
                && history.isAlike(profile, client.profile());
    }

    /// Servers that read roots are shared by clients with the same.
    private static boolean isUnused(Set<String> capabilities, SharingHistory history) {
        return capabilities.stream()
                .allMatch(name ->
                        history.unused().contains(name) || (name.equals("roots") && history.asked() == Asking.ROOTS));
    }

    /// Begins a call of a member; false if the member needs another process. After true, [#end] must follow.
    synchronized boolean begin(ClientSession session) {
        boolean isForOthers = isClosed && !users.isEmpty() && !users.contains(session);
        if (isRetired || isForOthers || !members.containsKey(session)) {
            return false;
        }
        users.add(session);
        isUsed = true;
        calls++;
        return true;
    }

    /// Whether the roots of its users matter, and are not those of this session.
    synchronized boolean differs(String itsRoots) {
        return roots != null && !roots.equals(itsRoots);
    }

    void end() {
        boolean isLast;
        synchronized (this) {
            calls--;
            isLast = endsNow();
        }
        report(isLast);
    }

    /// Removes a member, which has ended or has moved to another process; returns whether it had used this one.
    boolean leave(ClientSession session) {
        boolean wasUser;
        boolean isLast;
        synchronized (this) {
            wasUser = users.contains(session) && members.containsKey(session);
            members.remove(session);
            isLast = endsNow();
        }
        state.left(session);
        report(isLast);
        return wasUser;
    }

    private boolean endsNow() {
        boolean ends = !isOver && members.isEmpty() && calls == 0;
        isOver |= ends;
        return ends;
    }

    private void report(boolean isLast) {
        if (isLast) {
            listener.over(this);
        }
    }

    /// Whether a session has used the process.
    boolean isUsed() {
        return isUsed;
    }

    /// Whether this session has used the process, and no other has.
    synchronized boolean isOnlyUser(ClientSession session) {
        return users.size() == 1 && users.contains(session);
    }

    /// The capabilities that the process was told and that let it ask.
    Set<String> offeredQuestions() {
        return offeredQuestions;
    }

    /// The sessions that may use the process.
    private synchronized List<ClientMetadata> members() {
        return List.copyOf(members.values());
    }

    /// The sessions that have called the process and have not left.
    synchronized List<ClientMetadata> users() {
        return members.entrySet().stream()
                .filter(member -> users.contains(member.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /// The only session whose messages the process may have; null if there are several.
    private synchronized @Nullable ClientSession sole() {
        if (users.size() > 1) {
            return null;
        }
        ClientSession only = users.isEmpty() ? null : users.iterator().next();
        if (only != null) {
            return members.containsKey(only) ? only : null;
        }
        return members.size() == 1 ? members.keySet().iterator().next() : null;
    }

    /// The session that a request of the process is for; null if that cannot be known. Before its first call a
    /// process works for the session that has started it.
    private synchronized @Nullable ClientSession asked(Message.Request question) {
        boolean isStarting = users.isEmpty() && isForRoots(question) && !members.isEmpty();
        return isStarting ? members.keySet().iterator().next() : sole();
    }

    private static boolean isForRoots(Message.Request question) {
        return question.method().equals(ServerRequestLimit.ROOTS);
    }

    // ---- As a session

    @Override
    public synchronized boolean isHere() {
        return !isOver;
    }

    @Override
    public Principal principal() {
        return principal;
    }

    @Override
    public boolean isLegacy() {
        return isLegacy;
    }

    @Override
    public JsonView offered() {
        return offered;
    }

    @Override
    public boolean isAsked(Message.Request question) {
        boolean isForRoots = isForRoots(question);
        boolean isKnown;
        synchronized (this) {
            ClientSession session = asked(question);
            isKnown = session != null || (isForRoots && roots != null);
            isClosed |= !isForRoots;
            isRetired |= !isKnown;
            if (isForRoots && session != null) {
                rootsOwner = members.get(session);
            }
        }
        listener.asked(isForRoots ? Asking.ROOTS : Asking.QUESTIONS);
        return isKnown;
    }

    /// The session whose roots the process was told, while they are not known here.
    synchronized @Nullable ClientMetadata rootsOwner() {
        return roots == null ? rootsOwner : null;
    }

    /// Sets the roots of the session that the process has asked.
    synchronized void fix(String itsRoots) {
        if (roots == null) {
            roots = itsRoots;
        }
    }

    /// The roots of a member have changed; returns whether the process is to know that, because it works for no
    /// other.
    synchronized boolean rootsChanged(ClientSession session) {
        boolean isAlone = users.stream().allMatch(session::equals) && members.size() == 1;
        if (isAlone) {
            roots = null;
        }
        return isAlone;
    }

    /// Keeps the roots that the process is told.
    @Override
    public ReplyHandler noting(ReplyHandler replyHandler, Message.Request question) {
        return isForRoots(question) ? new RootsReply(replyHandler) : replyHandler;
    }

    private final class RootsReply implements ReplyHandler {
        private final ReplyHandler replyHandler;

        RootsReply(ReplyHandler replyHandler) {
            this.replyHandler = replyHandler;
        }

        @Override
        public void answer(JsonView answer, RequestId question) {
            fix(ClientRoots.text(answer));
            replyHandler.answer(answer, question);
        }

        @Override
        public void sendOneWay(byte[] refusal) {
            replyHandler.sendOneWay(refusal);
        }
    }

    @Override
    public boolean onRequest(String server, ReplyHandler replyHandler, Message.Request question) {
        ClientSession session = asked(question);
        return session != null && session.onRequest(server, replyHandler, question);
    }

    /// What the process logs may concern any of its users.
    @Override
    public void onNotification(String server, Message.Notification notification) {
        if (notification.method().endsWith("/list_changed")) {
            listener.listsChanged(this);
            return;
        }
        ClientSession only = sole();
        if (only != null) {
            only.onNotification(server, notification);
        }
    }

    @Override
    public boolean listsChanged(List<String> methods) {
        boolean haveAll = true;
        for (ClientMetadata member : members()) {
            haveAll &= member.sessionOrShared().listsChanged(methods);
        }
        return haveAll;
    }

    @Override
    public boolean isSoleUser() {
        return sole() != null;
    }

    /// What its sessions have in the memory of the process.
    GroupState state() {
        return state;
    }

    @Override
    public boolean stateLost(String report) {
        state.lost(report);
        return true;
    }

    @Override
    public void lost(String server) {
        listener.processLost(this);
    }

    @Override
    public @Nullable String logLevel() {
        ClientSession only = sole();
        return only == null ? null : only.logLevel();
    }
}
