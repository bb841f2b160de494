package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection.Pulse;
import dev.fusebox.gateway.era.ClientMetadata;
import dev.fusebox.gateway.era.ClientSession;
import dev.fusebox.gateway.era.UpstreamEndpoint;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.gateway.tools.GatewayTool;
import dev.fusebox.gateway.tools.GatewayToolCall;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Leads each request to the server that it is for, and answers itself what is about all of them. Thread-safe;
/// [#call] blocks for as long as the caller has patience.
final class Router implements UpstreamEndpoint, ClientSession {
    /// How long a handshake waits for the cached tools of the servers.
    private static final Duration INSTRUCTIONS_WAIT = Duration.ofMillis(300);

    private final Crowd crowd;
    private final Tidings tidings;
    private final Dispatch dispatch;
    private final Set<Deadline> underWay = ConcurrentHashMap.newKeySet();
    private final boolean isSole;
    private final AtomicBoolean arrived = new AtomicBoolean();
    private volatile boolean closed;

    /// For clients of which nobody knows how long they stay.
    Router(Crowd crowd, Audience audience) {
        this(crowd, audience, false);
    }

    /// @param isSole whether all calls are one client's, who stays
    Router(Crowd crowd, Audience audience, boolean isSole) {
        this.crowd = crowd;
        this.isSole = isSole;
        this.dispatch = new Dispatch(crowd);
        this.tidings = new Tidings(crowd, audience);
    }

    /// Where a request goes. Immutable.
    ///
    /// @param own what the server calls what is asked for
    /// @param item what the server says of it; null if it has not said anything
    /// @param asked whom the client asked for: the server, or the team that it is in, or whom it steps in for
    record Route(Member member, String own, @Nullable Item item, String asked) {
        /// To a server of which no more is known.
        static Route to(Member member, String own) {
            return new Route(member, own, null, member.id());
        }
    }

    /// Who calls. Immutable.
    ///
    /// @param client what it says of itself
    /// @param asker whose turn it is when calls wait
    /// @param limit how long it gives a call, in place of the server's own time; null for that
    record From(
            ClientMetadata client, Object asker, @Nullable Duration limit) {
        From(ClientMetadata client, Object asker) {
            this(client, asker, null);
        }

        /// How long a call may take whose server would give it so long. A shorter limit of the caller's is its own
        /// matter, and no fault of the server's.
        Duration time(Duration usual) {
            return limit == null || limit.compareTo(usual) < 0 ? usual : limit;
        }
    }

    @Override
    public Outcome call(Call call, ClientMetadata client) {
        return call(call, new From(isSole ? guest(call, client) : client, this));
    }

    /// A client that only discovers may begin a session next, and would then have two processes of each server.
    private ClientMetadata guest(Call call, ClientMetadata client) {
        ClientMetadata guest = client.of(this);
        if (!call.request().method().equals("server/discover") && arrived.compareAndSet(false, true)) {
            crowd.guests().arrived(guest);
        }
        return guest;
    }

    @Override
    public boolean isHere() {
        return !closed;
    }

    @Override
    public void told(String server, Message.Notification notification) {
        crowd.guests().told(this, server, notification);
    }

    @Override
    public void lost(String server) {
        crowd.guests().lost(this, server);
    }

    Outcome call(Call call, From from) {
        underWay.add(call.deadline());
        try {
            return routed(call, from);
        } finally {
            underWay.remove(call.deadline());
        }
    }

    private Outcome routed(Call call, From from) {
        return switch (call.request().method()) {
            case "tools/call" -> tool(call, from);
            case "prompts/get" -> prompt(call, from);
            case "resources/read" -> resource(call, from);
            case "completion/complete" -> complete(call, from);
            default -> answeredHere(call, from);
        };
    }

    /// Goes to no server, so nothing that does has to wait for it.
    private Outcome answeredHere(Call call, From from) {
        call.slot().leave();
        return switch (call.request().method()) {
            case "server/discover" -> discovered(call);
            case "tools/list" -> list(Kind.TOOLS, call, from.client());
            case "prompts/list" -> list(Kind.PROMPTS, call, from.client());
            case "resources/list" -> list(Kind.RESOURCES, call, from.client());
            case "resources/templates/list" -> list(Kind.TEMPLATES, call, from.client());
            case "subscriptions/listen" -> tidings.listen(call, addresses(from));
            default -> refused(call, JsonRpcErrorCode.METHOD_NOT_FOUND, "unknown method");
        };
    }

