package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// All ways to a server whose era is known: the one that everybody shares, or several side by side, and those of
/// guests who have their own. Thread-safe; [#call] blocks, as long as the caller has patience.
final class ConnectionSet {
    private final Yard yard;
    private final ConnectionSharing connectionSharing;
    private final Map<ClientSession, ConnectionSlot> own = new ConcurrentHashMap<>();
    private final ConnectionSlots shared;

    /// Makes ways to the server. Nothing here blocks.
    interface Yard {
        /// One more.
        ///
        /// @param owner whose it is; null if many share it
        /// @param isSpare whether there is another already that would do
        UpstreamEndpoint build(@Nullable ClientMetadata owner, boolean isSpare);

        /// Nobody needs this one any more.
        void scrap(UpstreamEndpoint endpoint);
    }

    /// @param first the way on which the era was found out
    /// @param finder who found it out
    ConnectionSet(Yard yard, ConnectionSharing connectionSharing, UpstreamEndpoint first, ClientMetadata finder) {
        this.yard = yard;
        this.connectionSharing = connectionSharing;
        ClientSession clientSession = clientSession(finder);
        this.shared = new ConnectionSlots(connectionSharing.instances(), yard, clientSession == null ? first : null);
        if (clientSession != null) {
            own.put(clientSession, ConnectionSlot.of(first));
            leaveIfGone(clientSession);
        }
    }

    private @Nullable ClientSession clientSession(ClientMetadata client) {
        return connectionSharing.isolation() == Isolation.SESSION ? client.clientSession() : null;
    }

    // ---- Calls

    Outcome call(Call call, ClientMetadata client) {
        ClientSession clientSession = clientSession(client);
        if (clientSession != null) {
            return ownOf(clientSession, client).call(call, client);
        }
        return connectionSharing.instances() > 1 && ConnectionSlot.isWork(call)
                ? sideBySide(call, client)
                : shared.first().call(call, client);
    }

    private ConnectionSlot ownOf(ClientSession clientSession, ClientMetadata client) {
        ConnectionSlot slot =
                own.computeIfAbsent(clientSession, one -> new ConnectionSlot(() -> yard.build(client, false)));
        leaveIfGone(clientSession);
        return slot;
    }

    /// A client that leaves says so first, and this looks for that afterwards: one of the two finds the other.
    private void leaveIfGone(ClientSession clientSession) {
        if (!clientSession.isHere()) {
            left(clientSession);
        }
    }

    private Outcome sideBySide(Call call, ClientMetadata client) {
        Outcome outcome = shared.call(call, client);
        return isForWantOfRoom(outcome) ? shared.first().call(call, client) : outcome;
    }

    /// Where there is no room for one more, those that are there do.
    private static boolean isForWantOfRoom(Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && failure.delivery() == Delivery.NOT_SENT
                && failure.category() == FailureCategory.LOCAL;
    }

    // ---- Guests

    /// A guest tells its own server something.
    void tell(ClientSession clientSession, byte[] notification) {
        ConnectionSlot slot = own.get(clientSession);
        if (slot != null) {
            slot.endpoint().tell(notification);
        }
    }

    /// A guest wants log lines of its own server from another level on.
    void levelChanged(ClientSession clientSession) {
        ConnectionSlot slot = own.get(clientSession);
        if (slot != null && slot.isBuilt()) {
            slot.endpoint().levelChanged();
        }
    }

    /// What was a guest's alone ends.
    void left(ClientSession clientSession) {
        ConnectionSlot slot = own.remove(clientSession);
        if (slot != null) {
            yard.scrap(slot.endpoint());
        }
    }

    /// Those that are there, or have been.
    Collection<ConnectionSlot> all() {
        List<ConnectionSlot> all = new ArrayList<>(shared.built());
        own.values().stream().filter(ConnectionSlot::isBuilt).forEach(all::add);
        return all;
    }
}
