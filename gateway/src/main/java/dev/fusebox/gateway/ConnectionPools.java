package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.PoolConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.admin.ServerReportBuilder;
import dev.fusebox.gateway.pool.Pool;
import dev.fusebox.gateway.pool.PoolPolicy;
import dev.fusebox.gateway.pool.PoolSizing;
import dev.fusebox.gateway.pool.PoolSnapshot;
import dev.fusebox.platform.Platform;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The connection pools of a gateway, created once and kept over configuration reloads. Thread-safe; nothing
/// blocks.
///
/// @param processes pool of connections to child processes
/// @param remotes pool of connections to remote servers
/// @param sizing size of the process pool
public record ConnectionPools(Pool processes, Pool remotes, PoolSizing sizing) implements AutoCloseable {
    private static final String PROCESSES = "processes";
    private static final String REMOTES = "remote_sessions";

    /// Opens the pools of a configuration.
    public static ConnectionPools open(Platform platform, Configuration configuration) {
        PoolConfig config = configuration.pool();
        Pool processes = new Pool(platform, "pool.poolSize", config.processes());
        Pool remotes = new Pool(platform, "pool.maxRemoteSessions", config.remotes());
        ConnectionPools connectionPools = new ConnectionPools(processes, remotes, new PoolSizing(platform, processes));
        connectionPools.update(configuration);
        return connectionPools;
    }

    private void share(List<ServerConfig> servers) {
        List<ServerConfig> ready = servers.stream()
                .filter(server -> server.state() instanceof ServerState.Ready)
                .toList();
        int local = (int) ready.stream().filter(ServerConfig::isProcess).count();
        processes.share(local);
        remotes.share(ready.size() - local);
    }

    /// The pool policy of this server.
    PoolPolicy poolPolicy(ServerConfig server) {
        return new PoolPolicy(
                server.isProcess() ? processes : remotes, server.presence().idlePolicy());
    }

    void update(Configuration configuration) {
        PoolConfig config = configuration.pool();
        sizing.follow(new PoolSizing.Bounds(config.processes(), config.memory(), least(configuration)));
        remotes.update(config.remotes());
        share(configuration.servers());
    }

    /// Places for servers whose connections are never closed to make room, however large they are.
    private static int least(Configuration configuration) {
        long kept = configuration.servers().stream()
                .filter(ServerConfig::isProcess)
                .filter(server -> server.presence().idlePolicy() instanceof IdlePolicy.KeepAlive)
                .count();
        return Math.toIntExact(
                Math.max(kept, configuration.pool().processes().idleRules().least()));
    }

    /// Pool snapshots by their names in metrics.
    Map<String, PoolSnapshot> snapshots() {
        Map<String, PoolSnapshot> sights = new LinkedHashMap<>();
        sights.put(PROCESSES, processes.snapshot());
        sights.put(REMOTES, remotes.snapshot());
        return sights;
    }

    /// The snapshot of the pool for this kind of connections.
    ServerReportBuilder.NamedPool snapshot(boolean toProcesses) {
        return toProcesses
                ? new ServerReportBuilder.NamedPool(PROCESSES, processes.snapshot())
                : new ServerReportBuilder.NamedPool(REMOTES, remotes.snapshot());
    }

    @Override
    public void close() {
        sizing.close();
        processes.close();
        remotes.close();
    }
}
