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
/// @param count of the clients
/// @param clients their names, in the order in which they came; not all of very many
/// @param notOffered capabilities that some of them have and the process was not told of, and `logging` if some of
///     them want the log messages of a process that several clients use
public record ProcessSharing(int count, List<String> clients, List<String> notOffered) {
    /// Over HTTP there may be thousands.
    private static final int MAX_NAMED = 100;

    public ProcessSharing {
        clients = List.copyOf(clients);
        notOffered = List.copyOf(notOffered);
    }

    /// The clients of a process that is told nothing of them.
    static ProcessSharing of(Collection<ClientMetadata> clients) {
        return of(clients, List.of());
    }

    private static ProcessSharing of(Collection<ClientMetadata> clients, List<String> notOffered) {
        List<String> names =
                clients.stream().limit(MAX_NAMED).map(ProcessSharing::name).toList();
        return new ProcessSharing(clients.size(), names, notOffered);
    }

    static ProcessSharing of(ProcessGroup group) {
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
        return of(users, notOffered);
    }

    /// The processes of a server whose sessions are not grouped by what it does.
    ///
    /// @param clients those that have called it
    static List<ProcessSharing> of(Collection<ClientMetadata> clients, ServerGeneration generation) {
        if (clients.isEmpty()) {
            return List.of();
        }
        if (!generation.isIsolated()) {
            return generation.lifecycle().health().live() > 0 ? List.of(of(clients)) : List.of();
        }
        return clients.stream()
                .filter(client -> hasOwn(client.clientSession(), generation))
                .map(client -> of(List.of(client)))
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
