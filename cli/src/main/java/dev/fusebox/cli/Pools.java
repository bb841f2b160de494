package dev.fusebox.cli;

import dev.fusebox.gateway.admin.Sights;
import dev.fusebox.gateway.config.PoolConfig;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.gateway.pool.PoolSight;
import dev.fusebox.gateway.pool.Seating;
import dev.fusebox.world.World;
import java.util.LinkedHashMap;
import java.util.Map;

/// Where all connections of a gateway have their seats: made once, whatever becomes of its configuration. Thread-safe;
/// nothing blocks.
///
/// @param processes those to processes of ours
/// @param remotes those to servers elsewhere
record Pools(Pool processes, Pool remotes) implements AutoCloseable {
    private static final String PROCESSES = "processes";
    private static final String REMOTES = "remote_sessions";

    static Pools open(World world, PoolConfig config) {
        return new Pools(
                new Pool(world, "pool.poolSize", config.processes()),
                new Pool(world, "pool.maxRemoteSessions", config.remotes()));
    }

    /// Where this server's connections have theirs.
    Seating seating(ServerConfig server) {
        return new Seating(
                server.isProcess() ? processes : remotes, server.presence().stay());
    }

    void become(PoolConfig config) {
        processes.become(config.processes());
        remotes.become(config.remotes());
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
