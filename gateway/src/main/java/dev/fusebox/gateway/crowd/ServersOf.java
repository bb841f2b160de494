package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.ServerAccess;
import dev.fusebox.gateway.tools.ServerSummary;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The servers as the gateway's own tools reach them for one client. Thread-safe; [#call] blocks for as long as
/// the caller has patience.
final class ServersOf implements ServerAccess {
    private final Crowd crowd;
    private final Addresses addresses;
    private final Dispatch dispatch;
    private final Router.From from;
    private final ListWait waiter;
    private final Inquiry inquiry;

    /// @param waiter for whom it is done
    ServersOf(Crowd crowd, Dispatch dispatch, Router.From from, ListWait waiter) {
        this.crowd = crowd;
        this.addresses = new Addresses(crowd, from.client());
        this.waiter = waiter;
        this.dispatch = dispatch;
        this.from = from;
        this.inquiry = new Inquiry(crowd.platform());
    }

    @Override
    public Outcome call(String server, Call call, @Nullable Duration limit) {
        JsonView name = call.request().frame().path("params", "name");
        String tool = name == null ? null : name.string();
        if (tool == null) {
            throw new IllegalArgumentException("the request names no tool");
        }
        Member member = crowd.member(server);
        return member == null || limit == null || limit.compareTo(member.timeout()) >= 0
                ? made(server, tool, call, limit)
                : within(limit, call, inner -> made(server, tool, inner, limit));
    }

    /// The caller's own time is shorter than the server's, which nobody is blamed for: the call is given up then,
    /// and the client is told so.
    private Outcome within(Duration limit, Call call, Function<Call, Outcome> work) {
        try (ShorterTime time = new ShorterTime(
                crowd.platform(), call.deadline(), limit, crowd.settings().clientWait())) {
            Outcome outcome = work.apply(call.with(call.request(), time.deadline()));
            return time.isOver()
                            && outcome instanceof Outcome.Failed(CallFailure failure)
                            && failure.code() == ErrorCode.CANCELLED
                    ? new Outcome.Failed(over(failure, limit))
                    : outcome;
        }
    }

    private static CallFailure over(CallFailure failure, Duration limit) {
        String happened = failure.delivery() == Delivery.NOT_SENT
                ? "; nothing was sent, as its server was still starting or had no room: call again with more time"
                : "; what it did is not known";
        String message = "no answer came within the " + limit.toMillis() + " ms that the call was given" + happened;
        return new CallFailure(
                ErrorCode.TIMEOUT, FailureCategory.CANCELLED, failure.delivery(), message, failure.evidence());
    }

    private Outcome made(String server, String tool, Call call, @Nullable Duration limit) {
        if (crowd.team(server) == null) {
            call.slot().toServer(server);
        }
        CallFailure gone = arrived(server, call);
        CallFailure unreached = gone == null ? heard(server, tool, call) : gone;
        if (unreached != null && !isStoodInFor(server)) {
            return dispatch.nowhere(call, unreached.at(server, tool, List.of()), from);
        }
        return switch (addresses.apart(server, tool)) {
            case Addresses.Found.Nowhere(CallFailure why) ->
                dispatch.nowhere(call, why.at(server, tool, List.of()), from);
            case Addresses.Found.At(Router.Route route) ->
                dispatch.tool(route, call, new Router.From(from.client(), from.asker(), limit));
        };
    }

    /// Waits for a server that is just being added.
    private @Nullable CallFailure arrived(String server, Call call) {
        try {
            crowd.expected().await(server, call.deadline());
            return null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return CallFailure.cancelledUnsent();
        }
    }

    private boolean isStoodInFor(String server) {
        Member member = crowd.member(server);
        return member != null && member.backup() != null;
    }

    /// What kept a server from saying what it has keeps it from being called, too: one attempt to connect is
    /// enough for one call.
    private @Nullable CallFailure heard(String server, String tool, Call call) {
        Member member = crowd.member(server);
        if (member == null) {
            return null;
        }
        try {
            crowd.lists().awaitMemory();
            boolean isListed = addresses.apart(server, tool) instanceof Addresses.Found.At(Router.Route route)
                    && route.item() != null;
            return isListed ? null : inquiry.about(member, call);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return CallFailure.cancelledUnsent();
        }
    }

    // ---- What there is

    @Override
    public List<ServerSummary> seen() {
        return crowd.sights().stream().map(Glances::of).toList();
    }

    @Override
    public AvailableTools availableTools(@Nullable String server) throws InterruptedException {
        crowd.lists().awaitTools(server, from.client(), waiter);
        crowd.lists().answered();
        return crowd.views().tools(from.client()).availableTools();
    }
}
