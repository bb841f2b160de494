package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.served.Isolation;
import dev.fusebox.gateway.served.Sharing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// All ways to a server whose era is known: the one that everybody shares, or several side by side, and those of
/// guests who have their own. Thread-safe; [#call] blocks, as long as the caller has patience.
final class Fleet {
    private final Yard yard;
    private final Sharing sharing;
    private final Map<Guest, Berth> own = new ConcurrentHashMap<>();
    private final Berths shared;

    /// Makes ways to the server. Nothing here blocks.
    interface Yard {
        /// One more.
        ///
        /// @param guest whose it is; null if many share it
        /// @param isSpare whether there is another already that would do
        Target build(@Nullable Metadata guest, boolean isSpare);

        /// Nobody needs this one any more.
        void scrap(Target target);
    }

    /// @param first the way on which the era was found out
    /// @param finder who found it out
    Fleet(Yard yard, Sharing sharing, Target first, Metadata finder) {
        this.yard = yard;
        this.sharing = sharing;
        Guest guest = guest(finder);
        this.shared = new Berths(sharing.instances(), yard, guest == null ? first : null);
        if (guest != null) {
            own.put(guest, Berth.of(first));
            leaveIfGone(guest);
        }
    }

    private @Nullable Guest guest(Metadata client) {
        return sharing.isolation() == Isolation.SESSION ? client.guest() : null;
    }

    // ---- Calls

    Outcome call(Call call, Metadata client) {
        Guest guest = guest(client);
        if (guest != null) {
            return ownOf(guest, client).call(call, client);
        }
        return sharing.instances() > 1 && Berth.isWork(call)
                ? sideBySide(call, client)
                : shared.first().call(call, client);
    }

    private Berth ownOf(Guest guest, Metadata client) {
        Berth berth = own.computeIfAbsent(guest, one -> new Berth(() -> yard.build(client, false)));
        leaveIfGone(guest);
        return berth;
    }

    /// A client that leaves says so first, and this looks for that afterwards: one of the two finds the other.
    private void leaveIfGone(Guest guest) {
        if (!guest.isHere()) {
            left(guest);
        }
    }

    private Outcome sideBySide(Call call, Metadata client) {
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
    void tell(Guest guest, byte[] notification) {
        Berth berth = own.get(guest);
        if (berth != null) {
            berth.target().tell(notification);
        }
    }

    /// A guest wants log lines of its own server from another level on.
    void levelChanged(Guest guest) {
        Berth berth = own.get(guest);
        if (berth != null && berth.isBuilt()) {
            berth.target().levelChanged();
        }
    }

    /// What was a guest's alone ends.
    void left(Guest guest) {
        Berth berth = own.remove(guest);
        if (berth != null) {
            yard.scrap(berth.target());
        }
    }

    /// Those that are there, or have been.
    Collection<Berth> all() {
        List<Berth> all = new ArrayList<>(shared.built());
        own.values().stream().filter(Berth::isBuilt).forEach(all::add);
        return all;
    }
}
