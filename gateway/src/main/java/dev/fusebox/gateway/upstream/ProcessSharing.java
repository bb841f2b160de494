package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The clients that use one process of a server, or one connection to it. A client that has not called the server
/// yet does not count. Immutable.
///
/// @param count of the clients that have a session
/// @param clients their names, in the order in which they came; not all of very many
/// @param notOffered capabilities that some of them have and the process was not told of, and `logging` if some of
///     them want the log messages of a process that several clients use
/// @param withoutSession whether clients without a session have called it; they cannot be counted, and have no end
///     that the gateway notices
public record ProcessSharing(int count, List<String> clients, List<String> notOffered, boolean withoutSession) {
    /// Over HTTP there may be thousands.
    private static final int MAX_NAMED = 100;

    public ProcessSharing {
        clients = List.copyOf(clients);
        notOffered = List.copyOf(notOffered);
    }

    /// The users of a process, all with a session.
    public ProcessSharing(int count, List<String> clients, List<String> notOffered) {
        this(count, clients, notOffered, false);
    }

    private static ProcessSharing of(
            Collection<ClientMetadata> clients, List<String> notOffered, boolean withoutSession) {
        List<String> names =
                clients.stream().limit(MAX_NAMED).map(ProcessSharing::name).toList();
        return new ProcessSharing(clients.size(), names, notOffered, withoutSession);
    }

    boolean isUsed() {
        return count > 0 || withoutSession;
    }

    static ProcessSharing of(ProcessGroup group, ServerGeneration generation) {
        List<ClientMetadata> users = group.users();
        List<String> notOffered = new ArrayList<>();
        for (ClientMetadata user : users) {
            user.capabilities().forEachMember((name, _) -> {
                if (group.offered().member(name) == null && !notOffered.contains(name)) {
                    notOffered.add(name);
                }
            });
        }
        boolean isWithoutLog = users.size() > 1
                && !group.isSoleUser()
                && users.stream().anyMatch(user -> user.sessionOrShared().logLevel() != null);
        if (isWithoutLog) {
            notOffered.add("logging");
        }
        List<ClientMetadata> sessions =
                users.stream().filter(user -> user.clientSession() != null).toList();
        // Clients without a session stay members when the process has ended.
        boolean withoutSession = users.size() > sessions.size() && (!sessions.isEmpty() || generation.hasOwn(group));
        return of(sessions, notOffered, withoutSession);
    }

    /// The processes of a server whose sessions are not grouped by what it does.
    ///
    /// @param clients those with a session that have called it
    /// @param withoutSession whether clients without a session have called it; unused if each session has its own
    static List<ProcessSharing> of(
            Collection<ClientMetadata> clients, boolean withoutSession, ServerGeneration generation) {
        if (!generation.isIsolated()) {
            ProcessSharing only = of(clients, List.of(), withoutSession);
            return only.isUsed() && generation.lifecycle().health().live() > 0 ? List.of(only) : List.of();
        }
        return clients.stream()
                .filter(client -> hasOwn(client.clientSession(), generation))
                .map(client -> of(List.of(client), List.of(), false))
                .toList();
    }

    private static boolean hasOwn(@Nullable ClientSession session, ServerGeneration generation) {
        return session != null && generation.hasOwn(session);
    }

    private static String name(ClientMetadata client) {
        JsonView info = client.info();
        return Objects.requireNonNullElse(info == null ? null : info.string("name"), "client");
    }
}
