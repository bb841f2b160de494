package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.config.EraPolicy;
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

/// An upstream endpoint whose era is detected at its first use, once for all callers. Thread-safe; [#call]
/// blocks.
///
/// A process that belongs to one legacy client uses the legacy era if the server supports it: only that era has
/// requests from the server outside of calls. All other connections to a server of both eras use the modern one.
///
/// Once it is closed, a running detection ends and no other begins.
public final class DetectedEndpoint implements UpstreamEndpoint {
    private final Platform platform;
    private final FrontTarget frontTarget;
    private final EraStore memory;
    private final OpenEndpoints open = new OpenEndpoints();
    private final EndpointFactory endpoints;
    private final EraDetection shared;

    /// For processes that belong to one legacy client, of a server that may support both eras.
    private final EraDetection ofSessions;

    public DetectedEndpoint(Platform platform, FrontTarget frontTarget, RandomGenerator secrets) {
        this(platform, frontTarget, secrets, EraStore.NONE);
    }

    /// @param memory keeps the detected era
    public DetectedEndpoint(Platform platform, FrontTarget frontTarget, RandomGenerator secrets, EraStore memory) {
        this.platform = platform;
        this.frontTarget = frontTarget;
        this.memory = memory;
        this.endpoints = new EndpointFactory(platform, frontTarget, secrets, open);
        this.shared = new EraDetection(platform, endpoints, memory, this::remembered);
        this.ofSessions = new EraDetection(platform, endpoints, memory, () -> EraProbe.Expected.HANDSHAKE);
    }

    private EraProbe.Expected remembered() {
        return switch (memory.load()) {
            case null -> frontTarget.eras().isGreetedFirst() ? EraProbe.Expected.HANDSHAKE : EraProbe.Expected.ANYTHING;
            case LEGACY -> EraProbe.Expected.HANDSHAKE;
            case MODERN -> EraProbe.Expected.DISCOVERY;
        };
    }

    @Override
    public Outcome call(Call call) {
        call.slot().connecting();
        EraDetection search = search(call.client());
        EraDetection.Finding finding = search.find(call.deadline(), call.client());
        if (!(finding instanceof EraDetection.Finding.Settled settled)) {
            return new Outcome.Failed(
                    finding instanceof EraDetection.Finding.Unreachable(CallFailure failure)
                            ? failure
                            : stillAsking(call.deadline()));
        }
        ConnectionSet connections = settled.connectionSet();
        ConnectionSlot slot = connections.enter(call);
        Outcome outcome = new Outcome.Failed(CallFailure.processGone());
        while (slot != null) {
            outcome = null;
            try {
                outcome = slot.endpoint().call(call);
            } finally {
                connections.release(slot, call, outcome);
            }
            slot = connections.next(slot, call, outcome);
        }
        if (outcome instanceof Outcome.Failed(CallFailure failure) && failure.id() == ErrorId.HANDSHAKE_REFUSED) {
            search.forget(settled);
        }
        return outcome;
    }

    private EraDetection search(ClientMetadata client) {
        ClientSession clientSession = client.clientSession();
        boolean isOfSession = clientSession != null
                && clientSession.isLegacy()
                && frontTarget.era() == EraPolicy.AUTO
                && frontTarget.connectionGovernor().connectionSharing().isBySession();
        return isOfSession ? ofSessions : shared;
    }

    private static CallFailure stillAsking(Deadline deadline) {
        return deadline.isGivenUp()
                ? CallFailure.cancelledUnsent()
                : CallFailure.notReady(ErrorId.CALL_TIMEOUT, "the server is still starting");
    }

    /// A request that every modern server answers.
    public static Message.Request question() {
        String params = "{\"_meta\":{\"" + ClientMetadata.VERSION + "\":\"" + RequestRefusal.REVISION + "\",\""
                + ClientMetadata.CAPABILITIES + "\":{},\"" + ClientMetadata.INFO
                + "\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}}";
        return Message.Request.of(JsonRpcFrames.request(RequestId.of("discover"), "server/discover", params));
    }

    static ClientMetadata metadata(Message.Request request) {
        return Objects.requireNonNull(ClientMetadata.of(request), "a request of the gateway has metadata");
    }

    // ---- Sessions

    /// Forwards a notification of a session to its own server.
    public void forwardNotification(ClientSession clientSession, byte[] notification) {
        connectionSets().forEach(connectionSet -> connectionSet.forwardNotification(clientSession, notification));
    }

    /// Applies a session's new log level to its own server.
    public void levelChanged(ClientSession clientSession) {
        connectionSets().forEach(connectionSet -> connectionSet.levelChanged(clientSession));
    }

    /// Whether the session has a live connection of its own.
    public boolean hasOwn(ClientSession clientSession) {
        long now = platform.ticker().nanos();
        return connectionSets().stream().anyMatch(connectionSet -> connectionSet.hasOwn(clientSession, now));
    }

    /// Ends the endpoint of a session that has ended.
    public void left(ClientSession clientSession) {
        connectionSets().forEach(connectionSet -> connectionSet.left(clientSession));
    }

    // ---- Detection results

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

    /// Whether the server is known to be modern, and no client uses the legacy era with it.
    public boolean isStateless() {
        List<EraDetection.Finding.Settled> found = settled();
        return !found.isEmpty() && found.stream().allMatch(EraDetection.Finding.Settled::isStateless);
    }

    /// A new health check of the server; each instance keeps its own results.
    public Liveness liveness() {
        return new ConnectionHealthCheck(platform, this::all);
    }

    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        return liveness().checkHealth(since, limit);
    }

    /// On any of its connections.
    @Override
    public boolean hasReceivedSince(long then) {
        return all().stream().anyMatch(slot -> slot.endpoint().hasReceivedSince(then));
    }

    /// Closes all its connections; the next call opens another.
    @Override
    public void disconnect() {
        all().forEach(slot -> slot.endpoint().disconnect());
    }

    /// Closes also those on which its era is being detected.
    @Override
    public void startOver() {
        open.startOver();
    }

    @Override
    public void close() {
        open.close();
    }
}
