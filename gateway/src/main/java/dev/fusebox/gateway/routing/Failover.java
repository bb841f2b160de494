package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ServerCatalog;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.gateway.upstream.RequestOrigin;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The choice of servers for a call: the requested one, the replicas of a set in order, or the one that waits for
/// the client's answer; and a backup if a call fails that may be repeated. Thread-safe; [#next] blocks while a
/// backup reads its tool list for the first time.
final class Failover {
    /// The `_meta` key of a result that names the server that answered.
    private static final String ANSWERED_BY = "fusebox/server";

    private final UpstreamServers servers;

    /// The last server of each legacy client, by the name of the replica set: the server may keep state for it.
    private final Map<String, UpstreamServer> lasting = new ConcurrentHashMap<>();

    Failover(UpstreamServers servers) {
        this.servers = servers;
    }

    /// The servers to try for one call, in order. For one thread.
    static final class Candidates {
        private final Call call;
        private final RequestOrigin from;
        private final List<Route> routes;
        private final boolean isReplicated;
        private int tried;

        private Candidates(Call call, RequestOrigin from, List<Route> routes, boolean isReplicated) {
            this.call = call;
            this.from = from;
            this.routes = new ArrayList<>(routes);
            this.isReplicated = isReplicated;
        }

        boolean isFirst() {
            return tried == 1;
        }

        Route take() {
            return routes.get(tried++);
        }
    }

    Candidates candidates(Call call, Route route, RequestOrigin from) {
        ReplicaSet replicas = servers.replicas(route.asked());
        UpstreamServer waiting = waiting(call, route, replicas);
        if (waiting != null) {
            Route there = new Route(waiting, route.own(), route.catalogEntry(), route.asked());
            return new Candidates(call, from, List.of(there), true);
        }
        if (replicas != null) {
            return new Candidates(call, from, routes(inOrder(replicas, from), call, route), true);
        }
        call.slot().toServer(route.upstreamServer().id());
        return new Candidates(call, from, List.of(route), false);
    }

    /// Combines the outcomes of a call so far.
    ///
    /// @param before the best outcome of earlier servers; null if there were none
    Outcome merge(Route route, @Nullable Outcome before, Outcome after) {
        Outcome named = named(after, route);
        return before == null ? named : better(before, named);
    }

    /// The next server for a call; null if its outcome stands.
    @Nullable
    Route next(Candidates candidates, Route last, Outcome outcome) {
        Call call = candidates.call;
        if (!isHandedOn(call, last, outcome)) {
            if (candidates.isReplicated) {
                keepReplica(last, candidates.from);
            }
            return null;
        }
        if (candidates.tried == 1 && !candidates.isReplicated) {
            call.slot().release();
            Route backup = backup(call, last);
            if (backup != null) {
                candidates.routes.add(backup);
            }
        }
        return candidates.tried < candidates.routes.size() ? candidates.take() : null;
    }

    /// Another server that sent the client a request whose response this call carries; null if there is none.
    private @Nullable UpstreamServer waiting(Call call, Route route, @Nullable ReplicaSet replicas) {
        JsonView params = call.request().params();
        if (params == null || params.member("requestState") == null) {
            return null;
        }
        String backup = route.upstreamServer().rules().backup();
        UpstreamServer other = backup == null ? null : servers.server(backup);
        List<UpstreamServer> alone = other == null ? List.of() : List.of(other);
        return (replicas == null ? alone : replicas.servers())
                .stream()
                        .filter(each -> each.calls().answersQuestion(call))
                        .findFirst()
                        .orElse(null);
    }

    // ---- A server and its backup

    /// The tool of the same name at the backup; null if there is none.
    private @Nullable Route backup(Call call, Route route) {
        String id = route.upstreamServer().rules().backup();
        UpstreamServer backup = id == null ? null : servers.server(id);
        if (backup == null || !isOfTool(call)) {
            return null;
        }
        awaitList(call, backup);
        CatalogEntry catalogEntry = backup.names().catalogEntry(CatalogKind.TOOLS, route.own());
        return catalogEntry == null ? null : new Route(backup, route.own(), catalogEntry, route.asked());
    }

