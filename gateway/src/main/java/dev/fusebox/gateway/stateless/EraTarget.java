package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Reached;
import dev.fusebox.client.Upstream;
import dev.fusebox.gateway.served.Oversight;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A server whose era is found out at its first use, once for all callers. Thread-safe; [#call] blocks.
///
/// It is asked `server/discover`. A result, or an error that only the stateless era has, settles it. Anything
/// else, also a death or a silence (revision 2026-07-28, stdio, section "Backward Compatibility"), is a reason to
/// shake hands, and only a handshake settles the other era: a server that starts slowly is silent, too, and one
/// that is broken is of no era. As long as neither has come the next caller asks again.
///
/// Once it is closed nothing is found out any more, and what is being found out ends.
public final class EraTarget implements Target {
    private static final Set<String> STATELESS_ERRORS = Set.of("-32020", "-32021", "-32022");

    private final World world;
    private final Served served;
    private final RandomGenerator secrets;
    private final AtomicReference<@Nullable Arrival<Finding>> finding = new AtomicReference<>();
    private volatile boolean diesAnyway;
    private final OpenTargets open = new OpenTargets();

    /// What was found out.
    private sealed interface Finding {
        record Settled(Target target) implements Finding {}

        record Unreachable(Fault fault) implements Finding {}

        /// Nobody shall be called any more.
        Finding CLOSED = new Unreachable(
                Fault.notSent(FaultCode.CANCELLED, "the gateway is ending, or no longer has this server"));
    }

    public EraTarget(World world, Served served, RandomGenerator secrets) {
        this.world = world;
        this.served = served;
        this.secrets = secrets;
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        return switch (find(call.patience())) {
            case null -> new Outcome.Failed(stillAsking(call.patience()));
            case Finding.Unreachable(Fault fault) -> new Outcome.Failed(fault);
            case Finding.Settled(Target target) -> target.call(call, client);
        };
    }

    private static Fault stillAsking(Patience patience) {
        return patience.isGivenUp()
                ? Fault.cancelledUnsent()
                : Fault.notSent(FaultCode.TIMEOUT, "the server is still starting; try again in a moment");
    }

    private @Nullable Finding find(Patience patience) {
        if (open.isClosed()) {
            return Finding.CLOSED;
        }
        Arrival<Finding> known = finding.get();
        if (known == null || known.now() instanceof Finding.Unreachable) {
            Arrival<Finding> mine = new Arrival<>();
            if (finding.compareAndSet(known, mine)) {
                Thread.ofVirtual().name("fusebox-era").start(() -> settle(mine));
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
    private void settle(Arrival<Finding> arrival) {
        Finding found = new Finding.Unreachable(
                Fault.notSent(FaultCode.INTERNAL, "finding out the server's era failed inside of the gateway"));
        try {
            found = switch (served.era()) {
                case SESSION -> new Finding.Settled(session(served));
                case STATELESS -> new Finding.Settled(stateless(served));
                case AUTO -> diesAnyway ? shakeHandsFirst() : probe();
            };
        } finally {
            arrival.bring(open.isClosed() ? Finding.CLOSED : found);
        }
    }

    private SessionTarget session(Served as) {
        return open.add(new SessionTarget(world, as, secrets));
    }

    private StatelessTarget stateless(Served as) {
        return open.add(new StatelessTarget(world, peer -> as.plain(world, peer)));
    }

    /// A server that cannot bear the question is no failed one.
    private Finding probe() {
        Unheard unheard = new Unheard(served.oversight().witness());
        Finding finding = probe(
                stateless(served.under(new Oversight(unheard, served.oversight().shared()))));
        unheard.speak(finding instanceof Finding.Settled(Target target) && target instanceof StatelessTarget);
        return finding;
    }

    /// A server that still waits to be started is not silent: it is asked when there is somebody to ask.
    private Finding probe(StatelessTarget candidate) {
        if (candidate.greet(patience()) instanceof Upstream.Welcome.Refused(Fault fault)) {
            open.end(candidate);
            return unreachable(fault);
        }
        Arrival<Outcome> discovered = new Arrival<>();
        Thread.ofVirtual().name("fusebox-discover").start(() -> discovered.bring(discover(candidate)));
        Outcome outcome = await(discovered);
        if (isStateless(outcome)) {
            return new Finding.Settled(candidate);
        }
        if (outcome instanceof Outcome.Failed(Fault fault) && fault.reached() == Reached.NOT_SENT) {
            open.end(candidate);
            return unreachable(fault);
        }
        return shakeHands(candidate, discovered);
    }

    /// One attempt that failed, for all who wait for it.
    private Finding unreachable(Fault fault) {
        served.oversight().witness().failed(fault);
        return new Finding.Unreachable(fault.of(Evidence.Extent.CONNECTING));
    }

    /// A server that died of the question and of a handshake dies of anything: it is not started twice to learn that
    /// again. One that refuses the handshake is not the one that died.
    private Finding shakeHandsFirst() {
        Handshake handshake = shakeHands();
        return switch (handshake.welcome()) {
            case Upstream.Welcome.Greeted greeted -> handshake.settled();
            case Upstream.Welcome.Refused(Fault fault) -> {
                open.end(handshake.session());
                diesAnyway = isDeath(fault);
                yield diesAnyway ? unreachable(fault) : probe();
            }
        };
    }

    private static boolean isDeath(@Nullable Fault fault) {
        return fault != null && fault.category() == Category.STDIO_EXIT;
    }

    /// The silent candidate goes on starting meanwhile, and may have the last word.
    private Finding shakeHands(StatelessTarget candidate, Arrival<Outcome> discovered) {
        Handshake handshake = shakeHands();
        boolean isGreeted = handshake.welcome() instanceof Upstream.Welcome.Greeted;
        Outcome late = isGreeted ? discovered.now() : await(discovered);
        if (isStateless(late)) {
            open.end(handshake.session());
            return new Finding.Settled(candidate);
        }
        open.end(candidate);
        return switch (handshake.welcome()) {
            case Upstream.Welcome.Greeted greeted -> handshake.settled();
            case Upstream.Welcome.Refused(Fault fault) -> {
                open.end(handshake.session());
                noteDeaths(late, fault);
                yield unreachable(fault);
            }
        };
    }

    /// Two deaths are two failures, but one that only the question caused is none.
    private void noteDeaths(@Nullable Outcome discovered, Fault handshake) {
        Fault first = discovered instanceof Outcome.Failed(Fault fault) ? fault : null;
        if (first != null && isDeath(first) && isDeath(handshake)) {
            diesAnyway = true;
            served.oversight().witness().failed(first);
        }
    }

    private Handshake shakeHands() {
        Unheard unheard = new Unheard(served.oversight().witness());
        SessionTarget session =
                session(served.under(new Oversight(unheard, served.oversight().shared())));
        return new Handshake(session, session.greet(patience()), unheard);
    }

    /// How a handshake went, of which nobody else has heard yet.
    private record Handshake(SessionTarget session, Upstream.Welcome welcome, Unheard unheard) {
        Finding settled() {
            unheard.speak(true);
            return new Finding.Settled(session);
        }
    }

    private @Nullable Outcome await(Arrival<Outcome> discovered) {
        try {
            return discovered.await(world, served.eras().probe());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private Outcome discover(StatelessTarget candidate) {
        Message.Request discover = question();
        return candidate.call(new Call(discover, patience(), Caller.SILENT), metadata(discover));
    }

    private Patience patience() {
        Duration limit =
                served.settings().connectTimeout().plus(served.connector().turn());
        return new Patience(limit, Duration.ZERO, world.ticker());
    }

    private static boolean isStateless(@Nullable Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return false;
        }
        JsonView code = answer.frame().path("error", "code");
        JsonView result = answer.result();
        return code != null
                ? STATELESS_ERRORS.contains(code.json())
                : result != null && result.member("supportedVersions") != null;
    }

    /// What every server of the stateless era answers.
    public static Message.Request question() {
        String params =
                "{\"_meta\":{\"" + Metadata.VERSION + "\":\"" + Refusal.REVISION + "\",\"" + Metadata.CAPABILITIES
                        + "\":{},\"" + Metadata.INFO + "\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}}";
        return Message.Request.of(Frames.request(RequestId.of("discover"), "server/discover", params));
    }

    private static Metadata metadata(Message.Request request) {
        return Objects.requireNonNull(Metadata.of(request), "our own request has its metadata");
    }

    // ---- The target that was found

    private @Nullable Target found() {
        Arrival<Finding> known = finding.get();
        return known != null && known.now() instanceof Finding.Settled(Target target) ? target : null;
    }

    /// Whether it is known to be of the stateless era.
    public boolean isStateless() {
        return found() instanceof StatelessTarget;
    }

    @Override
    public Upstream.Pulse pulse(long since, Duration limit) {
        Target target = found();
        return target == null ? Upstream.Pulse.GONE : target.pulse(since, limit);
    }

    @Override
    public boolean heardSince(long then) {
        Target target = found();
        return target != null && target.heardSince(then);
    }

    @Override
    public void disconnect() {
        Target target = found();
        if (target != null) {
            target.disconnect();
        }
    }

    @Override
    public void close() {
        open.close();
    }
}
