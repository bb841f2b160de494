package dev.fusebox.gateway;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.State;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.admin.AdminControls;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.upstream.ServerControls;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.FuseboxCommand;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The operator's controls of a running gateway's servers. Thread-safe; [#apply] blocks until the result is known.
///
/// @param everywhere the servers of all workspaces, those of the gateway itself first
/// @param switching enables or disables a server
/// @param logins are told of logins that commands have made
record GatewayControls(
        Supplier<List<UpstreamServers>> everywhere, Breakers breakers, Switching switching, ServerLogins logins)
        implements AdminControls {
    /// Enables and disables servers.
    @FunctionalInterface
    interface Switching {
        Result to(String server, boolean isOn);
    }

    @Override
    public void awaitFirstLists() throws InterruptedException {
        everywhere.get().getFirst().readFirstLists();
    }

    @Override
    public Result apply(String server, Action action) throws InterruptedException {
        return switch (action) {
            case RESTART -> restart(server);
            case CONNECT -> connect(server);
            case PING -> ping(server);
            case LOGIN -> loggedIn(server);
            case LOGOUT -> loggedOut(server);
            case ENABLE -> switched(server, true);
            case DISABLE -> switched(server, false);
        };
    }

    private Result switched(String server, boolean isOn) {
        ServerLabel label = ServerLabel.of(server);
        String action = isOn ? "enable" : "disable";
        return label.isFurther()
                ? new Result.NotPossible("cannot " + action + " " + server + " alone; " + action + " " + label.server()
                        + ", which concerns all clients")
                : switching.to(server, isOn);
    }

    /// Resets the server's breaker, because its failures belong to the old process. A forced-open breaker stays
    /// open and prevents the restart.
    private Result restart(String server) throws InterruptedException {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        named(server)
                .forEach(each -> breakers.find(BreakerName.of(each.label())).ifPresent(CircuitBreaker::reset));
        return resultOf(server, onEach(server, ServerControls::restart));
    }

    /// The servers of this name or label, each once.
    private List<UpstreamServer> named(String server) {
        return everywhere.get().stream()
                .flatMap(servers -> servers.servers().stream())
                .filter(each -> each.id().equals(server) || each.label().equals(server))
                .distinct()
                .toList();
    }

    /// A command for one server.
    private interface Command {
        ServerHealth run(ServerControls controls) throws InterruptedException;
    }

    /// The state of the first one afterwards; null if there is none that can be called.
    private @Nullable ServerHealth onEach(String server, Command command) throws InterruptedException {
        ServerHealth first = null;
        for (UpstreamServer each : named(server)) {
            ServerHealth health = command.run(each.controls());
            first = first == null ? health : first;
        }
        return first;
    }

    private static Result held(String server) {
        return new Result.HeldByOperator("the breaker of " + server + " is forced open; reset it first with" + " `"
                + FuseboxCommand.onGateway("breaker", "reset", server) + "`");
    }

    private Result connect(String server) throws InterruptedException {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        ServerHealth health = onEach(server, ServerControls::connect);
        return health != null && isIn(State.OPEN, server)
                ? failed(server, server + " is still down: " + cause(health))
                : resultOf(server, health);
    }

    private Result loggedIn(String server) throws InterruptedException {
        ServerHealth health = onEach(server, ServerControls::loggedIn);
        if (health != null) {
            logins.noteLogin(server);
        }
        return resultOf(server, health);
    }

    private Result loggedOut(String server) {
        List<UpstreamServer> all = named(server);
        all.forEach(each -> each.controls().loggedOut());
        return !all.isEmpty()
                ? new Result.Done("the login of " + server + " is not used any more")
                : notCallable(server);
    }

    /// Skipped while a call is running, as the gateway's own health checks are: a server that handles one request
    /// at a time would not answer in time.
    private Result ping(String server) {
        if (isIn(State.FORCED_OPEN, server)) {
            return held(server);
        }
        List<UpstreamServer> all = named(server);
        if (all.stream().anyMatch(each -> each.calls().isWorking())) {
            return new Result.Busy(server + " is busy with a call; ping skipped");
        }
        if (all.isEmpty()) {
            return notCallable(server);
        }
        return switch (all.getFirst().ping()) {
            case Outcome.Answered answered -> new Result.Done(server + " answered");
            case Outcome.Failed(CallFailure failure) -> new Result.Failed(failure.message());
        };
    }

    private boolean isIn(State state, String server) {
        return named(server).stream()
                .flatMap(each -> breakers.find(BreakerName.of(each.label())).stream())
                .anyMatch(breaker -> breaker.state() == state);
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
        Optional<CallFailure> trouble = everywhere.get().stream()
                .flatMap(servers -> servers.snapshots().stream())
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
