package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Reached;
import dev.fusebox.client.Upstream;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One try to find out which era a server is of. For one thread.
///
/// It is asked `server/discover`. A result, or an error that only the stateless era has, settles it. Anything
/// else, also a death or a silence (revision 2026-07-28, stdio, section "Backward Compatibility"), is a reason to
/// shake hands, and only a handshake settles the other era: a server that starts slowly is silent, too, and one
/// that is broken is of no era. As long as neither has come the next caller asks again.
final class EraProbe {
    private static final Set<String> STATELESS_ERRORS = Set.of("-32020", "-32021", "-32022");

    private final World world;
    private final Served served;
    private final Shipyard yard;
    private final Metadata finder;
    private boolean diesAnyway;

    /// @param finder who wants to know, and whose the way may be that is found
    /// @param diesAnyway whether the server has died of the question and of a handshake before
    EraProbe(World world, Shipyard yard, Metadata finder, boolean diesAnyway) {
        this.world = world;
        this.served = yard.served();
        this.yard = yard;
        this.finder = finder;
        this.diesAnyway = diesAnyway;
    }

    /// What was found out.
    sealed interface Probed {
        /// The server talks on this way.
        record Found(Target target) implements Probed {
            boolean isStateless() {
                return target instanceof StatelessTarget;
            }
        }

        record Unreachable(Fault fault) implements Probed {}
    }

    /// Whether the server dies of the question and of a handshake, as far as is known now.
    boolean diesAnyway() {
        return diesAnyway;
    }

    /// Finds out the era, if nobody knows it. Blocks, for as long as a server may take.
    Probed find() {
        return switch (served.era()) {
            case SESSION -> new Probed.Found(yard.session(served, finder));
            case STATELESS -> new Probed.Found(yard.stateless(served));
            case AUTO -> diesAnyway ? shakeHandsFirst() : ask();
        };
    }

    /// A server that cannot bear the question is no failed one.
    private Probed ask() {
        Unheard unheard = new Unheard(served.oversight().witness());
        Probed probed = ask(yard.stateless(heardBy(unheard)));
        unheard.speak(probed instanceof Probed.Found found && found.isStateless());
        return probed;
    }

    private Served heardBy(Unheard unheard) {
        return served.under(served.oversight().heardBy(unheard));
    }

    /// A server that still waits to be started is not silent: it is asked when there is somebody to ask.
    private Probed ask(StatelessTarget candidate) {
        if (candidate.greet(patience()) instanceof Upstream.Welcome.Refused(Fault fault)) {
            yard.scrap(candidate);
            return unreachable(fault);
        }
        Arrival<Outcome> discovered = new Arrival<>();
        Thread.ofVirtual().name("fusebox-discover").start(() -> discovered.bring(discover(candidate)));
        Outcome outcome = await(discovered);
        if (isStateless(outcome)) {
            return new Probed.Found(candidate);
        }
        if (outcome instanceof Outcome.Failed(Fault fault) && fault.reached() == Reached.NOT_SENT) {
            yard.scrap(candidate);
            return unreachable(fault);
        }
        return shakeHands(candidate, discovered);
    }

    /// One attempt that failed, for all who wait for it.
    private Probed unreachable(Fault fault) {
        served.oversight().witness().failed(fault);
        return new Probed.Unreachable(fault.of(Evidence.Extent.CONNECTING));
    }

    /// A server that died of the question and of a handshake dies of anything: it is not started twice to learn that
    /// again. One that refuses the handshake is not the one that died.
    private Probed shakeHandsFirst() {
        Handshake handshake = shakeHands();
        return switch (handshake.welcome()) {
            case Upstream.Welcome.Greeted greeted -> handshake.settled();
            case Upstream.Welcome.Refused(Fault fault) -> {
                yard.scrap(handshake.session());
                diesAnyway = isDeath(fault);
                yield diesAnyway ? unreachable(fault) : ask();
            }
        };
    }

    private static boolean isDeath(@Nullable Fault fault) {
        return fault != null && fault.category() == Category.STDIO_EXIT;
    }

    /// The silent candidate goes on starting meanwhile, and may have the last word.
    private Probed shakeHands(StatelessTarget candidate, Arrival<Outcome> discovered) {
        Handshake handshake = shakeHands();
        boolean isGreeted = handshake.welcome() instanceof Upstream.Welcome.Greeted;
        Outcome late = isGreeted ? discovered.now() : await(discovered);
        if (isStateless(late)) {
            yard.scrap(handshake.session());
            return new Probed.Found(candidate);
        }
        yard.scrap(candidate);
        return switch (handshake.welcome()) {
            case Upstream.Welcome.Greeted greeted -> handshake.settled();
            case Upstream.Welcome.Refused(Fault fault) -> {
                yard.scrap(handshake.session());
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
        SessionTarget session = yard.session(heardBy(unheard), finder);
        return new Handshake(session, session.greet(patience()), unheard);
    }

    /// How a handshake went, of which nobody else has heard yet.
    private record Handshake(SessionTarget session, Upstream.Welcome welcome, Unheard unheard) {
        Probed settled() {
            unheard.speak(true);
            return new Probed.Found(session);
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
        Message.Request discover = EraTarget.question();
        return candidate.call(new Call(discover, patience(), Caller.SILENT), EraTarget.metadata(discover));
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
}
