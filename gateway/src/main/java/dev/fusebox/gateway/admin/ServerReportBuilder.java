package dev.fusebox.gateway.admin;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.pool.PoolSnapshot;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A builder of server reports from snapshots. Thread-safe; blocks on the storage when a login was not read
/// before.
///
/// @param snapshots supplies snapshots of all servers
public record ServerReportBuilder(Supplier<List<ServerSnapshot>> snapshots, Sources sources) implements ServerReports {
    /// Further data about servers. Immutable.
    ///
    /// @param restarts of a server, by its name
    /// @param pool that the connections belong to: to processes, or to remote servers
    /// @param login to a server, by its name
    public record Sources(
            ToLongFunction<String> restarts,
            Function<Boolean, NamedPool> pool,
            Function<String, Optional<LoginReport>> login) {}

    /// A snapshot of a pool with its name in metrics. Immutable.
    public record NamedPool(String name, PoolSnapshot sight) {}

    @Override
    public List<ServerReport> reports() {
        return snapshots.get().stream().map(this::report).toList();
    }

    private ServerReport report(ServerSnapshot snapshot) {
        ServerSnapshot.StatusMessage statusMessage = snapshot.statusMessage();
        return new ServerReport(
                snapshot.label(),
                statusMessage.status().toString(),
                statusMessage.message(),
                parts(snapshot),
                serverError(snapshot.lastFailure()),
                snapshot.tools(),
                snapshot.failedLists(),
                load(snapshot.pipeline()),
                history(snapshot),
                slots(snapshot.health()),
                sources.login().apply(snapshot.id()).orElse(null),
                snapshot.sharing());
    }

    private ServerReport.@Nullable History history(ServerSnapshot snapshot) {
        CallPipeline pipeline = snapshot.pipeline();
        return pipeline == null
                ? null
                : new ServerReport.History(
                        pipeline.failures(), sources.restarts().applyAsLong(snapshot.id()));
    }

    private ServerReport.@Nullable PoolState slots(@Nullable ServerHealth health) {
        if (health == null) {
            return null;
        }
        NamedPool pool = sources.pool().apply(health.isProcess());
        return new ServerReport.PoolState(pool.name(), health.live(), pool.sight());
    }

    private static List<ServerReport.PartState> parts(ServerSnapshot snapshot) {
        ServerHealth health = snapshot.health();
        if (health == null) {
            return List.of();
        }
        CallPipeline pipeline = snapshot.pipeline();
        List<ServerReport.PartState> parts = new ArrayList<>();
        add(parts, "process", health.process());
        add(parts, "connection", health.connection(pipeline == null ? 0 : pipeline.inFlight()));
        add(parts, "auth", health.status() == ServerStatus.REQUIRES_REAUTH ? "required" : null);
        return parts;
    }

    private static void add(List<ServerReport.PartState> parts, String part, @Nullable String state) {
        if (state != null) {
            parts.add(new ServerReport.PartState(part, state));
        }
    }

    private static ServerReport.@Nullable ServerError serverError(@Nullable CallFailure failure) {
        return failure == null
                ? null
                : new ServerReport.ServerError(
                        failure.code().toString(),
                        failure.message(),
                        failure.id().id());
    }

    private static ServerReport.@Nullable Load load(@Nullable CallPipeline pipeline) {
        return pipeline == null ? null : new ServerReport.Load(pipeline.inFlight(), pipeline.waiting());
    }
}
