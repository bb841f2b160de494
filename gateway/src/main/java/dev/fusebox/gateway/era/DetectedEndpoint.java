package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.Isolation;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// A server whose era is detected at its first use, once for all callers. Thread-safe; [#call] blocks.
///
/// A process that belongs to one legacy client speaks the legacy era if the server can: a question outside of
/// calls exists in that era only. All others speak the modern era with a server of both.
///
/// Once it is closed, a running detection ends and no other begins.
public final class DetectedEndpoint implements UpstreamEndpoint {
    private final Platform platform;
    private final FrontTarget frontTarget;
    private final EraStore memory;
    private final OpenEndpoints open = new OpenEndpoints();
    private final EndpointFactory endpoints;
    private final EraDetection shared;

    /// For processes that belong to one client of the session era, of a server that may speak both.
    private final EraDetection ofSessions;

    public DetectedEndpoint(Platform platform, FrontTarget frontTarget, RandomGenerator secrets) {
        this(platform, frontTarget, secrets, EraStore.NONE);
    }

    /// @param memory keeps what was found out
    public DetectedEndpoint(Platform platform, FrontTarget frontTarget, RandomGenerator secrets, EraStore memory) {
        this.platform = platform;
        this.frontTarget = frontTarget;
        this.memory = memory;
        this.endpoints = new EndpointFactory(platform, frontTarget, secrets, open);
        this.shared = new EraDetection(platform, endpoints, memory, this::remembered);
        this.ofSessions = new EraDetection(platform, endpoints, memory, () -> EraProbe.Expected.HANDSHAKE);
    }

    private EraProbe.Expected remembered() {
        return switch (memory.recall()) {
            case null -> frontTarget.eras().isGreetedFirst() ? EraProbe.Expected.HANDSHAKE : EraProbe.Expected.ANYTHING;
            case LEGACY -> EraProbe.Expected.HANDSHAKE;
            case MODERN -> EraProbe.Expected.DISCOVERY;
        };
    }

    @Override
    public Outcome call(Call call) {
        call.slot().connecting();
        EraDetection.Finding finding = search(call.client()).find(call.deadline(), call.client());
        if (!(finding instanceof EraDetection.Finding.Settled settled)) {
            return new Outcome.Failed(
                    finding instanceof EraDetection.Finding.Unreachable(CallFailure failure)
                            ? failure
                            : stillAsking(call.deadline()));
        }
        ConnectionSet connections = settled.connectionSet();
        ConnectionSlot slot = connections.enter(call);
        Outcome outcome = null;
        do {
            outcome = null;
            try {
                outcome = slot.endpoint().call(call);
            } finally {
                connections.leave(slot, call, outcome);
            }
            slot = connections.next(slot, call, outcome);
        } while (slot != null);
        return outcome;
    }

    private EraDetection search(ClientMetadata client) {
        ClientSession clientSession = client.clientSession();
        boolean isOfSession = clientSession != null
                && clientSession.isLegacy()
                && frontTarget.era() == EraPolicy.AUTO
                && frontTarget.connectionGovernor().connectionSharing().isolation() == Isolation.SESSION;
        return isOfSession ? ofSessions : shared;
    }

    private static CallFailure stillAsking(Deadline deadline) {
        return deadline.isGivenUp()
                ? CallFailure.cancelledUnsent()
                : CallFailure.notReady(ErrorCode.TIMEOUT, "the server is still starting");
    }

    /// What every server of the stateless era answers.
    public static Message.Request question() {
        String params = "{\"_meta\":{\"" + ClientMetadata.VERSION + "\":\"" + RequestRefusal.REVISION + "\",\""
                + ClientMetadata.CAPABILITIES + "\":{},\"" + ClientMetadata.INFO
                + "\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}}";
        return Message.Request.of(JsonRpcFrames.request(RequestId.of("discover"), "server/discover", params));
    }

    static ClientMetadata metadata(Message.Request request) {
        return Objects.requireNonNull(ClientMetadata.of(request), "our own request has its metadata");
    }

    // ---- Guests

    /// A guest tells its own server something.
    public void tell(ClientSession clientSession, byte[] notification) {
        connectionSets().forEach(connectionSet -> connectionSet.tell(clientSession, notification));
    }

    /// A guest wants log lines of its own server from another level on.
    public void levelChanged(ClientSession clientSession) {
        connectionSets().forEach(connectionSet -> connectionSet.levelChanged(clientSession));
    }

    /// What was a guest's alone ends.
    public void left(ClientSession clientSession) {
        connectionSets().forEach(connectionSet -> connectionSet.left(clientSession));
    }

    // ---- What was found

    private List<EraDetection.Finding.Settled> settled() {
        return Stream.of(shared, ofSessions)
                .flatMap(search -> Optional.ofNullable(search.settled()).stream())
                .toList();
    }

    private List<ConnectionSet> connectionSets() {
        return settled().stream()
                .map(EraDetection.Finding.Settled::connectionSet)
                .toList();
    }

    private Collection<ConnectionSlot> all() {
        return connectionSets().stream()
                .flatMap(connectionSet -> connectionSet.open().stream())
                .toList();
    }

    /// Whether it is known to be of the stateless era, and that no client speaks another era with it.
    public boolean isStateless() {
        List<EraDetection.Finding.Settled> found = settled();
        return !found.isEmpty() && found.stream().allMatch(EraDetection.Finding.Settled::isStateless);
    }

    /// For whoever doubts that the server lives; each remembers what it has found.
    public Liveness liveness() {
        return new ConnectionHealthCheck(platform, this::all);
    }

    @Override
    public ReconnectingConnection.Pulse pulse(long since, Duration limit) {
        return liveness().pulse(since, limit);
    }

    /// On any of its connections.
    @Override
    public boolean heardSince(long then) {
        return all().stream().anyMatch(slot -> slot.endpoint().heardSince(then));
    }

    /// Ends all its connections; the next call opens another.
    @Override
    public void disconnect() {
        all().forEach(slot -> slot.endpoint().disconnect());
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
