package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.PreconnectedConnector;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One try to find out which era a server speaks. For one thread.
///
/// ```
/// server/discover --result, or an error of the stateless era--> stateless
///       |--any other answer--> initialize on the same process --result--> session
///       '--death or silence--> initialize on another process ---result--> session
/// ```
///
/// (Revision 2026-07-28, stdio, section "Backward Compatibility".) Only a handshake settles the session era: a
/// server that starts slowly is silent, too, and one that is broken speaks no era. As long as neither has come the
/// next caller probes again. Where an earlier probe has found the session era, or the process belongs to a client
/// of that era, the handshake comes first, and the question follows on the same process if the server refuses it.
final class EraProbe {
    private static final Set<String> STATELESS_ERRORS = Set.of("-32020", "-32021", "-32022");

    /// A question that ends by itself is not cut short.
    private static final Duration GRACE = Duration.ofSeconds(1);

    /// Long enough for a starting process to get a share of a busy machine.
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private final Platform platform;
    private final FrontTarget frontTarget;
    private final EndpointFactory endpoints;
    private final ClientMetadata finder;
    private Expected expected;

    /// What is expected of a server before it is probed.
    enum Expected {
        /// It answers `server/discover` in one way or another.
        ANYTHING,
        /// It shakes hands.
        HANDSHAKE,
        /// It answers `server/discover` with a result, and may take its time.
        DISCOVERY,
        /// It has died of the question and of a handshake before.
        DEATH
    }

    /// @param finder who wants to know, and whose the way may be that is found
    EraProbe(Platform platform, EndpointFactory endpoints, ClientMetadata finder, Expected expected) {
        this.platform = platform;
        this.frontTarget = endpoints.frontTarget();
        this.endpoints = endpoints;
        this.finder = finder;
        this.expected = expected;
    }

    /// What was found out.
    sealed interface Probed {
        /// The server talks on this way.
        ///
        /// @param isProven whether the server has shown what it does with `server/discover`
        record Found(UpstreamEndpoint endpoint, boolean isProven) implements Probed {
            boolean isStateless() {
                return endpoint instanceof ModernEndpoint;
            }
        }

        record Unreachable(CallFailure failure) implements Probed {}
    }

    /// What the next probe may expect, if this one has found nothing.
    Expected expected() {
        return expected;
    }

    /// Finds out the era, if the operator has not named it. Blocks, for as long as a server may take.
    Probed find() {
        return switch (frontTarget.era()) {
            case SESSION -> new Probed.Found(endpoints.session(frontTarget, finder), false);
            case STATELESS -> new Probed.Found(endpoints.stateless(frontTarget, finder), false);
            case AUTO ->
                switch (expected) {
                    case HANDSHAKE, DEATH -> shakeHandsFirst();
                    case ANYTHING, DISCOVERY -> ask();
                };
        };
    }

    // ---- The question first

    /// A server that cannot bear the question is no failed one.
    private Probed ask() {
        BufferedConnectionListener bufferedConnectionListener =
                new BufferedConnectionListener(frontTarget.connectionGovernor().listener());
        Probed probed = ask(endpoints.stateless(heardBy(frontTarget, bufferedConnectionListener), finder));
        bufferedConnectionListener.speak(probed instanceof Probed.Found found && found.isStateless());
        return probed;
    }

    private static FrontTarget heardBy(FrontTarget server, BufferedConnectionListener bufferedConnectionListener) {
        return server.under(server.connectionGovernor().heardBy(bufferedConnectionListener));
    }

