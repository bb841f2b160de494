package dev.fusebox.gateway.admin;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.crowd.Sight;
import dev.fusebox.gateway.errors.ErrorClassifier;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.pool.PoolSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// What is seen of servers, as reports. Thread-safe; nothing blocks.
///
/// @param seen all servers at this moment
public record ServerReportBuilder(Supplier<List<Sight>> seen, Beside beside) implements ServerReports {
    /// What is known of servers elsewhere. Immutable.
    ///
    /// @param restarts of a server, by its name
    /// @param pool whose connections a server's are among: of those to processes, or of those to servers elsewhere
    public record Beside(ToLongFunction<String> restarts, Function<Boolean, NamedPool> pool) {}

    /// A pool at this moment, and what metrics call it. Immutable.
    public record NamedPool(String name, PoolSnapshot sight) {}

    @Override
    public List<ServerReport> reports() {
        return seen.get().stream().map(this::report).toList();
    }

    private ServerReport report(Sight sight) {
        Sight.Words words = sight.words();
        return new ServerReport(
                sight.id(),
                words.status().toString(),
                words.message(),
                parts(sight),
                trouble(sight.lastFailure()),
                sight.tools(),
                sight.failedLists(),
                load(sight.pipeline()),
                past(sight),
                seats(sight.health()));
    }

    private ServerReport.@Nullable Past past(Sight sight) {
        CallPipeline pipeline = sight.pipeline();
        return pipeline == null
                ? null
                : new ServerReport.Past(pipeline.failures(), beside.restarts().applyAsLong(sight.id()));
    }

    private ServerReport.@Nullable Seats seats(@Nullable ServerHealth health) {
        if (health == null) {
            return null;
        }
        NamedPool pool = beside.pool().apply(health.isProcess());
        return new ServerReport.Seats(pool.name(), health.live(), pool.sight());
    }

    private static List<ServerReport.PartState> parts(Sight sight) {
        ServerHealth health = sight.health();
        if (health == null) {
            return List.of();
        }
        CallPipeline pipeline = sight.pipeline();
        List<ServerReport.PartState> parts = new ArrayList<>();
        add(parts, "process", health.process());
        add(parts, "connection", health.connection(pipeline == null ? 0 : pipeline.inside()));
        add(parts, "auth", health.status() == ServerStatus.REQUIRES_REAUTH ? "required" : null);
        return parts;
    }

    private static void add(List<ServerReport.PartState> parts, String part, @Nullable String state) {
        if (state != null) {
            parts.add(new ServerReport.PartState(part, state));
        }
    }

    private static ServerReport.@Nullable Trouble trouble(@Nullable CallFailure failure) {
        return failure == null
                ? null
                : new ServerReport.Trouble(
                        failure.code().toString(),
                        failure.message(),
                        ErrorClassifier.of(failure).id());
    }

    private static ServerReport.@Nullable Load load(@Nullable CallPipeline pipeline) {
        return pipeline == null ? null : new ServerReport.Load(pipeline.inside(), pipeline.waiting());
    }
}
