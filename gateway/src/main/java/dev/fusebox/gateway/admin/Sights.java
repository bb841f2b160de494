package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import dev.fusebox.client.Category;
import dev.fusebox.client.Fault;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.gateway.crowd.Sight;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What lanes, shelves and breakers know of servers, as reports. Thread-safe; nothing blocks.
///
/// @param seen all servers at this moment
public record Sights(Supplier<List<Sight>> seen, Breakers breakers) implements ServerList {
    @Override
    public List<ServerReport> reports() {
        return seen.get().stream().map(this::report).toList();
    }

    private ServerReport report(Sight sight) {
        List<ServerReport.Tool> tools = sight.tools().stream()
                .map(tool -> new ServerReport.Tool(tool.own(), tool.shown(), tool.description()))
                .toList();
        Words words = words(sight);
        return new ServerReport(
                sight.id(),
                words.status(),
                words.message(),
                List.of(),
                trouble(sight.trouble()),
                tools,
                load(sight.lane()));
    }

    /// A status in one word and for people.
    private record Words(String status, String message) {}

    private Words words(Sight sight) {
        State state = breakers.find(BreakerName.of(sight.id()))
                .map(CircuitBreaker::state)
                .orElse(State.CLOSED);
        Fault trouble = sight.trouble();
        if (sight.absent() != null) {
            return new Words(sight.absent(), trouble == null ? "cannot be called" : trouble.message());
        }
        return switch (state) {
            case OPEN -> new Words("offline", "counts as down: its breaker is open");
            case FORCED_OPEN -> new Words("offline", "kept from calls by an operator");
            case HALF_OPEN -> new Words("offline", "is being tried out again after it was down");
            case CLOSED, DISABLED -> working(sight.known(), trouble);
        };
    }

    private static Words working(boolean isKnown, @Nullable Fault trouble) {
        if (trouble != null) {
            boolean wantsLogin = trouble.category() == Category.AUTH;
            return new Words(wantsLogin ? "requires_reauth" : "offline", trouble.message());
        }
        return isKnown
                ? new Words("online", "has said what it offers, and nothing is known to be wrong")
                : new Words("idle", "ready; its first call connects to it");
    }

    private static ServerReport.@Nullable Trouble trouble(@Nullable Fault fault) {
        return fault == null ? null : new ServerReport.Trouble(fault.code().toString(), fault.message());
    }

    private static ServerReport.@Nullable Load load(@Nullable Lane lane) {
        return lane == null ? null : new ServerReport.Load(lane.inside(), lane.waiting());
    }
}
