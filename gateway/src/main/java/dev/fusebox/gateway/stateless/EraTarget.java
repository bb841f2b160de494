package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Call;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Upstream;
import dev.fusebox.client.lane.Vitals;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.Threads;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A server whose era is found out at its first use, once for all callers. Thread-safe; [#call] blocks.
///
/// Once it is closed nothing is found out any more, and what is being found out ends.
public final class EraTarget implements Target {
    private final World world;
    private final Served served;
    private final AtomicReference<@Nullable Arrival<Finding>> finding = new AtomicReference<>();
    private volatile boolean diesAnyway;
    private final OpenTargets open = new OpenTargets();
    private final Shipyard yard;

    /// What was found out.
    private sealed interface Finding {
        /// The era.
        ///
        /// @param fleet the way on which that was found out, and what is made after it
        record Settled(Fleet fleet, boolean isStateless) implements Finding {}

        record Unreachable(Fault fault) implements Finding {}

        /// For reasons of our own.
        Finding FAILED = new Unreachable(
                Fault.notSent(FaultCode.INTERNAL, "finding out the server's era failed inside of the gateway"));

        /// Nobody shall be called any more.
        Finding CLOSED = new Unreachable(
                Fault.notSent(FaultCode.CANCELLED, "the gateway is ending, or no longer has this server"));
    }

    public EraTarget(World world, Served served, RandomGenerator secrets) {
        this.world = world;
        this.served = served;
        this.yard = new Shipyard(world, served, secrets, open);
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        return switch (find(call.patience(), client)) {
            case null -> new Outcome.Failed(stillAsking(call.patience()));
            case Finding.Unreachable(Fault fault) -> new Outcome.Failed(fault);
            case Finding.Settled settled -> settled.fleet().call(call, client);
        };
    }

    private static Fault stillAsking(Patience patience) {
        return patience.isGivenUp()
                ? Fault.cancelledUnsent()
                : Fault.notSent(FaultCode.TIMEOUT, "the server is still starting; try again in a moment");
    }

    private @Nullable Finding find(Patience patience, Metadata client) {
        if (open.isClosed()) {
            return Finding.CLOSED;
        }
        Arrival<Finding> known = finding.get();
        if (known == null || known.now() instanceof Finding.Unreachable) {
            Arrival<Finding> mine = new Arrival<>();
            if (finding.compareAndSet(known, mine)) {
                Threads.start("fusebox-era", () -> settle(mine, client), () -> mine.bring(Finding.FAILED));
                known = mine;
            } else {
                known = finding.get();
            }
        }
        Finding now = known == null ? null : known.now();
        try {
            return now != null || known == null ? now : patience.await(known, world);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Brings something in any case: whoever waits would wait for ever, and so would all that come later.
    private void settle(Arrival<Finding> arrival, Metadata finder) {
        Finding found = Finding.FAILED;
        try {
            EraProbe probe = new EraProbe(world, yard, finder, diesAnyway);
            found = switch (probe.find()) {
                case EraProbe.Probed.Unreachable(Fault fault) -> new Finding.Unreachable(fault);
                case EraProbe.Probed.Found target -> settled(target, finder);
            };
            diesAnyway = probe.diesAnyway();
        } finally {
            arrival.bring(open.isClosed() ? Finding.CLOSED : found);
        }
    }

    private Finding settled(EraProbe.Probed.Found found, Metadata finder) {
        Fleet.Yard knowing = yard.knowing(found.isStateless());
        Fleet fleet = new Fleet(knowing, served.oversight().sharing(), found.target(), finder);
        return new Finding.Settled(fleet, found.isStateless());
    }

    /// What every server of the stateless era answers.
    public static Message.Request question() {
        String params =
                "{\"_meta\":{\"" + Metadata.VERSION + "\":\"" + Refusal.REVISION + "\",\"" + Metadata.CAPABILITIES
                        + "\":{},\"" + Metadata.INFO + "\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}}";
        return Message.Request.of(Frames.request(RequestId.of("discover"), "server/discover", params));
    }

    static Metadata metadata(Message.Request request) {
        return Objects.requireNonNull(Metadata.of(request), "our own request has its metadata");
    }

    // ---- Guests

    /// A guest tells its own server something.
    public void tell(Guest guest, byte[] notification) {
        Fleet fleet = fleet();
        if (fleet != null) {
            fleet.tell(guest, notification);
        }
    }

    /// What was a guest's alone ends.
    public void left(Guest guest) {
        Fleet fleet = fleet();
        if (fleet != null) {
            fleet.left(guest);
        }
    }

    // ---- What was found

    private Finding.@Nullable Settled settled() {
        Arrival<Finding> known = finding.get();
        return known != null && known.now() instanceof Finding.Settled settled ? settled : null;
    }

    private @Nullable Fleet fleet() {
        Finding.Settled settled = settled();
        return settled == null ? null : settled.fleet();
    }

    private Collection<Berth> all() {
        Fleet fleet = fleet();
        return fleet == null ? List.of() : fleet.all();
    }

    /// Whether it is known to be of the stateless era.
    public boolean isStateless() {
        Finding.Settled settled = settled();
        return settled != null && settled.isStateless();
    }

    /// For whoever doubts that the server lives; each remembers what it has found.
    public Vitals vitals() {
        return new Checkup(world, this::all);
    }

    @Override
    public Upstream.Pulse pulse(long since, Duration limit) {
        return vitals().pulse(since, limit);
    }

    /// On any of its connections.
    @Override
    public boolean heardSince(long then) {
        return all().stream().anyMatch(berth -> berth.target().heardSince(then));
    }

    /// Ends all its connections; the next call opens another.
    @Override
    public void disconnect() {
        all().forEach(berth -> berth.target().disconnect());
    }

    /// Also those on which its era is being found out.
    @Override
    public void startOver() {
        open.startOver();
    }

    @Override
    public void close() {
        open.close();
    }
}
