package dev.fusebox.gateway.routing;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.FuseboxCommand;
import java.util.List;
import java.util.stream.Collectors;

/// A group of equal servers that are called by one name. Immutable; it may have no callable server.
///
/// @param id the common name
/// @param servers the callable ones, in the order of the configuration
/// @param missing the others
record ReplicaSet(String id, List<UpstreamServer> servers, List<UnavailableServer> missing) {
    ReplicaSet {
        servers = List.copyOf(servers);
        missing = List.copyOf(missing);
    }

    /// Whether the contents of at least one replica are known.
    boolean isKnown() {
        return servers.stream().anyMatch(UpstreamServer::isKnown);
    }

    /// Whether at least one replica has listed its contents itself since the gateway started.
    boolean isLive() {
        return servers.stream().anyMatch(UpstreamServer::isLive);
    }

    /// Why it cannot be called when it has no callable replica.
    CallFailure noReplica() {
        if (isSwitchedOff()) {
            String names = missing.stream().map(UnavailableServer::id).collect(Collectors.joining(", "));
            String first = missing.getFirst().id();
            return CallFailure.policy(
                    ErrorId.SERVER_DISABLED,
                    "all replicas of " + id + " are disabled (" + names + "); `"
                            + FuseboxCommand.onFile("enable", first) + "` enables one");
        }
        return CallFailure.policy(ErrorId.CONNECT_FAILED, "no replica of " + id + " has a valid configuration");
    }

    private boolean isSwitchedOff() {
        return !missing.isEmpty() && missing.stream().allMatch(each -> each.status() == ServerStatus.DISABLED);
    }

    /// The status snapshot of the set.
    ///
    /// @param tools of all servers
    ServerSnapshot snapshot(List<Catalog.Entry> tools) {
        if (servers.isEmpty()) {
            return ServerSnapshot.of(new UnavailableServer(
                    id, noReplica(), isSwitchedOff() ? ServerStatus.DISABLED : ServerStatus.ERROR));
        }
        List<ServerSnapshot.Tool> own = tools.stream()
                .filter(entry -> entry.server().equals(id))
                .map(entry -> ServerSnapshot.Tool.of(entry.catalogEntry(), entry.shown()))
                .toList();
        return new ServerSnapshot(
                id, null, null, isKnown(), null, health(), own, List.of(), ServerSnapshot.Sharing.none(id));
    }

    /// The health of the healthiest replica.
    private ServerHealth health() {
        List<UpstreamServer> ready = servers.stream()
                .filter(each -> each.isHealthy() && !each.health().status().isDown())
                .toList();
        List<ServerHealth> those = (ready.isEmpty() ? servers : ready)
                .stream().map(UpstreamServer::health).toList();
        ServerHealth best = those.stream()
                .filter(each -> each.status() == ServerStatus.ONLINE)
                .findFirst()
                .orElse(those.getFirst());
        int live = servers.stream().mapToInt(each -> each.health().live()).sum();
        String message = ready.size() + " of " + servers.size() + " replicas can be called";
        return new ServerHealth(id, best.status(), message, false, live, ready.isEmpty() ? best.lastFailure() : null);
    }
}