    /// The instructions wait a moment for the cached tools of the servers: clients read them only once.
    private Outcome discovered(Call call) {
        try {
            if (!crowd.menu().own().isEmpty()) {
                crowd.lists().awaitMemory(INSTRUCTIONS_WAIT);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelledUnsent());
        }
        return answered(call, OwnAnswers.discovered(crowd.menu(), HandshakeInstructions.of(crowd)));
    }

    // ---- Lists

    private Outcome list(Kind kind, Call call, ClientMetadata client) {
        try {
            crowd.lists().awaitShown(client, ListWait.of(call));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelledUnsent());
        }
        JsonView params = call.request().params();
        Pages.Page page =
                Pages.page(crowd.views().displayed(client).all(kind), params == null ? null : params.string("cursor"));
        crowd.lists().answered();
        return page == null
                ? refused(call, JsonRpcErrorCode.INVALID_PARAMS, "the cursor is none that was given here")
                : answered(call, OwnAnswers.listed(kind, page, client.inSession()));
    }

    // ---- Calls

    private Addresses addresses(From from) {
        return new Addresses(crowd, from.client());
    }

    private Outcome tool(Call call, From from) {
        JsonView name = named(call, "name");
        String shown = name == null ? null : name.string();
        if (name == null || shown == null) {
            return refused(call, JsonRpcErrorCode.INVALID_PARAMS, "the name of the tool is missing");
        }
        GatewayTool own = crowd.menu().own(shown);
        if (own != null) {
            return own(own, call, from);
        }
        Addresses addresses = addresses(from);
        return switch (displayed(addresses, shown)) {
            case Addresses.Found.Nowhere(CallFailure why) ->
                dispatch.nowhere(
                        call,
                        why.at(Addresses.server(shown), Addresses.own(crowd, Kind.TOOLS, shown), List.of()),
                        from);
            case Addresses.Found.At(Route route) -> dispatch.tool(route, call, from);
        };
    }

    /// What is not on the menu is called by a tool of our own.
    private Addresses.Found displayed(Addresses addresses, String shown) {
        Addresses.Found found = addresses.named(Kind.TOOLS, shown);
        boolean isOff = found instanceof Addresses.Found.At(Route route)
                && !crowd.menu().has(route.asked(), route.own());
        String message = shown + " is not a tool of this gateway's own; call tools of servers with mcp_call";
        return isOff ? new Addresses.Found.Nowhere(CallFailure.policy(ErrorCode.UNKNOWN_TOOL, message)) : found;
    }

    /// What it fails with is told as a result, in which models find the whole of it.
    private Outcome own(GatewayTool tool, Call call, From from) {
        if (!tool.isForwarding()) {
            call.slot().leave();
        }
        ResultFormat form = form(from.client());
        ServersOf servers = new ServersOf(crowd, dispatch, from, ListWait.of(call));
        Outcome outcome = tool.call(new GatewayToolCall(call, form, servers, from.asker()));
        return outcome instanceof Outcome.Failed(CallFailure failure) && !isCancelledByClient(failure)
                ? new Outcome.Answered(Message.Answer.of(FailureFrames.structured(call.request(), failure, form))
                        .asOurs())
                : outcome;
    }

    private static ResultFormat form(ClientMetadata client) {
        return client.inSession() ? sessionForm(client.clientSession()) : ResultFormat.STATELESS;
    }

    private static ResultFormat sessionForm(@Nullable ClientSession client) {
        return client == null || client.readsStructuredContent() ? ResultFormat.SESSION : ResultFormat.TEXT_ONLY;
    }

    /// The outcome of a call of a session's client that failed between its rounds, where only the request says
    /// which server and tool it was for.
    Outcome failed(Call call, CallFailure failure, ClientSession client) {
        JsonView name = named(call, "name");
        String shown = name == null ? null : name.string();
        boolean isKnown =
                failure.evidence().context().server() != null || failure.category() == FailureCategory.CANCELLED;
        if (isKnown || shown == null || !call.request().method().equals("tools/call")) {
            return new Outcome.Failed(failure);
        }
        GatewayTool own = crowd.menu().own(shown);
        if (own == null) {
            return new Outcome.Failed(
                    failure.at(Addresses.server(shown), Addresses.own(crowd, Kind.TOOLS, shown), List.of()));
        }
        JsonView arguments = own.isForwarding() ? named(call, "arguments") : null;
        String server = arguments == null ? null : arguments.string("server");
        CallFailure at =
                arguments == null || server == null ? failure : failure.at(server, arguments.string("tool"), List.of());
        return new Outcome.Answered(Message.Answer.of(FailureFrames.structured(call.request(), at, sessionForm(client)))
                .asOurs());
    }

    /// Then no client waits for the answer.
    private static boolean isCancelledByClient(CallFailure failure) {
        return failure.code() == ErrorCode.CANCELLED && failure.category() == FailureCategory.CANCELLED;
    }

    private Outcome prompt(Call call, From from) {
        return read(call, named(call, "name"), Kind.PROMPTS, from);
    }

    private Outcome resource(Call call, From from) {
        return read(call, named(call, "uri"), Kind.RESOURCES, from);
    }

    private Outcome complete(Call call, From from) {
        JsonView address = call.request().frame().path("params", "ref", "uri");
        return address != null
                ? read(call, address, Kind.TEMPLATES, from)
                : read(call, call.request().frame().path("params", "ref", "name"), Kind.PROMPTS, from);
    }

    private static @Nullable JsonView named(Call call, String member) {
        JsonView params = call.request().params();
        return params == null ? null : params.member(member);
    }

    private static String missing(Call call, Kind kind) {
        String member = kind == Kind.PROMPTS ? "name" : "uri";
        return "params." + (call.request().method().equals("completion/complete") ? "ref." : "") + member;
    }

    private Outcome read(Call call, @Nullable JsonView name, Kind kind, From from) {
        String shown = name == null ? null : name.string();
        if (name == null || shown == null) {
            return refused(call, JsonRpcErrorCode.INVALID_PARAMS, missing(call, kind) + " is missing");
        }
        return switch (addresses(from).find(kind, shown)) {
            case Addresses.Found.Nowhere(CallFailure why) -> {
                Outcome refused = dispatch.nowhere(call, why.at(Addresses.server(shown), null, List.of()), from);
                yield why.code() == ErrorCode.UNKNOWN_TOOL
                        ? unknown(call, new Unknown(kind, shown), from.client(), why)
                        : refused;
            }
            case Addresses.Found.At(Route route) -> dispatch.read(route, call, name, from);
        };
    }

    /// What no server here offers.
    private record Unknown(Kind kind, String shown) {}

    /// A resource is named once more for programs (revision 2025-11-25, section "Resources", "Error Handling").
    private static Outcome unknown(Call call, Unknown asked, ClientMetadata client, CallFailure why) {
        String data = asked.kind().isNamed() ? null : "{\"uri\":" + JsonWriter.quoted(asked.shown()) + "}";
        return new Outcome.Answered(Message.Answer.of(
                JsonRpcFrames.error(call.request().id(), missing(asked.kind(), client), why.message(), data)));
    }

    private static int missing(Kind kind, ClientMetadata client) {
        boolean isResource = kind == Kind.RESOURCES && client.inSession();
        return isResource ? JsonRpcErrorCode.RESOURCE_NOT_FOUND : JsonRpcErrorCode.INVALID_PARAMS;
    }

    // ---- Answers

    private static Outcome answered(Call call, String result) {
        return new Outcome.Answered(
                Message.Answer.of(JsonRpcFrames.result(call.request().id(), result)));
    }

    private static Outcome refused(Call call, int code, String why) {
        return new Outcome.Answered(
                Message.Answer.of(JsonRpcFrames.error(call.request().id(), code, why, null)));
    }

    // ---- Signs of life: we live, or nobody would ask

    @Override
    public Pulse pulse(long since, Duration limit) {
        return Pulse.FELT;
    }

    @Override
    public boolean heardSince(long then) {
        return true;
    }

    @Override
    public void disconnect() {
        // There is nothing between us and ourselves.
    }

    /// Ends the calls that are under way; the servers belong to the crowd.
    @Override
    public void close() {
        closed = true;
        underWay.forEach(Deadline::giveUp);
        crowd.guests().left(this);
        crowd.views().left(this);
    }
}
