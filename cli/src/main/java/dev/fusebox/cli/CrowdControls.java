package dev.fusebox.cli;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import dev.fusebox.gateway.admin.Controls;
import dev.fusebox.gateway.crowd.Crowd;
import dev.fusebox.gateway.life.Condition;
import org.jspecify.annotations.Nullable;

/// What an operator can do to the servers of a running gateway. Thread-safe; [#apply] blocks until it is known how the
/// server is then.
record CrowdControls(Crowd crowd, Breakers breakers) implements Controls {
    @Override
    public Result apply(String server, Action action) throws InterruptedException {
        return switch (action) {
            case RESTART -> {
                // Whoever starts a server anew does not want to wait for what was known of the old one.
                breakers.find(BreakerName.of(server)).ifPresent(CircuitBreaker::reset);
                yield told(server, crowd.restart(server));
            }
            case CONNECT -> isOpen(server) ? open(server) : told(server, crowd.connect(server));
            case ENABLE, DISABLE -> NONE.apply(server, action);
        };
    }

    private boolean isOpen(String server) {
        return breakers.find(BreakerName.of(server))
                .map(breaker -> breaker.state() == State.OPEN || breaker.state() == State.FORCED_OPEN)
                .orElse(false);
    }

    private static Result open(String server) {
        return new Result.Failed("the breaker of " + server + " is open; close it first with `fusebox breaker reset "
                + server + "`, or wait: its next call is the probe");
    }

    private static Result told(String server, @Nullable Condition condition) {
        if (condition == null) {
            return new Result.NotPossible(server + " cannot be called as it is configured; `fusebox status` says why");
        }
        String message = server + " is " + condition.status() + ": " + condition.message();
        return condition.live() > 0 && !condition.status().isDown()
                ? new Result.Done(message)
                : new Result.Failed(message);
    }
}
