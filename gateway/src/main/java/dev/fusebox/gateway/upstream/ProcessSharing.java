package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Who shares the processes of a server. Immutable.
///
/// @param clients the names of the clients that use one process, in the order in which they came
/// @param notOffered capabilities that some of them have and the process was not told of
public record ProcessSharing(List<String> clients, List<String> notOffered) {
    public ProcessSharing {
        clients = List.copyOf(clients);
        notOffered = List.copyOf(notOffered);
    }

    static ProcessSharing of(ProcessGroup group) {
        List<ClientMetadata> members = group.members();
        List<String> notOffered = new ArrayList<>();
        for (ClientMetadata member : members) {
            member.capabilities().forEachMember((name, _) -> {
                if (group.offered().member(name) == null && !notOffered.contains(name)) {
                    notOffered.add(name);
                }
            });
        }
        return new ProcessSharing(members.stream().map(ProcessSharing::name).toList(), notOffered);
    }

    private static String name(ClientMetadata client) {
        JsonView info = client.info();
        return Objects.requireNonNullElse(info == null ? null : info.string("name"), "client");
    }
}
