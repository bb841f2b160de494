package dev.fusebox.gateway.crowd;

import dev.fusebox.gateway.era.ClientMetadata;
import dev.fusebox.gateway.era.ClientSession;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The catalog as single clients see it: the one of all, unless a server offers a client something else on a
/// process of its own. Thread-safe; nothing blocks. Two who look at once may both put a view together.
final class CatalogViews {
    private static final ClientSession TOGETHER = () -> true;

    private final Crowd crowd;
    private final Map<ClientSession, View> views = new ConcurrentHashMap<>();

    CatalogViews(Crowd crowd) {
        this.crowd = crowd;
    }

    /// The catalog of one client. Immutable but for what is put together for searches.
    ///
    /// @param of the catalog of all that it was made from
    /// @param offers what each server offers the client
    private record View(
            Catalog of, Map<Member, Offer> offers, Catalog catalog, Displayed displayed, Searched searched) {
        @SuppressWarnings("ReferenceEquality") // what is equal only would have to be compared tool by tool
        boolean isOf(Catalog base, Map<Member, Offer> now) {
            return of == base
                    && offers.size() == now.size()
                    && now.entrySet().stream().allMatch(entry -> offers.get(entry.getKey()) == entry.getValue());
        }
    }

    Catalog catalog(ClientMetadata client) {
        View view = find(client);
        return view == null ? crowd.catalog() : view.catalog();
    }

    Displayed displayed(ClientMetadata client) {
        View view = find(client);
        return view == null ? crowd.displayed() : view.displayed();
    }

    ToolList tools(ClientMetadata client) {
        View view = find(client);
        return view == null ? crowd.tools() : view.searched().of(view.catalog(), crowd.members());
    }

    void left(ClientSession clientSession) {
        views.remove(clientSession);
    }

    /// Null if the client sees what all see.
    @SuppressWarnings("ReferenceEquality") // equal lists are kept once
    private @Nullable View find(ClientMetadata client) {
        List<Member> members = crowd.members();
        // Compared with what the catalog of all was made from: what a member offers by now may not be in it yet.
        Catalog base = crowd.catalog();
        if (members.stream().allMatch(member -> member.lists().offer(client) == base.offer(member))) {
            return null;
        }
        Map<Member, Offer> offers =
                Catalog.offers(members, member -> member.lists().offer(client));
        ClientSession clientSession = client.clientSession() == null ? TOGETHER : client.clientSession();
        View known = views.get(clientSession);
        return known != null && known.isOf(base, offers) ? known : made(clientSession, base, offers);
    }

    private View made(ClientSession clientSession, Catalog base, Map<Member, Offer> offers) {
        Catalog catalog = new Catalog(offers, List.copyOf(crowd.teams()), base);
        View view = new View(base, offers, catalog, new Displayed(catalog, crowd.menu()), new Searched());
        views.put(clientSession, view);
        // A client that leaves says so first, and this looks for that afterwards: one of the two finds the other.
        if (!clientSession.isHere()) {
            left(clientSession);
        }
        return view;
    }
}
