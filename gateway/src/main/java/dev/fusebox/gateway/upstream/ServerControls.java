package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.platform.Platform;
import java.time.Duration;

/// An operator's commands for one server. Thread-safe; blocks until the resulting state is known, for as long
/// as the server may take.
public final class ServerControls {
    private final Platform platform;
    private final ServerRuntime runtime;
    private final GatewayRequests requests;
    private final ServerCatalog catalog;

    /// Held from the end of a connection until the reason for it is set.
    private final Object restarting = new Object();

    ServerControls(Platform platform, ServerRuntime runtime, GatewayRequests requests, ServerCatalog catalog) {
        this.platform = platform;
        this.runtime = runtime;
        this.requests = requests;
        this.catalog = catalog;
    }

    /// Ends the connection and opens a new one; earlier failures are reset.
    public ServerHealth restart() throws InterruptedException {
        ServerGeneration generation = runtime.generation();
        synchronized (restarting) {
            generation.endpoint().startOver();
            generation.lifecycle().command("restart requested", true);
            // Last: a reading that began before this command would prove nothing about its result.
            catalog.invalidate();
        }
        return settled(generation);
    }

    /// Opens a connection if there is none, and reads the lists. If the server counts as down, this is the
    /// probe, and a failure has no further effect.
    public ServerHealth connect() throws InterruptedException {
        ServerGeneration now = runtime.generation();
        CallPipeline pipeline = now.settings().pipeline();
        pipeline.endCooldown();
        boolean isGivenUp = now.lifecycle().rejection() != null;
        if (!isGivenUp && !pipeline.isHealthy() && !answersPing()) {
            return health();
        }
        now.lifecycle().command("connection requested", false);
        ServerHealth settled = settled(now);
        // A catalog reading does not count as a success for the breaker.
        return pipeline.isHealthy() || !answersPing() ? settled : health();
    }

    /// Reads the login of the server again, and connects with it. A failure of the login trips no breaker.
    public ServerHealth loggedIn() throws InterruptedException {
        ServerGeneration now = runtime.generation();
        now.reloadLogin();
        now.lifecycle().loggedIn();
        return settled(now);
    }

    /// Reads the login of the server again: there is none any more.
    public void loggedOut() {
        runtime.generation().reloadLogin();
    }

    private boolean answersPing() {
        return requests.ping() instanceof Outcome.Answered;
    }

    /// If the configuration changes meanwhile, the new generation is started instead.
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

    /// A generation that another restart has ended looks settled until the reason is set.
    private boolean isRestarting(ServerGeneration generation) {
        synchronized (restarting) {
            return !generation.lifecycle().isSettled();
        }
    }

    private ServerHealth health() {
        return runtime.lifecycle().health();
    }
}
