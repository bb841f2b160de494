package dev.fusebox.cli;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.admin.AdminControls;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.UpstreamServers;
import dev.fusebox.platform.FuseboxCommand;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What an operator can do to the servers of a running gateway. Thread-safe; [#apply] blocks until it is known how
/// the server is then.
///
/// @param switching switches a server on or off
record GatewayControls(UpstreamServers servers, Breakers breakers, Switching switching) implements AdminControls {
    /// Switches servers on and off.
    @FunctionalInterface
    interface Switching {
        Result to(String server, boolean isOn);
    }

    @Override
    public void awaitFirstLists() throws InterruptedException {
        servers.readFirstLists();
    }

    @Override
    public Result apply(String server, Action action) throws InterruptedException {
        return switch (action) {
            case RESTART -> restart(server);
            case CONNECT -> connect(server);
            case PING -> ping(server);
            case ENABLE -> switching.to(server, true);
            case DISABLE -> switching.to(server, false);
        };
    }

    /// Whoever starts a server anew does not want to wait for what was known of the old one; but what an operator
    /// keeps from calls stays so until an operator says otherwise, and is not connected to.
    private Result restart(String server) throws InterruptedException {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        breakers.find(BreakerName.of(server)).ifPresent(CircuitBreaker::reset);
        return told(server, servers.restart(server));
    }

    private static Result held(String server) {
        return new Result.Withheld("the breaker of " + server + " is kept open by an operator; close it first with"
                + " `" + FuseboxCommand.onGateway("breaker", "reset", server) + "`");
    }

    private Result connect(String server) throws InterruptedException {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        ServerHealth health = servers.connect(server);
        return health != null && isIn(State.OPEN, server)
                ? failed(server, server + " is still down: " + cause(health))
                : told(server, health);
    }

    /// Like our own: a server that does one thing at a time would be called sick by whoever asks often.
    private Result ping(String server) {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        if (servers.isAtWork(server)) {
            return new Result.Busy(server + " works on a call, and is not asked meanwhile");
        }
        return switch (servers.ping(server)) {
            case null -> notCallable(server);
            case Outcome.Answered answered -> new Result.Done(server + " answered");
            case Outcome.Failed(CallFailure failure) -> new Result.Failed(failure.message());
        };
    }

    private boolean isIn(State state, String server) {
        return breakers.find(BreakerName.of(server))
                .map(breaker -> breaker.state() == state)
                .orElse(false);
    }

    private Result told(String server, @Nullable ServerHealth health) {
        if (health == null) {
            return notCallable(server);
        }
        String message = server + " is " + health.status() + ": ";
        return health.live() > 0 && !health.status().isDown()
                ? new Result.Done(message + health.message())
                : failed(server, message + cause(health));
    }

    private static Result failed(String server, String message) {
        return new Result.Failed(
                message + "; `" + FuseboxCommand.onFile("doctor", server, "--fresh") + "` says what mends it");
    }

    /// What its status means is known to whoever reads the status; what was seen is not.
    private static String cause(ServerHealth health) {
        CallFailure seen = health.lastFailure();
        return seen == null ? health.message() : seen.message();
    }

    private Result notCallable(String server) {
        Optional<CallFailure> trouble = servers.snapshots().stream()
                .filter(snapshot -> snapshot.id().equals(server))
                .map(ServerSnapshot::trouble)
                .filter(Objects::nonNull)
                .findFirst();
        String message = trouble.map(CallFailure::message)
                .orElse(server + " cannot be called as it is configured; `" + FuseboxCommand.of("status")
                        + "` says why");
        boolean isDisabled = trouble.map(CallFailure::code)
                .filter(ErrorCode.SERVER_DISABLED::equals)
                .isPresent();
        return isDisabled ? new Result.Withheld(message) : new Result.NotPossible(message);
    }
}
