package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.gateway.standin.Handover;
import dev.fusebox.gateway.standin.Rota;
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
final class StandIns {
    /// What a result says of who gave it.
    private static final String ANSWERED_BY = "fusebox/server";

    private final Crowd crowd;

    /// Where a client of the session era was last, by the name that it asked for: what a server knows of it is
    /// there.
    private final Map<String, Member> lasting = new ConcurrentHashMap<>();

    StandIns(Crowd crowd) {
        this.crowd = crowd;
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
        Team team = crowd.team(route.asked());
        Member waiting = waiting(call, route, team);
        if (waiting != null) {
            Router.Route there = new Router.Route(waiting, route.own(), route.item(), route.asked());
            return named(visit.at(there, true), there);
        }
        if (team == null) {
            call.slot().toServer(route.member().id());
        }
        return team == null
                ? backed(call, route, visit)
                : shared(call, routes(inOrder(team, from), call, route), from, visit);
    }

    /// Another server than usual that has asked the client something, and now gets its answer; null if none has.
    private @Nullable Member waiting(Call call, Router.Route route, @Nullable Team team) {
        JsonView params = call.request().params();
        if (params == null || params.member("requestState") == null) {
            return null;
        }
        String backup = route.member().backup();
        Member other = backup == null ? null : crowd.member(backup);
        List<Member> alone = other == null ? List.of() : List.of(other);
        return (team == null ? alone : team.members())
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
        String id = route.member().backup();
        Member backup = id == null ? null : crowd.member(id);
        if (backup == null || !isOfTool(call)) {
            return null;
        }
        awaitList(call, backup);
        Item item = backup.item(Kind.TOOLS, route.own());
        return item == null ? null : new Router.Route(backup, route.own(), item, route.asked());
    }

    /// A backup that nobody has needed yet says now what it has.
    private void awaitList(Call call, Member backup) {
        Shelf.Reading reading = backup.want();
        try {
            if (reading != null) {
                call.deadline().await(reading.done(), crowd.platform());
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
    private List<Member> inOrder(Team team, Router.From from) {
        List<Rota.Candidate<Member>> candidates = team.members().stream()
                .map(each -> new Rota.Candidate<>(each, each.isReady(), each.load()))
                .toList();
        List<Member> order = new ArrayList<>(Rota.order(candidates));
        Member last = from.client().inSession() ? lasting.get(team.id()) : null;
        if (last != null && last.isStateful() && last.isReady()) {
            order.sort(Comparator.comparing(each -> !each.equals(last)));
        }
        return order;
    }

    private static List<Router.Route> routes(List<Member> members, Call call, Router.Route route) {
        Kind kind = isOfTool(call) ? Kind.TOOLS : Kind.PROMPTS;
        List<Router.Route> routes = new ArrayList<>();
        for (Member member : members) {
            Item item = member.item(kind, route.own());
            // Who has said what it offers, and not this, is left out.
            if (item != null || !member.isKnown()) {
                routes.add(new Router.Route(member, route.own(), item == null ? route.item() : item, route.asked()));
            }
        }
        return routes.isEmpty() ? List.of(route) : routes;
    }

    private void remember(Router.Route route, Router.From from) {
        if (from.client().inSession()) {
            lasting.put(route.asked(), route.member());
        }
    }

    private static boolean isOfTool(Call call) {
        return call.request().method().equals("tools/call");
    }

    // ---- What came of it

    private static boolean isHandedOn(Call call, Router.Route route, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                && Handover.isAllowed(failure, isSafe(route))
                && call.deadline().left() > 0;
    }

    /// The operator's word goes before the server's.
    private static boolean isSafe(Router.Route route) {
        Item item = route.item();
        return switch (route.member().retrySafety(route.own())) {
            case RetrySafety.ALWAYS -> true;
            case RetrySafety.NEVER -> false;
            case RetrySafety.SAFE -> item != null && item.isRepeatable();
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
        String server = route.member().id();
        boolean isAnother = !server.equals(route.asked());
        return isAnother && outcome instanceof Outcome.Answered(Message.Answer answer)
                ? new Outcome.Answered(ResponseRelay.with(answer, ANSWERED_BY, JsonWriter.quoted(server)))
                : outcome;
    }
}
