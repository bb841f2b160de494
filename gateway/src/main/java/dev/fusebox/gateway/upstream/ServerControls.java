package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.platform.Platform;
import java.time.Duration;

/// What an operator can do to a member. Thread-safe; blocks until it is known how the server is then, for as long
/// as a server may take.
final class ServerControls {
    private final Platform platform;
    private final ServerRuntime runtime;
    private final GatewayRequests requests;
    private final ServerCatalog catalog;

    /// Held from when a connection is ended until it is said what for.
    private final Object restarting = new Object();

    ServerControls(Platform platform, ServerRuntime runtime, GatewayRequests requests, ServerCatalog catalog) {
        this.platform = platform;
        this.runtime = runtime;
        this.requests = requests;
        this.catalog = catalog;
    }

    /// Ends its connection and opens another; what went wrong before is forgotten.
    ServerHealth restart() throws InterruptedException {
        ServerGeneration generation = runtime.generation();
        synchronized (restarting) {
            generation.endpoint().startOver();
            generation.lifecycle().command("restart requested", true);
            // Last: a reading that began before this command would prove nothing about what it leads to.
            catalog.anew();
        }
        return settled(generation);
    }

    /// Opens a connection if there is none, and reads what the server offers. If it counts as down, that is the
    /// probe, and nothing else happens if that fails.
    ServerHealth connect() throws InterruptedException {
        ServerGeneration now = runtime.generation();
        CallPipeline pipeline = now.settings().pipeline();
        pipeline.endCooldown();
        boolean isGivenUp = now.lifecycle().closedDoor() != null;
        if (!isGivenUp && !pipeline.isHealthy() && !answersPing()) {
            return health();
        }
        now.lifecycle().command("connection requested", false);
        ServerHealth settled = settled(now);
        // Reading lists proves nothing to a breaker.
        return pipeline.isHealthy() || !answersPing() ? settled : health();
    }

    private boolean answersPing() {
        return requests.ping() instanceof Outcome.Answered;
    }

    /// A server that becomes another meanwhile is started as that.
    private ServerHealth settled(ServerGeneration first) throws InterruptedException {
        Duration limit = first.connectLimit().plus(runtime.rules().timeout());
        Deadline deadline = new Deadline(limit, Duration.ZERO, platform.ticker());
        ServerGeneration generation = first;
        boolean goesOn = true;
        while (goesOn && deadline.left() > 0) {
            boolean isSettled = generation.lifecycle().awaitSettled(deadline);
            ServerGeneration now = runtime.latest();
            goesOn = isSettled && (!now.equals(generation) || isRestarting(generation));
            generation = now;
        }
        return health();
    }

    /// What another restart has ended looks settled until it has said what for.
    private boolean isRestarting(ServerGeneration generation) {
        synchronized (restarting) {
            return !generation.lifecycle().isSettled();
        }
    }

    private ServerHealth health() {
        return runtime.lifecycle().health();
    }
}
