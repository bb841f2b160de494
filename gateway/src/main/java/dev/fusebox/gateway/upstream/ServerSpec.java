package dev.fusebox.gateway.upstream;

import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.gateway.pool.PoolPolicy;
import dev.fusebox.gateway.session.FrontTarget;
import java.util.function.Supplier;

/// A server that joins the others. Immutable.
///
/// @param key what the cache knows it by
/// @param frontTarget how to reach it
/// @param pipeline makes the only way to it, when the one of whoever had its name before has gone
/// @param rules of its calls
/// @param life how it is kept alive
/// @param poolPolicy where its connections have their seats
/// @param whenClosed lets go of what only it has used; must not block
public record ServerSpec(
        CacheKey key,
        FrontTarget frontTarget,
        Supplier<CallPipeline> pipeline,
        ServerPolicy rules,
        LifecycleSettings life,
        PoolPolicy poolPolicy,
        Runnable whenClosed) {
    /// One that leaves nothing behind, that nobody remembers, and whose connections are not counted.
    public ServerSpec(
            FrontTarget frontTarget, Supplier<CallPipeline> pipeline, ServerPolicy rules, LifecycleSettings life) {
        this(CacheKey.NONE, frontTarget, pipeline, rules, life, PoolPolicy.FREE, () -> {});
    }

    /// The same with seats.
    public ServerSpec with(PoolPolicy other) {
        return new ServerSpec(key, frontTarget, pipeline, rules, life, other, whenClosed);
    }

    /// The same, known to the cache by this.
    public ServerSpec as(CacheKey other) {
        return new ServerSpec(other, frontTarget, pipeline, rules, life, poolPolicy, whenClosed);
    }
}
