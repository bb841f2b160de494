package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ConnectionOwner;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.config.ConnectionSharing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The connections to a server whose era is known: one that all clients of the gateway's owner share, or several
/// instances of it, and those that other principals and sessions have for themselves. Thread-safe; nothing blocks.
/// Its monitor is a leaf.
///
/// Among several instances a call takes the most recently used one without a call; if there is none, one that
/// has not been used yet; and otherwise the one with the fewest calls.
final class ConnectionSet {
    private final Factory factory;
    private final ConnectionSharing connectionSharing;
    private final Map<ConnectionOwner, ConnectionSlot> own = new ConcurrentHashMap<>();
    private final List<ConnectionSlot> shared = new ArrayList<>();
    private long lastUse;

    /// Creates and ends endpoints of the server. Nothing here blocks.
    interface Factory {
        /// Creates an endpoint.
        ///
        /// @param owner of the endpoint; null if many clients share it
        /// @param isSpare whether another endpoint would do as well
        UpstreamEndpoint create(@Nullable ClientMetadata owner, boolean isSpare);

        /// Ends an endpoint that is not used any more.
        void end(UpstreamEndpoint endpoint);
    }

    /// @param first the endpoint on which the era was detected
    /// @param finder the client whose call led to the detection
    ConnectionSet(Factory factory, ConnectionSharing connectionSharing, UpstreamEndpoint first, ClientMetadata finder) {
        this.factory = factory;
        this.connectionSharing = connectionSharing;
        ConnectionOwner owner = owner(finder);
        shared.add(owner == null ? ConnectionSlot.of(first) : new ConnectionSlot(() -> factory.create(null, false)));
        for (int i = 1; i < connectionSharing.instances(); i++) {
            shared.add(new ConnectionSlot(() -> factory.create(null, true)));
        }
        if (owner != null) {
            own.put(owner, ConnectionSlot.of(first));
            leaveIfGone(owner);
        }
    }

    private @Nullable ConnectionOwner owner(ClientMetadata client) {
        return ConnectionOwner.of(client, connectionSharing.isBySession());
    }

    // ---- Calls

    /// Selects and enters the slot for a call, to be given back with [#release]; null if the connection on which the
    /// call must be made is gone.
    @Nullable
    ConnectionSlot enter(Call call) {
        Connection place = call.caller().requiredConnection();
        if (place != null) {
            return enter(call, place);
        }
        ConnectionOwner owner = owner(call.client());
        if (owner == null && shared.size() > 1 && ConnectionSlot.isWork(call)) {
            return enterBest();
        }
        ConnectionSlot slot = owner == null ? shared.getFirst() : ownOf(owner, call.client());
        slot.enter(call);
        return slot;
    }

    private @Nullable ConnectionSlot enter(Call call, Connection place) {
        for (ConnectionSlot slot : open()) {
            if (slot.endpoint().isOn(place)) {
                slot.enter(call);
                return slot;
            }
        }
        return null;
    }

    private synchronized ConnectionSlot enterBest() {
        ConnectionSlot best = shared.stream()
                .filter(slot -> slot.calls() == 0)
                .max(Comparator.comparingLong(ConnectionSlot::lastUse).thenComparingInt(slot -> -shared.indexOf(slot)))
                .or(() -> shared.stream()
                        .filter(slot -> slot.lastUse() > 0)
                        .min(Comparator.comparingInt(ConnectionSlot::calls)))
                .orElseGet(shared::getFirst);
        best.enter();
        return best;
    }

    /// Ends a call on its slot.
    ///
    /// @param outcome null if an internal error ended the call
    void release(ConnectionSlot slot, Call call, @Nullable Outcome outcome) {
        slot.leave(call);
        if (shared.size() > 1 && ConnectionSlot.isWork(call) && outcome instanceof Outcome.Answered) {
            used(slot);
        }
    }

    private synchronized void used(ConnectionSlot slot) {
        slot.used(++lastUse);
    }

    /// Selects and enters another slot for a call whose instance found no room; null if the outcome stands.
    @Nullable
    ConnectionSlot next(ConnectionSlot slot, Call call, Outcome outcome) {
        ConnectionSlot first = shared.getFirst();
        boolean hasNoRoom = outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.delivery() == Delivery.NOT_SENT
                && failure.category() == FailureCategory.LOCAL;
        boolean isPlaced = call.caller().requiredConnection() != null;
        if (!hasNoRoom || isPlaced || slot.equals(first) || !shared.contains(slot)) {
            return null;
        }
        first.enter(call);
        return first;
    }

    private ConnectionSlot ownOf(ConnectionOwner owner, ClientMetadata client) {
        ConnectionSlot slot =
                own.computeIfAbsent(owner, one -> new ConnectionSlot(() -> factory.create(client, false)));
        leaveIfGone(owner);
        return slot;
    }

    /// A session that ends is marked first: checked here after the slot has become visible.
    private void leaveIfGone(ConnectionOwner owner) {
        ClientSession session = owner.clientSession();
        if (session != null && !session.isHere()) {
            left(session);
        }
    }

    // ---- Sessions

    /// Forwards a notification of a session to its own server.
    void forwardNotification(ClientSession session, byte[] notification) {
        ConnectionSlot slot = own.get(ConnectionOwner.of(session));
        if (slot != null) {
            slot.endpoint().sendNotification(notification);
        }
    }

    /// Applies a session's new log level.
    void levelChanged(ClientSession session) {
        ConnectionSlot slot = own.get(ConnectionOwner.of(session));
        if (slot != null && slot.isOpen()) {
            slot.endpoint().levelChanged();
        }
    }

    /// Whether the session has a live connection of its own.
    ///
    /// @param now by the monotonic clock
    boolean hasOwn(ClientSession session, long now) {
        ConnectionSlot slot = own.get(ConnectionOwner.of(session));
        return slot != null && slot.isOpen() && slot.endpoint().hasReceived(now);
    }

    /// Ends the endpoint of a session that has ended.
    void left(ClientSession session) {
        ConnectionSlot slot = own.remove(ConnectionOwner.of(session));
        if (slot != null) {
            factory.end(slot.endpoint());
        }
    }

    /// Whether there is neither a call nor a live connection on which the server has sent anything.
    ///
    /// @param now by the monotonic clock
    boolean isUnused(long now) {
        return open().stream()
                .noneMatch(slot -> slot.calls() > 0 || slot.endpoint().hasReceived(now));
    }

    /// Ends all endpoints.
    void end() {
        open().forEach(slot -> factory.end(slot.endpoint()));
    }

    /// The slots whose endpoints were created.
    Collection<ConnectionSlot> open() {
        return Stream.concat(shared.stream(), own.values().stream())
                .filter(ConnectionSlot::isOpen)
                .toList();
    }
}
