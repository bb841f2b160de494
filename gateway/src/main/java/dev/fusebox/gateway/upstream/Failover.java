package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.routing.FailoverRule;
import dev.fusebox.gateway.routing.ReplicaOrder;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Makes a client's calls where they are best made, and at another server when that fails and the other may step
/// in. All that a call tries shares its one deadline. Thread-safe; [#call] blocks for as long as the caller has
/// patience.
final class Failover {
    /// What a result says of who gave it.
    private static final String ANSWERED_BY = "fusebox/server";

    private final UpstreamServers servers;

    /// Where a client of the session era was last, by the name that it asked for: what a server knows of it is
    /// there.
    private final Map<String, UpstreamServer> lasting = new ConcurrentHashMap<>();

    Failover(UpstreamServers servers) {
        this.servers = servers;
    }

    /// Makes the call at one server. Blocks like the call itself.
    @FunctionalInterface
    interface Visit {
        /// Makes the call there.
        ///
        /// @param isFirst whether the call has been nowhere else
        Outcome at(Router.Route route, boolean isFirst);
    }

    Outcome call(Call call, Router.Route route, Router.From from, Visit visit) {
        ReplicaSet replicas = servers.replicas(route.asked());
        UpstreamServer waiting = waiting(call, route, replicas);
        if (waiting != null) {
            Router.Route there = new Router.Route(waiting, route.own(), route.catalogEntry(), route.asked());
            return named(visit.at(there, true), there);
        }
        if (replicas == null) {
            call.slot().toServer(route.upstreamServer().id());
        }
        return replicas == null
                ? backed(call, route, visit)
                : shared(call, routes(inOrder(replicas, from), call, route), from, visit);
    }

    /// Another server than usual that has asked the client something, and now gets its answer; null if none has.
    private @Nullable UpstreamServer waiting(Call call, Router.Route route, @Nullable ReplicaSet replicas) {
        JsonView params = call.request().params();
        if (params == null || params.member("requestState") == null) {
            return null;
        }
        String backup = route.upstreamServer().backup();
        UpstreamServer other = backup == null ? null : servers.server(backup);
        List<UpstreamServer> alone = other == null ? List.of() : List.of(other);
        return (replicas == null ? alone : replicas.servers())
                .stream().filter(each -> each.waitsFor(call)).findFirst().orElse(null);
    }

    // ---- A server and its backup

    private Outcome backed(Call call, Router.Route route, Visit visit) {
        Outcome outcome = visit.at(route, true);
        call.slot().leave();
        Router.Route other = isHandedOn(call, route, outcome) ? backup(call, route) : null;
        return other == null ? outcome : better(outcome, named(visit.at(other, false), other));
    }

    /// The tool of the same name at the server that steps in; null if there is none.
    private Router.@Nullable Route backup(Call call, Router.Route route) {
        String id = route.upstreamServer().backup();
        UpstreamServer backup = id == null ? null : servers.server(id);
        if (backup == null || !isOfTool(call)) {
            return null;
        }
        awaitList(call, backup);
        CatalogEntry catalogEntry = backup.catalogEntry(CatalogKind.TOOLS, route.own());
        return catalogEntry == null ? null : new Router.Route(backup, route.own(), catalogEntry, route.asked());
    }

    /// A backup that nobody has needed yet says now what it has.
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

    // ---- Several that are the same

    private Outcome shared(Call call, List<Router.Route> routes, Router.From from, Visit visit) {
        Outcome outcome = null;
        for (Router.Route route : routes) {
            Outcome next = visit.at(route, outcome == null);
            outcome = outcome == null ? named(next, route) : better(outcome, named(next, route));
            if (!isHandedOn(call, route, next)) {
                remember(route, from);
                break;
            }
        }
        return Objects.requireNonNull(outcome, "somebody is always asked");
    }

    /// A client of the session era stays where it is for as long as it can: only there is known what it has done.
    private List<UpstreamServer> inOrder(ReplicaSet replicas, Router.From from) {
        List<ReplicaOrder.Candidate<UpstreamServer>> candidates = replicas.servers().stream()
                .map(each -> new ReplicaOrder.Candidate<>(each, each.isReady(), each.load()))
                .toList();
        List<UpstreamServer> order = new ArrayList<>(ReplicaOrder.order(candidates));
        UpstreamServer last = from.client().inSession() ? lasting.get(replicas.id()) : null;
        if (last != null && last.isStateful() && last.isReady()) {
            order.sort(Comparator.comparing(each -> !each.equals(last)));
        }
        return order;
    }

    private static List<Router.Route> routes(List<UpstreamServer> servers, Call call, Router.Route route) {
        CatalogKind kind = isOfTool(call) ? CatalogKind.TOOLS : CatalogKind.PROMPTS;
        List<Router.Route> routes = new ArrayList<>();
        for (UpstreamServer upstreamServer : servers) {
            CatalogEntry catalogEntry = upstreamServer.catalogEntry(kind, route.own());
            // Who has said what it offers, and not this, is left out.
            if (catalogEntry != null || !upstreamServer.isKnown()) {
                routes.add(new Router.Route(
                        upstreamServer,
                        route.own(),
                        catalogEntry == null ? route.catalogEntry() : catalogEntry,
                        route.asked()));
            }
        }
        return routes.isEmpty() ? List.of(route) : routes;
    }

    private void remember(Router.Route route, Router.From from) {
        if (from.client().inSession()) {
            lasting.put(route.asked(), route.upstreamServer());
        }
    }

    private static boolean isOfTool(Call call) {
        return call.request().method().equals("tools/call");
    }

    // ---- What came of it

    private static boolean isHandedOn(Call call, Router.Route route, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && FailoverRule.isAllowed(failure, isSafe(route))
                && call.deadline().left() > 0;
    }

    /// The operator's word goes before the server's.
    private static boolean isSafe(Router.Route route) {
        CatalogEntry catalogEntry = route.catalogEntry();
        return switch (route.upstreamServer().retrySafety(route.own())) {
            case RetrySafety.ALWAYS -> true;
            case RetrySafety.NEVER -> false;
            case RetrySafety.SAFE -> catalogEntry != null && catalogEntry.isRepeatable();
        };
    }

    /// What was not even sent elsewhere is told as it was before; and what may have run stays so, whatever came
    /// later.
    private static Outcome better(Outcome before, Outcome after) {
        if (!(after instanceof Outcome.Failed(CallFailure later))
                || !(before instanceof Outcome.Failed(CallFailure earlier))) {
            return after;
        }
        if (later.delivery() == Delivery.NOT_SENT) {
            return before;
        }
        boolean isFurther = earlier.delivery().compareTo(later.delivery()) > 0;
        return isFurther ? new Outcome.Failed(later.reaching(earlier.delivery())) : after;
    }

    /// An answer of another server than the one that was asked says so.
    private static Outcome named(Outcome outcome, Router.Route route) {
        String server = route.upstreamServer().id();
        boolean isAnother = !server.equals(route.asked());
        return isAnother && outcome instanceof Outcome.Answered(Message.Answer answer)
                ? new Outcome.Answered(ResponseRelay.with(answer, ANSWERED_BY, JsonWriter.quoted(server)))
                : outcome;
    }
}
