package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.platform.Platform;
import java.time.Duration;

/// What an operator can do to a member. Thread-safe; blocks until it is known how the server is then, for as long
/// as a server may take.
final class MemberControls {
    private final Platform platform;
    private final Footing footing;
    private final OwnRequests requests;
    private final Shelf shelf;

    /// Held from when a connection is ended until it is said what for.
    private final Object restarting = new Object();

    MemberControls(Platform platform, Footing footing, OwnRequests requests, Shelf shelf) {
        this.platform = platform;
        this.footing = footing;
        this.requests = requests;
        this.shelf = shelf;
    }

    /// Ends its connection and opens another; what went wrong before is forgotten.
    ServerHealth restart() throws InterruptedException {
        Line line = footing.line();
        synchronized (restarting) {
            line.endpoint().startOver();
            line.lifecycle().command("restart requested", true);
            // Last: a reading that began before this command would prove nothing about what it leads to.
            shelf.anew();
        }
        return settled(line);
    }

    /// Opens a connection if there is none, and reads what the server offers. If it counts as down, that is the
    /// probe, and nothing else happens if that fails.
    ServerHealth connect() throws InterruptedException {
        Terms now = footing.terms();
        now.pipeline().endCooldown();
        boolean isGivenUp = now.line().lifecycle().closedDoor() != null;
        if (!isGivenUp && !now.pipeline().isHealthy() && !answersPing()) {
            return health();
        }
        now.line().lifecycle().command("connection requested", false);
        ServerHealth settled = settled(now.line());
        // Reading lists proves nothing to a breaker.
        return now.pipeline().isHealthy() || !answersPing() ? settled : health();
    }

    private boolean answersPing() {
        return requests.ping() instanceof Outcome.Answered;
    }

    /// A server that becomes another meanwhile is started as that.
    private ServerHealth settled(Line first) throws InterruptedException {
        Duration limit = first.connectLimit().plus(footing.rules().timeout());
        Deadline deadline = new Deadline(limit, Duration.ZERO, platform.ticker());
        Line line = first;
        boolean goesOn = true;
        while (goesOn && deadline.left() > 0) {
            boolean isSettled = line.lifecycle().awaitSettled(deadline);
            Line now = footing.latest();
            goesOn = isSettled && (!now.equals(line) || isRestarting(line));
            line = now;
        }
        return health();
    }

    /// What another restart has ended looks settled until it has said what for.
    private boolean isRestarting(Line line) {
        synchronized (restarting) {
            return !line.lifecycle().isSettled();
        }
    }

    private ServerHealth health() {
        return footing.lifecycle().health();
    }
}
