package dev.fusebox.gateway.config;

import dev.fusebox.gateway.pool.IdlePolicy;
import dev.fusebox.gateway.pool.PoolRules;

/// Whether the pool and the servers that are to use it go together. Immutable.
///
/// @param pool where complaints are placed
record PoolCheck(ConfigSection pool, Configuration configuration) {
    void check() {
        PoolRules rules = configuration.pool().processes();
        int servers = configuration.servers().size();
        if (rules.keeping().least() > servers) {
            pool.at(PoolKeys.MIN_POOL_SIZE)
                    .error("is " + rules.keeping().least() + ", and the number of servers is " + servers
                            + "; no more can be kept than there are");
        }
        long kept = configuration.servers().stream()
                .filter(ServerConfig::isProcess)
                .filter(server -> server.presence().idlePolicy() instanceof IdlePolicy.KeepAlive)
                .count();
        if (kept > rules.size()) {
            pool.at(PoolKeys.POOL_SIZE)
                    .error("is " + rules.size() + ", and " + kept
                            + " servers have the lifecycle keep-alive, which are never closed to make room");
        }
    }
}