    /// A server that still waits to be started is not silent: it is asked when it runs.
    private Probed ask(ModernEndpoint candidate) {
        if (candidate.greet(deadline()) instanceof ReconnectingConnection.Welcome.Refused(CallFailure failure)) {
            endpoints.end(candidate);
            return unreachable(failure);
        }
        Promise<Outcome> discovered = new Promise<>();
        Thread.ofVirtual().name("fusebox-discover").start(() -> discovered.bring(discover(candidate)));
        Outcome outcome = awaitStart(candidate, discovered);
        if (isStateless(outcome)) {
            return new Probed.Found(candidate.opening(), true);
        }
        return switch (outcome) {
            case Outcome.Failed(CallFailure failure)
            when failure.code() == ErrorCode.PROTOCOL_VIOLATION -> shakeHandsOn(candidate);
            case Outcome.Failed(CallFailure failure)
            when failure.delivery() == Delivery.NOT_SENT || expected == Expected.DISCOVERY -> {
                endpoints.end(candidate);
                expected = failure.delivery() == Delivery.NOT_SENT ? expected : Expected.ANYTHING;
                yield unreachable(failure);
            }
            case Outcome.Answered answered -> shakeHandsOn(candidate);
            case null, default -> shakeHandsElsewhere(candidate, discovered);
        };
    }

    /// One attempt that failed, for all who wait for it.
    private Probed unreachable(CallFailure failure) {
        frontTarget.connectionGovernor().listener().failed(failure);
        return new Probed.Unreachable(failure.of(Evidence.Extent.CONNECTING));
    }

    /// The server has answered, with an error or with something that is no answer to the question: it lives, and
    /// takes the handshake on the same process.
    private Probed shakeHandsOn(ModernEndpoint candidate) {
        PreconnectedConnector same = candidate.handOver();
        endpoints.end(candidate);
        if (same == null) {
            return shakeHandsAnew();
        }
        try (same) {
            Handshake handshake = shakeHands(frontTarget.behind(connector -> same));
            return switch (handshake.welcome()) {
                case ReconnectingConnection.Welcome.Greeted greeted -> handshake.settled(true);
                case ReconnectingConnection.Welcome.Refused(CallFailure failure) -> {
                    endpoints.end(handshake.session());
                    yield isDeath(failure) ? shakeHandsAnew() : refused(failure);
                }
            };
        }
    }

    /// Perhaps only because of the question: the next probe begins with the handshake.
    private Probed refused(CallFailure failure) {
        expected = Expected.HANDSHAKE;
        return unreachable(failure);
    }

    /// The server has died of the handshake that followed the question; without the question it may live.
    private Probed shakeHandsAnew() {
        Handshake handshake = shakeHands(frontTarget);
        return switch (handshake.welcome()) {
            case ReconnectingConnection.Welcome.Greeted greeted -> handshake.settled(true);
            case ReconnectingConnection.Welcome.Refused(CallFailure failure) -> {
                endpoints.end(handshake.session());
                expected = isDeath(failure) ? Expected.DEATH : Expected.HANDSHAKE;
                yield unreachable(failure);
            }
        };
    }

    /// The silent candidate goes on starting meanwhile, and may have the last word.
    private Probed shakeHandsElsewhere(ModernEndpoint candidate, Promise<Outcome> discovered) {
        Handshake handshake = shakeHands(frontTarget);
        boolean isGreeted = handshake.welcome() instanceof ReconnectingConnection.Welcome.Greeted;
        Outcome late = isGreeted ? discovered.now() : await(discovered);
        if (isStateless(late)) {
            endpoints.end(handshake.session());
            return new Probed.Found(candidate.opening(), true);
        }
        endpoints.end(candidate);
        return switch (handshake.welcome()) {
            case ReconnectingConnection.Welcome.Greeted greeted -> handshake.settled(true);
            case ReconnectingConnection.Welcome.Refused(CallFailure failure) -> {
                endpoints.end(handshake.session());
                noteDeaths(late, failure);
                yield unreachable(failure);
            }
        };
    }

    /// Two deaths are two failures, but one that only the question caused is none.
    private void noteDeaths(@Nullable Outcome discovered, CallFailure handshake) {
        CallFailure first = discovered instanceof Outcome.Failed(CallFailure failure) ? failure : null;
        if (first != null && isDeath(first) && isDeath(handshake)) {
            expected = Expected.DEATH;
            frontTarget.connectionGovernor().listener().failed(first);
        }
    }

    private static boolean isDeath(CallFailure failure) {
        return failure.category() == FailureCategory.STDIO_EXIT;
    }

    // ---- The handshake first

