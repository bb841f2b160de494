package dev.fusebox.gateway.crowd;

import dev.fusebox.breaker.Rejection;
import dev.fusebox.breaker.State;
import dev.fusebox.client.Fault;
import dev.fusebox.client.lane.Lane;
import dev.fusebox.gateway.life.Condition;
import dev.fusebox.gateway.life.Status;
import dev.fusebox.gateway.meta.ServerSeen;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Puts what is known of a server into what models are told of it. Pure functions but for the lane that they look at.
final class Glances {
    private Glances() {}

    static ServerSeen of(Sight sight) {
        Lane lane = sight.lane();
        State state = lane == null ? null : lane.state();
        Rejection rejection = lane == null ? null : lane.rejection();
        Fault trouble = trouble(sight);
        boolean isHealthy = state == null || state == State.CLOSED || state == State.DISABLED;
        Condition condition = sight.condition();
        boolean isDown = condition == null || condition.status().isDown();
        String status = condition == null ? absence(sight) : status(condition, isHealthy);
        return new ServerSeen(
                sight.id(),
                status,
                isHealthy || isDown ? message(sight) : "counts as down: its breaker is " + state,
                sight.tools().size(),
                state == null ? null : state.toString(),
                trouble == null ? null : trouble.message(),
                rejection == null ? null : rejection.retryAfter(),
                sight.known(),
                isDown || !isHealthy);
    }

    private static String absence(Sight sight) {
        return Objects.requireNonNullElse(sight.absent(), Status.IDLE).toString();
    }

    private static String status(Condition condition, boolean isHealthy) {
        boolean isAsItSays = isHealthy || condition.status().isDown();
        return (isAsItSays ? condition.status() : Status.OFFLINE).toString();
    }

    private static String message(Sight sight) {
        Condition condition = sight.condition();
        Fault trouble = sight.trouble();
        if (condition != null) {
            return condition.message();
        }
        return trouble == null ? "cannot be called" : trouble.message();
    }

    private static @Nullable Fault trouble(Sight sight) {
        Condition condition = sight.condition();
        Fault last = condition == null ? null : condition.lastFault();
        return last == null ? sight.trouble() : last;
    }
}
