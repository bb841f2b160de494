package dev.fusebox.gateway;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.admin.AdminControls;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.platform.FuseboxCommand;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The operator's controls of a running gateway's servers. Thread-safe; [#apply] blocks until the result is known.
///
/// @param switching enables or disables a server
/// @param logins are told of logins that commands have made
record GatewayControls(UpstreamServers servers, Breakers breakers, Switching switching, ServerLogins logins)
        implements AdminControls {
    /// Enables and disables servers.
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
            case LOGIN -> loggedIn(server);
            case LOGOUT -> loggedOut(server);
            case ENABLE -> switching.to(server, true);
            case DISABLE -> switching.to(server, false);
        };
    }

    /// Resets the server's breaker, because its failures belong to the old process. A forced-open breaker stays
    /// open and prevents the restart.
    private Result restart(String server) throws InterruptedException {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        breakers.find(BreakerName.of(server)).ifPresent(CircuitBreaker::reset);
        return resultOf(server, servers.restart(server));
    }

    private static Result held(String server) {
        return new Result.HeldByOperator("the breaker of " + server + " is forced open; reset it first with" + " `"
                + FuseboxCommand.onGateway("breaker", "reset", server) + "`");
    }

    private Result connect(String server) throws InterruptedException {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        ServerHealth health = servers.connect(server);
        return health != null && isIn(State.OPEN, server)
                ? failed(server, server + " is still down: " + cause(health))
                : resultOf(server, health);
    }

    private Result loggedIn(String server) throws InterruptedException {
        ServerHealth health = servers.loggedIn(server);
        if (health != null) {
            logins.noteLogin(server);
        }
        return resultOf(server, health);
    }

    private Result loggedOut(String server) {
        return servers.loggedOut(server)
                ? new Result.Done("the login of " + server + " is not used any more")
                : notCallable(server);
    }

    /// Skipped while a call is running, as the gateway's own health checks are: a server that handles one request
    /// at a time would not answer in time.
    private Result ping(String server) {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        if (servers.isAtWork(server)) {
            return new Result.Busy(server + " is busy with a call; ping skipped");
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

    private Result resultOf(String server, @Nullable ServerHealth health) {
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
                message + "; `" + FuseboxCommand.onFile("doctor", server, "--fresh") + "` shows how to fix it");
    }

    /// The observed failure, which is more precise than the status message.
    private static String cause(ServerHealth health) {
        CallFailure seen = health.lastFailure();
        return seen == null ? health.message() : seen.message();
    }

    private Result notCallable(String server) {
        Optional<CallFailure> trouble = servers.snapshots().stream()
                .filter(snapshot -> snapshot.id().equals(server))
                .map(ServerSnapshot::failure)
                .filter(Objects::nonNull)
                .findFirst();
        String message = trouble.map(CallFailure::message)
                .orElse(server + " is not available; `" + FuseboxCommand.of("status") + "` shows why");
        boolean isDisabled = trouble.map(CallFailure::code)
                .filter(ErrorCode.SERVER_DISABLED::equals)
                .isPresent();
        return isDisabled ? new Result.HeldByOperator(message) : new Result.NotPossible(message);
    }
}
