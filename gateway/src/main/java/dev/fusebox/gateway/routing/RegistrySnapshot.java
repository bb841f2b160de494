package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamServer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The servers of the registry at one moment. Immutable.
///
/// @param servers those that can be called, in the order of the configuration
/// @param unavailableServers those that cannot
/// @param replicaSets groups of equal servers
record RegistrySnapshot(
        Map<String, UpstreamServer> servers,
        Map<String, UnavailableServer> unavailableServers,
        Map<String, ReplicaSet> replicaSets) {
    RegistrySnapshot {
        servers = Collections.unmodifiableMap(servers);
        unavailableServers = Map.copyOf(unavailableServers);
        replicaSets = Collections.unmodifiableMap(replicaSets);
    }

    static RegistrySnapshot of(
            Map<String, UpstreamServer> servers,
            Map<String, UnavailableServer> unavailableServers,
            Map<String, List<String>> replicaSets) {
        Map<String, ReplicaSet> made = new LinkedHashMap<>();
        replicaSets.forEach((id, replicas) -> made.put(
                id,
                new ReplicaSet(
                        id,
                        replicas.stream()
                                .filter(servers::containsKey)
                                .map(servers::get)
                                .toList(),
                        replicas.stream()
                                .filter(unavailableServers::containsKey)
                                .map(unavailableServers::get)
                                .toList())));
        return new RegistrySnapshot(servers, unavailableServers, made);
    }
}
