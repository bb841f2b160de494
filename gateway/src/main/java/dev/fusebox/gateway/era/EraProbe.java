package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Connection;
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

/// One attempt to detect the era of a server. For one thread.
///
/// ```
/// server/discover --result, or an error of the modern era--> modern
///       |--any other answer--> initialize on the same process --result--> legacy
///       '--exit or timeout---> initialize on another process ---result--> legacy
/// ```
///
/// (Revision 2026-07-28, stdio, section "Backward Compatibility".) Only a handshake proves the legacy era: a
/// server that starts slowly does not answer either, and a broken server supports no era. Without a proof the next
/// caller probes again. Where an earlier probe has found the legacy era, or the process belongs to a legacy
/// client, the handshake comes first, and `server/discover` follows on the same process if the server refuses it.
final class EraProbe {
    private static final Set<String> STATELESS_ERRORS = Set.of("-32020", "-32021", "-32022");

    /// Margin for a request that times out by itself.
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
        /// It answers `server/discover` with a result or an error.
        ANYTHING,
        /// It accepts the handshake.
        HANDSHAKE,
        /// It answers `server/discover` with a result, and may take its time.
        DISCOVERY,
        /// It has exited after `server/discover` and after a handshake before.
        DEATH
    }

    /// @param finder the client that triggers the probe, and may own the resulting endpoint
    EraProbe(Platform platform, EndpointFactory endpoints, ClientMetadata finder, Expected expected) {
        this.platform = platform;
        this.frontTarget = endpoints.frontTarget();
        this.endpoints = endpoints;
        this.finder = finder;
        this.expected = expected;
    }

    /// The result of the probe.
    sealed interface Probed {
        /// The server responds on this endpoint.
        ///
        /// @param isProven whether its answer to `server/discover` has shown its era
        record Found(UpstreamEndpoint endpoint, boolean isProven) implements Probed {
            boolean isStateless() {
                return endpoint instanceof ModernEndpoint;
            }
        }

        record Unreachable(CallFailure failure) implements Probed {}
    }

    /// What the next probe may expect, if this one has failed.
    Expected expected() {
        return expected;
    }

    /// Detects the era, unless it is configured. Blocks, for as long as a server may take.
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

    // ---- server/discover first

    /// An exit because of `server/discover` does not count as a failure of the server.
    private Probed ask() {
        BufferedConnectionListener bufferedConnectionListener =
                new BufferedConnectionListener(frontTarget.connectionGovernor().listener());
        ModernEndpoint candidate = endpoints.stateless(observedBy(frontTarget, bufferedConnectionListener), finder);
        Probed probed = ask(candidate, bufferedConnectionListener);
        bufferedConnectionListener.forward(probed instanceof Probed.Found found && found.isStateless());
        return probed;
    }

    private static FrontTarget observedBy(FrontTarget server, BufferedConnectionListener bufferedConnectionListener) {
        return server.under(server.connectionGovernor().withListener(bufferedConnectionListener));
    }

    /// The time limit begins when the process runs: a server that still waits to be started has not failed to
    /// answer.
    private Probed ask(ModernEndpoint candidate, BufferedConnectionListener opened) {
        if (candidate.greet(deadline())
                instanceof ReconnectingConnection.HandshakeResult.Refused(CallFailure failure)) {
            endpoints.end(candidate);
            return unreachable(failure);
        }
        Promise<Outcome> discovered = new Promise<>();
        Thread.ofVirtual()
                .name("fusebox-discover")
                .start(() -> discovered.complete(discover(candidate, opened.connection())));
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

    /// One failed attempt, for all waiting callers.
    private Probed unreachable(CallFailure failure) {
        frontTarget.connectionGovernor().listener().failed(failure);
        return new Probed.Unreachable(failure.of(Evidence.Extent.CONNECTING));
    }

    /// The server has answered, with an error or with something that is no valid answer: it is alive, and gets
    /// the handshake on the same process.
    private Probed shakeHandsOn(ModernEndpoint candidate) {
        PreconnectedConnector same = candidate.handOver();
        endpoints.end(candidate);
        if (same == null) {
            return repeatHandshake();
        }
        try (same) {
            Handshake handshake = shakeHands(frontTarget.behind(connector -> same));
            return switch (handshake.handshakeResult()) {
                case ReconnectingConnection.HandshakeResult.Completed greeted -> handshake.settled(true);
                case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> {
                    endpoints.end(handshake.session());
                    yield isDeath(failure) ? repeatHandshake() : refused(failure);
                }
            };
        }
    }

    /// The request itself may be the reason: the next probe begins with the handshake.
    private Probed refused(CallFailure failure) {
        expected = Expected.HANDSHAKE;
        return unreachable(failure);
    }

    /// The server has exited after the handshake that followed `server/discover`; without that request it may
    /// work.
    private Probed repeatHandshake() {
        Handshake handshake = shakeHands(frontTarget);
        return switch (handshake.handshakeResult()) {
            case ReconnectingConnection.HandshakeResult.Completed greeted -> handshake.settled(true);
            case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> {
                endpoints.end(handshake.session());
                expected = isDeath(failure) ? Expected.DEATH : Expected.HANDSHAKE;
                yield unreachable(failure);
            }
        };
    }

    /// The first process, which has not answered, continues to start meanwhile, and may still decide the
    /// result.
    private Probed shakeHandsElsewhere(ModernEndpoint candidate, Promise<Outcome> discovered) {
        Handshake handshake = shakeHands(frontTarget);
        boolean isGreeted = handshake.handshakeResult() instanceof ReconnectingConnection.HandshakeResult.Completed;
        Outcome late = isGreeted ? discovered.now() : await(discovered);
        if (isStateless(late)) {
            endpoints.end(handshake.session());
            return new Probed.Found(candidate.opening(), true);
        }
        endpoints.end(candidate);
        return switch (handshake.handshakeResult()) {
            case ReconnectingConnection.HandshakeResult.Completed greeted -> handshake.settled(true);
            case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> {
                endpoints.end(handshake.session());
                noteDeaths(late, failure);
                yield unreachable(unauthorized(late, failure));
            }
        };
    }

    /// A server that answered `server/discover` with 401 needs a login before anything is known about its era,
    /// even if it answers requests of the other era differently.
    private static CallFailure unauthorized(@Nullable Outcome discovered, CallFailure handshake) {
        return discovered instanceof Outcome.Failed(CallFailure failure) && failure.category() == FailureCategory.AUTH
                ? failure
                : handshake;
    }

    /// One attempt is one failure: the first exit may have been caused by `server/discover`.
    private void noteDeaths(@Nullable Outcome discovered, CallFailure handshake) {
        if (discovered instanceof Outcome.Failed(CallFailure failure) && isDeath(failure) && isDeath(handshake)) {
            expected = Expected.DEATH;
        }
    }

    private static boolean isDeath(CallFailure failure) {
        return failure.category() == FailureCategory.STDIO_EXIT;
    }

    // ---- Handshake first

    /// A server that exited after `server/discover` and after a handshake has a general problem: it is not
    /// started twice to find that out again. One that refuses the handshake gets `server/discover` on the same
    /// process.
    private Probed shakeHandsFirst() {
        Handshake handshake = shakeHands(frontTarget);
        return switch (handshake.handshakeResult()) {
            case ReconnectingConnection.HandshakeResult.Completed greeted -> handshake.settled(false);
            case ReconnectingConnection.HandshakeResult.Refused(CallFailure failure) -> {
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

    /// @param refusal of the handshake, which is the result if the server does not support the modern era either
    private Probed askOn(PreconnectedConnector same, CallFailure refusal) {
        try (same) {
            BufferedConnectionListener bufferedConnectionListener = new BufferedConnectionListener(
                    frontTarget.connectionGovernor().listener());
            ModernEndpoint candidate = endpoints.stateless(
                    observedBy(frontTarget, bufferedConnectionListener).behind(connector -> same), finder);
            boolean isGreeted = candidate.greet(deadline()) instanceof ReconnectingConnection.HandshakeResult.Completed;
            Outcome discovered = isGreeted ? discover(candidate, bufferedConnectionListener.connection()) : null;
            boolean isFound = isStateless(discovered);
            bufferedConnectionListener.forward(isFound);
            if (isFound) {
                return new Probed.Found(candidate.opening(), true);
            }
            endpoints.end(candidate);
            expected = Expected.ANYTHING;
            return unreachable(unauthorized(discovered, refusal));
        }
    }

    // ---- Common steps

    private Handshake shakeHands(FrontTarget server) {
        BufferedConnectionListener bufferedConnectionListener =
                new BufferedConnectionListener(frontTarget.connectionGovernor().listener());
        LegacyEndpoint session = endpoints
                .session(observedBy(server, bufferedConnectionListener), finder)
                .keepingRefused();
        return new Handshake(session, session.greet(deadline()), bufferedConnectionListener);
    }

    /// The result of a handshake, with its events not reported yet.
    private record Handshake(
            LegacyEndpoint session,
            ReconnectingConnection.HandshakeResult handshakeResult,
            BufferedConnectionListener bufferedConnectionListener) {
        Probed settled(boolean isProven) {
            bufferedConnectionListener.forward(true);
            return new Probed.Found(session, isProven);
        }
    }

    /// A server that is known to answer is given more time: it may just start slowly.
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

    /// A process that is still busy after the time limit is starting: together with many others, or on a slow
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

    /// On this connection only: a server that has exited before the request reached it is not started again for it.
    /// The pool may have closed a connection that was not used yet; then another one is opened.
    private Outcome discover(ModernEndpoint candidate, @Nullable Connection opened) {
        Message.Request discover = DetectedEndpoint.question();
        Call call = new Call(discover, DetectedEndpoint.metadata(discover), deadline(), Caller.SILENT);
        Outcome outcome = opened == null ? null : opened.call(call);
        boolean isClosedByPool =
                outcome instanceof Outcome.Failed(CallFailure failure) && failure.isConnectionRetired();
        return outcome == null || isClosedByPool ? candidate.call(call) : outcome;
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

    /// Whether the answer to `server/discover` shows the modern era.
    static boolean isStateless(@Nullable Outcome outcome) {
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
