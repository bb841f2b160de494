package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Principal;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
    private final Map<ClientSession, ClientMetadata> members = new LinkedHashMap<>();
    private final Set<ClientSession> users = new LinkedHashSet<>();
    private int calls;
    private boolean isClosed;
    private boolean isRetired;
    private boolean isOver;

    /// Is told what concerns the server. Implementations must not block.
    interface Listener {
        /// The server has sent a request to its client.
        void asked();

        void listsChanged(ProcessGroup group);

        void processLost(ProcessGroup group);

        /// No session uses the process any more, and no call is in flight.
        void over(ProcessGroup group);
    }

    /// @param first the session that needs the process
    /// @param offered the capabilities that the process is told
    /// @param isClosed whether no other session may join it
    ProcessGroup(Listener listener, ClientMetadata first, JsonView offered, boolean isClosed) {
        ClientSession session = first.sessionOrShared();
        this.listener = listener;
        this.principal = session.principal();
        this.isLegacy = session.isLegacy();
        this.offered = offered;
        this.isClosed = isClosed;
        members.put(session, first);
    }

    // ---- Membership

    /// Adds a session if it can share the process.
    synchronized boolean join(ClientMetadata client) {
        ClientSession session = client.sessionOrShared();
        boolean mayJoin = !isClosed
                && !isRetired
                && !isOver
                && principal.equals(session.principal())
                && CommonCapabilities.includes(client.capabilities(), offered);
        if (mayJoin) {
            members.put(session, client);
        }
        return mayJoin;
    }

    /// Begins a call of a member; false if the member needs another process. After true, [#end] must follow.
    synchronized boolean begin(ClientSession session) {
        boolean isForOthers = isClosed && !users.isEmpty() && !users.contains(session);
        if (isRetired || isForOthers || !members.containsKey(session)) {
            return false;
        }
        users.add(session);
        calls++;
        return true;
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

    /// The sessions that share the process.
    synchronized List<ClientMetadata> members() {
        return List.copyOf(members.values());
    }

    /// The only session whose messages the process may have, null if there are several.
    private synchronized @Nullable ClientSession sole() {
        if (users.size() > 1 || members.isEmpty()) {
            return null;
        }
        ClientSession only = users.isEmpty() ? null : users.iterator().next();
        if (only != null) {
            return members.containsKey(only) ? only : null;
        }
        return members.size() == 1 ? members.keySet().iterator().next() : null;
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
        boolean isKnown = sole() != null;
        synchronized (this) {
            isClosed = true;
            isRetired |= !isKnown;
        }
        listener.asked();
        return isKnown;
    }

    @Override
    public boolean onRequest(String server, ReplyHandler replyHandler, Message.Request question) {
        ClientSession only = sole();
        return only != null && only.onRequest(server, replyHandler, question);
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
    public void lost(String server) {
        listener.processLost(this);
    }

    @Override
    public @Nullable String logLevel() {
        ClientSession only = sole();
        return only == null ? null : only.logLevel();
    }
}