    /// A backup reads its tool list when it is needed for the first time.
    private void awaitList(Call call, UpstreamServer backup) {
        ServerCatalog.Reading reading = backup.want();
        try {
            if (reading != null) {
                call.deadline().await(reading.done(), servers.platform());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- Replicas

    /// A legacy client keeps its server as long as that is ready, because of the state it may hold.
    private List<UpstreamServer> inOrder(ReplicaSet replicas, RequestOrigin from) {
        List<ReplicaOrder.Candidate<UpstreamServer>> candidates = replicas.servers().stream()
                .map(each -> new ReplicaOrder.Candidate<>(each, each.isReady(), each.load()))
                .toList();
        List<UpstreamServer> order = new ArrayList<>(ReplicaOrder.order(candidates));
        UpstreamServer last = from.client().isLegacy() ? lasting.get(replicas.id()) : null;
        if (last != null && last.isStateful() && last.isReady()) {
            order.sort(Comparator.comparing(each -> !each.equals(last)));
        }
        return order;
    }

    private static List<Route> routes(List<UpstreamServer> servers, Call call, Route route) {
        CatalogKind kind = isOfTool(call) ? CatalogKind.TOOLS : CatalogKind.PROMPTS;
        List<Route> routes = new ArrayList<>();
        for (UpstreamServer upstreamServer : servers) {
            CatalogEntry catalogEntry = upstreamServer.names().catalogEntry(kind, route.own());
            // Skips a server that is known not to have the tool.
            if (catalogEntry != null || !upstreamServer.isKnown()) {
                routes.add(new Route(
                        upstreamServer,
                        route.own(),
                        catalogEntry == null ? route.catalogEntry() : catalogEntry,
                        route.asked()));
            }
        }
        return routes.isEmpty() ? List.of(route) : routes;
    }

    private void keepReplica(Route route, RequestOrigin from) {
        if (from.client().isLegacy()) {
            lasting.put(route.asked(), route.upstreamServer());
        }
    }

    private static boolean isOfTool(Call call) {
        return call.request().method().equals("tools/call");
    }

    // ---- Outcomes

    private static boolean isHandedOn(Call call, Route route, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && FailoverRule.isAllowed(failure, isSafe(route))
                && call.deadline().left() > 0;
    }

    /// The operator's configuration takes precedence over the server's annotation.
    private static boolean isSafe(Route route) {
        CatalogEntry catalogEntry = route.catalogEntry();
        return switch (route.upstreamServer().rules().retrySafety(route.own())) {
            case RetrySafety.ALWAYS -> true;
            case RetrySafety.NEVER -> false;
            case RetrySafety.SAFE -> catalogEntry != null && catalogEntry.isRepeatable();
        };
    }

    /// A later failure that was not sent does not replace an earlier one. A call that may have run stays such a
    /// call, regardless of later events.
    private static Outcome better(Outcome before, Outcome after) {
        if (!(after instanceof Outcome.Failed(CallFailure later))
                || !(before instanceof Outcome.Failed(CallFailure earlier))) {
            return after;
        }
        if (later.delivery() == Delivery.NOT_SENT) {
            return before;
        }
        boolean isFurther = earlier.delivery().compareTo(later.delivery()) > 0;
        return isFurther ? new Outcome.Failed(later.withDelivery(earlier.delivery())) : after;
    }

    /// An answer from a server other than the requested one names that server.
    private static Outcome named(Outcome outcome, Route route) {
        String server = route.upstreamServer().id();
        boolean isAnother = !server.equals(route.asked());
        return isAnother && outcome instanceof Outcome.Answered(Message.Answer answer)
                ? new Outcome.Answered(ResponseRelay.with(answer, ANSWERED_BY, JsonWriter.quoted(server)))
                : outcome;
    }
}
