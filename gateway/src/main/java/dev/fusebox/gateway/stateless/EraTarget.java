package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.client.resilience.Liveness;
import dev.fusebox.gateway.served.EraPolicy;
import dev.fusebox.gateway.served.Isolation;
import dev.fusebox.gateway.served.Served;
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

/// A server whose era is found out at its first use, once for all callers. Thread-safe; [#call] blocks.
///
/// A process that belongs to one client of the session era speaks that era if the server can: what it asks its
/// client on its own is heard in that era only. All others speak the stateless era with a server of both.
///
/// Once it is closed nothing is found out any more, and what is being found out ends.
public final class EraTarget implements Target {
    private final Platform platform;
    private final Served served;
    private final EraMemory memory;
    private final OpenTargets open = new OpenTargets();
    private final Shipyard yard;
    private final EraSearch shared;

    /// For processes that belong to one client of the session era, of a server that may speak both.
    private final EraSearch ofSessions;

    public EraTarget(Platform platform, Served served, RandomGenerator secrets) {
        this(platform, served, secrets, EraMemory.NONE);
    }

    /// @param memory keeps what was found out
    public EraTarget(Platform platform, Served served, RandomGenerator secrets, EraMemory memory) {
        this.platform = platform;
        this.served = served;
        this.memory = memory;
        this.yard = new Shipyard(platform, served, secrets, open);
        this.shared = new EraSearch(platform, yard, memory, this::remembered);
        this.ofSessions = new EraSearch(platform, yard, memory, () -> EraProbe.Expected.HANDSHAKE);
    }

    private EraProbe.Expected remembered() {
        return switch (memory.recall()) {
            case null -> served.eras().isGreetedFirst() ? EraProbe.Expected.HANDSHAKE : EraProbe.Expected.ANYTHING;
            case LEGACY -> EraProbe.Expected.HANDSHAKE;
            case MODERN -> EraProbe.Expected.DISCOVERY;
        };
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        call.slot().connecting();
        return switch (search(client).find(call.deadline(), client)) {
            case null -> new Outcome.Failed(stillAsking(call.deadline()));
            case EraSearch.Finding.Unreachable(CallFailure failure) -> new Outcome.Failed(failure);
            case EraSearch.Finding.Settled settled -> settled.fleet().call(call, client);
        };
    }

    private EraSearch search(Metadata client) {
        Guest guest = client.guest();
        boolean isOfSession = guest != null
                && guest.isOfSessionEra()
                && served.era() == EraPolicy.AUTO
                && served.oversight().sharing().isolation() == Isolation.SESSION;
        return isOfSession ? ofSessions : shared;
    }

    private static CallFailure stillAsking(Deadline deadline) {
        return deadline.isGivenUp()
                ? CallFailure.cancelledUnsent()
                : CallFailure.notReady(ErrorCode.TIMEOUT, "the server is still starting");
    }

    /// What every server of the stateless era answers.
    public static Message.Request question() {
        String params =
                "{\"_meta\":{\"" + Metadata.VERSION + "\":\"" + Refusal.REVISION + "\",\"" + Metadata.CAPABILITIES
                        + "\":{},\"" + Metadata.INFO + "\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}}";
        return Message.Request.of(JsonRpcFrames.request(RequestId.of("discover"), "server/discover", params));
    }

    static Metadata metadata(Message.Request request) {
        return Objects.requireNonNull(Metadata.of(request), "our own request has its metadata");
    }

    // ---- Guests

    /// A guest tells its own server something.
    public void tell(Guest guest, byte[] notification) {
        fleets().forEach(fleet -> fleet.tell(guest, notification));
    }

    /// A guest wants log lines of its own server from another level on.
    public void levelChanged(Guest guest) {
        fleets().forEach(fleet -> fleet.levelChanged(guest));
    }

    /// What was a guest's alone ends.
    public void left(Guest guest) {
        fleets().forEach(fleet -> fleet.left(guest));
    }

    // ---- What was found

    private List<EraSearch.Finding.Settled> settled() {
        return Stream.of(shared, ofSessions)
                .flatMap(search -> Optional.ofNullable(search.settled()).stream())
                .toList();
    }

    private List<Fleet> fleets() {
        return settled().stream().map(EraSearch.Finding.Settled::fleet).toList();
    }

    private Collection<Berth> all() {
        return fleets().stream().flatMap(fleet -> fleet.all().stream()).toList();
    }

    /// Whether it is known to be of the stateless era, and that no client speaks another era with it.
    public boolean isStateless() {
        List<EraSearch.Finding.Settled> found = settled();
        return !found.isEmpty() && found.stream().allMatch(EraSearch.Finding.Settled::isStateless);
    }

    /// For whoever doubts that the server lives; each remembers what it has found.
    public Liveness liveness() {
        return new Checkup(platform, this::all);
    }

    @Override
    public ReconnectingConnection.Pulse pulse(long since, Duration limit) {
        return liveness().pulse(since, limit);
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