    /// A server that died of the question and of a handshake dies of anything: it is not started twice to learn
    /// that again. One that refuses the handshake is asked on the same process.
    private Probed shakeHandsFirst() {
        Handshake handshake = shakeHands(frontTarget);
        return switch (handshake.welcome()) {
            case ReconnectingConnection.Welcome.Greeted greeted -> handshake.settled(false);
            case ReconnectingConnection.Welcome.Refused(CallFailure failure) -> {
                PreconnectedConnector same = handshake.session().handOver();
                endpoints.end(handshake.session());
                yield same == null ? notGreeted(failure) : askOn(same, failure);
            }
        };
    }

    private Probed notGreeted(CallFailure failure) {
        boolean isAlwaysDead = expected == Expected.DEATH && isDeath(failure);
        if (!isAlwaysDead && failure.category() != FailureCategory.LOCAL) {
            expected = Expected.ANYTHING;
        }
        return unreachable(failure);
    }

    /// @param refusal of the handshake, which counts if the server does not know the stateless era either
    private Probed askOn(PreconnectedConnector same, CallFailure refusal) {
        try (same) {
            BufferedConnectionListener bufferedConnectionListener = new BufferedConnectionListener(
                    frontTarget.connectionGovernor().listener());
            ModernEndpoint candidate = endpoints.stateless(
                    heardBy(frontTarget, bufferedConnectionListener).behind(connector -> same), finder);
            boolean isGreeted = candidate.greet(deadline()) instanceof ReconnectingConnection.Welcome.Greeted;
            boolean isFound = isGreeted && isStateless(discover(candidate));
            bufferedConnectionListener.speak(isFound);
            if (isFound) {
                return new Probed.Found(candidate.opening(), true);
            }
            endpoints.end(candidate);
            expected = Expected.ANYTHING;
            return unreachable(refusal);
        }
    }

    // ---- Both

    private Handshake shakeHands(FrontTarget server) {
        BufferedConnectionListener bufferedConnectionListener =
                new BufferedConnectionListener(frontTarget.connectionGovernor().listener());
        LegacyEndpoint session = endpoints
                .session(heardBy(server, bufferedConnectionListener), finder)
                .keepingRefused();
        return new Handshake(session, session.greet(deadline()), bufferedConnectionListener);
    }

    /// How a handshake went, of which nothing has been told yet.
    private record Handshake(
            LegacyEndpoint session,
            ReconnectingConnection.Welcome welcome,
            BufferedConnectionListener bufferedConnectionListener) {
        Probed settled(boolean isProven) {
            bufferedConnectionListener.speak(true);
            return new Probed.Found(session, isProven);
        }
    }

    /// A server that is known to answer is not taken for a silent one because it starts slowly.
    private @Nullable Outcome await(Promise<Outcome> discovered) {
        try {
            return discovered.await(
                    platform,
                    expected == Expected.DISCOVERY
                            ? connectLimit().plus(GRACE)
                            : frontTarget.eras().probe());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// A process that is still busy after the time of a silent one is starting: with many others, or on a slow
    /// machine.
    private @Nullable Outcome awaitStart(ModernEndpoint candidate, Promise<Outcome> discovered) {
        long begun = platform.ticker().nanos();
        Outcome outcome = await(discovered);
        try {
            StartActivity activity = outcome == null ? new StartActivity(platform, candidate.connected()) : null;
            while (outcome == null && activity != null) {
                outcome = discovered.await(platform, BETWEEN_LOOKS);
                boolean isInTime =
                        platform.ticker().nanos() - begun < connectLimit().toNanos();
                activity = isInTime && activity.isBusy() ? activity : null;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return outcome;
    }

    private Outcome discover(ModernEndpoint candidate) {
        Message.Request discover = DetectedEndpoint.question();
        return candidate.call(new Call(discover, DetectedEndpoint.metadata(discover), deadline(), Caller.SILENT));
    }

    private Duration connectLimit() {
        return frontTarget
                .settings()
                .connectTimeout()
                .plus(frontTarget.connector().turn());
    }

    private Deadline deadline() {
        return new Deadline(connectLimit(), Duration.ZERO, platform.ticker());
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
