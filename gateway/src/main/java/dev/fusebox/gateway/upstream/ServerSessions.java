package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientSession;

/// The client sessions of one server: what they notify reaches the process that serves them, and what the server
/// holds for them ends with them. Thread-safe; nothing blocks.
public final class ServerSessions {
    private final ServerRuntime runtime;
    private final ProcessGroups groups;
    private final ServerSubscriptions subscriptions;
    private final SessionCatalog lists;

    ServerSessions(
            ServerRuntime runtime, ProcessGroups groups, ServerSubscriptions subscriptions, SessionCatalog lists) {
        this.runtime = runtime;
        this.groups = groups;
        this.subscriptions = subscriptions;
        this.lists = lists;
    }

    /// Whether each session has its own process of the server.
    public boolean isIsolated() {
        return runtime.generation().isIsolated();
    }

    /// Whether a session gets the server's log messages outside of calls.
    public boolean logsTo(ClientSession clientSession) {
        return isIsolated() && groups.isSoleUser(clientSession);
    }

    /// Forwards the notification of a session that its roots have changed to its own server process.
    public void forwardNotification(ClientSession clientSession, byte[] notification) {
        if (groups.rootsChanged(clientSession)) {
            runtime.generation().forwardNotification(groups.as(clientSession), notification);
        }
    }

    /// Applies a session's new log level to its own server process.
    public void levelChanged(ClientSession clientSession) {
        runtime.generation().levelChanged(groups.as(clientSession));
    }

    /// Ends the endpoint of a session that has ended.
    public void left(ClientSession clientSession) {
        groups.left(clientSession);
        subscriptions.left(clientSession);
        lists.over(clientSession);
    }

    /// Whether the server has a live process or connection that no other session has used.
    public boolean holdsStateOf(ClientSession clientSession) {
        return groups.isOnlyUser(clientSession) && runtime.generation().hasOwn(groups.as(clientSession));
    }
}
