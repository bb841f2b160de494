package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.gateway.stateless.Dress;
import dev.fusebox.gateway.stateless.EraTarget;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Does for the life of a member what is due. Thread-safe; only [#asked] blocks, for as long as a server may take.
final class Upkeep implements Line.Owner {
    private final Member member;
    private final Shelf shelf;
    private final World world;
    private final Dress dress = Dress.ofGateway();

    /// Whether there is a connection on which nothing was read yet.
    private final AtomicBoolean fresh = new AtomicBoolean();

    Upkeep(Member member, Shelf shelf, World world) {
        this.member = member;
        this.shelf = shelf;
        this.world = world;
    }

    /// Even if no client asks for lists: what a tool takes, and whether it only reads, has to be known to call it.
    @Override
    public void read() {
        shelf.refresh();
    }

    @Override
    public void connected() {
        fresh.set(true);
        shelf.refresh();
    }

    /// What the server offers was read: whether that was the first time on this connection.
    boolean noteReading() {
        return fresh.compareAndSet(true, false);
    }

    /// A server that works on a call is not sick, though it may answer nothing else meanwhile.
    @Override
    public void poll() {
        boolean isUp = !member.condition().status().isDown();
        boolean isBusy = isUp && member.inside() > 0;
        if (!isBusy) {
            Thread.ofVirtual().name("fusebox-poll").start(() -> member.inside(this::asked));
        }
    }

    @Override
    public boolean isReading() {
        return !shelf.isIdle();
    }

    /// Asks the server whether it is there, as a call that may be the probe.
    Outcome asked(Terms now) {
        Message.Request request = dress.on(EraTarget.question());
        Duration limit = now.rules().timeout().plus(now.line().connectLimit());
        Call call = new Call(request, new Patience(limit, Duration.ZERO, world.ticker()), Caller.SILENT);
        Outcome outcome = now.way()
                .call(new LaneCall(call, LaneCall.Kind.READING, member, attempt -> answered(now.line(), attempt)));
        now.line().life().polled(outcome);
        return outcome;
    }

    /// What a server said when hands were shaken proves nothing now.
    private Outcome answered(Line line, Call attempt) {
        Outcome greeted = line.target().call(attempt, member.asOurs(attempt.request()));
        boolean isFelt = greeted instanceof Outcome.Failed || line.isThere();
        return isFelt
                ? greeted
                : new Outcome.Failed(
                        Fault.timeout(member.id() + " did not answer when it was asked whether it is there"));
    }
}
