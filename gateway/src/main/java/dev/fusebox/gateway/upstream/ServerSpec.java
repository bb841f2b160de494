package dev.fusebox.gateway.upstream;

import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.catalog.CacheKey;
import dev.fusebox.gateway.pool.PoolPolicy;
import dev.fusebox.gateway.session.FrontTarget;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// The specification of a server to be created. Immutable.
///
/// @param key its key in the catalog cache
/// @param frontTarget how to reach it
/// @param pipeline creates its call pipeline, after that of a previous server with the same id is gone, for the
/// number of the server among those of this id
/// @param rules for its calls
/// @param life its lifecycle settings
/// @param poolPolicy its use of the connection pool
/// @param whenClosed releases what only this server has used; must not block
/// @param reloadLogin reads its stored login again
public record ServerSpec(
        CacheKey key,
        FrontTarget frontTarget,
        IntFunction<CallPipeline> pipeline,
        ServerPolicy rules,
        LifecycleSettings life,
        PoolPolicy poolPolicy,
        Runnable whenClosed,
        Runnable reloadLogin) {
    /// A server that is not cached and whose connections are not pooled.
    public ServerSpec(
            FrontTarget frontTarget, Supplier<CallPipeline> pipeline, ServerPolicy rules, LifecycleSettings life) {
        this(CacheKey.NONE, frontTarget, _ -> pipeline.get(), rules, life, PoolPolicy.FREE, () -> {}, () -> {});
    }

    /// The same server with pooled connections.
    public ServerSpec with(PoolPolicy other) {
        return new ServerSpec(key, frontTarget, pipeline, rules, life, other, whenClosed, reloadLogin);
    }

    /// The same server with this cache key.
    public ServerSpec as(CacheKey other) {
        return new ServerSpec(other, frontTarget, pipeline, rules, life, poolPolicy, whenClosed, reloadLogin);
    }
}
