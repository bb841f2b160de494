package dev.fusebox.cli;

import dev.fusebox.gateway.admin.Sights;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.PoolConfig;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.config.ServerState;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.gateway.pool.PoolSight;
import dev.fusebox.gateway.pool.Seating;
import dev.fusebox.world.World;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where all connections of a gateway have their seats: made once, whatever becomes of its configuration. Thread-safe;
/// nothing blocks.
///
/// @param processes those to processes of ours
/// @param remotes those to servers elsewhere
record Pools(Pool processes, Pool remotes) implements AutoCloseable {
    private static final String PROCESSES = "processes";
    private static final String REMOTES = "remote_sessions";

    static Pools open(World world, Configuration configuration) {
        PoolConfig config = configuration.pool();
        Pools pools = new Pools(
                new Pool(world, "pool.poolSize", config.processes()),
                new Pool(world, "pool.maxRemoteSessions", config.remotes()));
        pools.share(configuration.servers());
        return pools;
    }

    private void share(List<ServerConfig> servers) {
        List<ServerConfig> ready = servers.stream()
                .filter(server -> server.state() instanceof ServerState.Ready)
                .toList();
        int local = (int) ready.stream().filter(ServerConfig::isProcess).count();
        processes.share(local);
        remotes.share(ready.size() - local);
    }

    /// Where this server's connections have theirs.
    Seating seating(ServerConfig server) {
        return new Seating(
                server.isProcess() ? processes : remotes, server.presence().stay());
    }

    void become(Configuration configuration) {
        processes.become(configuration.pool().processes());
        remotes.become(configuration.pool().remotes());
        share(configuration.servers());
    }

    /// How they are at this moment, by the names that metrics have for them.
    Map<String, PoolSight> sights() {
        Map<String, PoolSight> sights = new LinkedHashMap<>();
        sights.put(PROCESSES, processes.sight());
        sights.put(REMOTES, remotes.sight());
        return sights;
    }

    /// The one for connections of this kind.
    Sights.NamedPool sight(boolean toProcesses) {
        return toProcesses
                ? new Sights.NamedPool(PROCESSES, processes.sight())
                : new Sights.NamedPool(REMOTES, remotes.sight());
    }

    @Override
    public void close() {
        processes.close();
        remotes.close();
    }
}
