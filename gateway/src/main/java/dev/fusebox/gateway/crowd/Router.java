package dev.fusebox.gateway.crowd;

import dev.fusebox.client.Call;
import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence.Alternative;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Upstream.Pulse;
import dev.fusebox.client.lane.LaneCall;
import dev.fusebox.gateway.arguments.Problem;
import dev.fusebox.gateway.stateless.Metadata;
import dev.fusebox.gateway.stateless.Target;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Leads each request to the server that it is for, and answers itself what is about all of them. Thread-safe; [#call]
/// blocks for as long as the caller has patience.
final class Router implements Target {
    private static final int MOST_ALTERNATIVES = 5;

    /// Longer ones no model reads.
    private static final int LONGEST_SCHEMA = 4_000;

    private final Crowd crowd;
    private final Tidings tidings;
    private final Addresses addresses;
    private final StandIns standIns;
    private final Set<Patience> underWay = ConcurrentHashMap.newKeySet();

    Router(Crowd crowd, Audience audience) {
        this.crowd = crowd;
        this.addresses = new Addresses(crowd);
        this.standIns = new StandIns(crowd);
        this.tidings = new Tidings(crowd.world(), audience, addresses);
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
    record From(Metadata client, Object asker) {}

    @Override
    public Outcome call(Call call, Metadata client) {
        return call(call, new From(client, this));
    }

    Outcome call(Call call, From from) {
        underWay.add(call.patience());
        try {
            return routed(call, from);
        } finally {
            underWay.remove(call.patience());
        }
    }

    private Outcome routed(Call call, From from) {
        return switch (call.request().method()) {
            case "server/discover" -> answered(call, OwnAnswers.discovered());
            case "tools/list" -> list(Kind.TOOLS, call, from.client());
            case "prompts/list" -> list(Kind.PROMPTS, call, from.client());
            case "resources/list" -> list(Kind.RESOURCES, call, from.client());
            case "resources/templates/list" -> list(Kind.TEMPLATES, call, from.client());
            case "tools/call" -> tool(call, from);
            case "prompts/get" -> prompt(call, from);
            case "resources/read" -> resource(call, from);
            case "completion/complete" -> complete(call, from);
            case "subscriptions/listen" -> tidings.listen(call);
            default -> refused(call, ErrorCode.METHOD_NOT_FOUND, "there is no such method here");
        };
    }

    // ---- Lists

    private Outcome list(Kind kind, Call call, Metadata client) {
        try {
            crowd.awaitLists();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(Fault.cancelledUnsent());
        }
        JsonView params = call.request().params();
        Pages.Page page = Pages.page(crowd.catalog(), kind, params == null ? null : params.string("cursor"));
        return page == null
                ? refused(call, ErrorCode.INVALID_PARAMS, "the cursor is none that was given here")
                : answered(call, OwnAnswers.listed(kind, page, client.inSession()));
    }

    // ---- Calls

    private Outcome tool(Call call, From from) {
        JsonView name = named(call, "name");
        String shown = name == null ? null : name.string();
        if (name == null || shown == null) {
            return refused(call, ErrorCode.INVALID_PARAMS, "the name of the tool is missing");
        }
        return switch (addresses.named(Kind.TOOLS, shown)) {
            case Addresses.Found.Nowhere(Fault why) ->
                nowhere(call, why.at(Addresses.server(shown), addresses.own(Kind.TOOLS, shown), List.of()), from);
            case Addresses.Found.At(Route route) ->
                told(
                        call,
                        route,
                        standIns.call(
                                call,
                                route,
                                from,
                                (to, isFirst) -> visit(renamed(call, name, to.own()), to, from, isFirst)));
        };
    }

    private Outcome visit(Call call, Route route, From from, boolean isFirst) {
        Fault wrong = wrongArguments(call, route);
        if (wrong != null) {
            return route.member().refused(call, route.item(), from, wrong);
        }
        return isFirst
                ? route.member().call(call, route.item(), from)
                : route.member().stepIn(call, route.item(), from);
    }

    /// A server that is configured and cannot be called has no lane that would see it.
    private Outcome nowhere(Call call, Fault why, From from) {
        Outcome refused = new Outcome.Failed(why);
        String server = why.evidence().context().server();
        return server == null || crowd.absent(server) == null
                ? refused
                : crowd.onlooker()
                        .see(
                                server,
                                new LaneCall(call, LaneCall.Kind.READING, from.asker(), never -> refused),
                                () -> refused);
    }

    /// What is wrong with the arguments, as far as the tool says what they have to be; null if nothing is. It is said
    /// together with the schema, so that the next call can be right.
    private @Nullable Fault wrongArguments(Call call, Route route) {
        Item tool = route.item();
        JsonView schema = tool == null ? null : tool.definition().member("inputSchema");
        List<Problem> problems = schema == null
                ? null
                : crowd.arguments()
                        .check(ShownName.of(route.member().id(), route.own()), schema, named(call, "arguments"));
        if (schema == null || problems == null) {
            return null;
        }
        String listed = problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
        String message = "the arguments of " + route.own() + " are not what it takes: " + listed
                + ". Nothing was sent. Its schema: " + shortened(schema.json());
        return Fault.policy(FaultCode.INVALID_ARGUMENTS, message);
    }

    private static String shortened(String schema) {
        return schema.length() <= LONGEST_SCHEMA ? schema : schema.substring(0, LONGEST_SCHEMA) + "...";
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

    private Outcome read(Call call, @Nullable JsonView name, Kind kind, From from) {
        String shown = name == null ? null : name.string();
        if (name == null || shown == null) {
            return refused(call, ErrorCode.INVALID_PARAMS, "it is not said what is meant");
        }
        return switch (addresses.find(kind, shown)) {
            case Addresses.Found.Nowhere(Fault why)
            when why.code() == FaultCode.UNKNOWN_TOOL -> refused(call, missing(kind, from.client()), why.message());
            case Addresses.Found.Nowhere(Fault why) ->
                new Outcome.Failed(why.at(Addresses.server(shown), null, List.of()));
            case Addresses.Found.At(Route route) ->
                told(
                        call,
                        route,
                        standIns.call(
                                call,
                                route,
                                from,
                                (to, isFirst) -> to.member().read(renamed(call, name, to.own()), from)));
        };
    }

    private static int missing(Kind kind, Metadata client) {
        boolean isResource = kind == Kind.RESOURCES && client.inSession();
        return isResource ? ErrorCode.RESOURCE_NOT_FOUND : ErrorCode.INVALID_PARAMS;
    }

    private static Call renamed(Call call, JsonView name, String own) {
        if (own.equals(name.string())) {
            return call;
        }
        byte[] frame = Splice.of(call.request().frame())
                .replace(name, JsonWriter.quoted(own))
                .bytes();
        return new Call(Message.Request.of(frame), call.patience(), call.caller());
    }

    // ---- Answers

    /// A failure gets the server's name on it.
    private Outcome told(Call call, Route route, Outcome outcome) {
        return outcome instanceof Outcome.Failed(Fault fault)
                ? new Outcome.Failed(fault.at(route.asked(), tool(call, route), alternatives(fault, route)))
                : outcome;
    }

    private static @Nullable String tool(Call call, Route route) {
        return call.request().method().equals("tools/call") ? route.own() : null;
    }

    /// Other servers that are well and have a tool of the same name; none where another server would say the same.
    private List<Alternative> alternatives(Fault fault, Route route) {
        boolean isAboutTheCall = fault.category() == Category.POLICY || fault.category() == Category.PROTOCOL;
        return isAboutTheCall ? List.of() : alternatives(route);
    }

    private List<Alternative> alternatives(Route route) {
        return crowd.catalog().toolsCalled(route.own()).stream()
                .filter(entry ->
                        !entry.server().equals(route.asked()) && entry.member().isHealthy())
                .limit(MOST_ALTERNATIVES)
                .map(entry -> new Alternative(entry.server(), entry.item().own()))
                .toList();
    }

    private static Outcome answered(Call call, String result) {
        return new Outcome.Answered(
                Message.Answer.of(Frames.result(call.request().id(), result)));
    }

    private static Outcome refused(Call call, int code, String why) {
        return new Outcome.Answered(
                Message.Answer.of(Frames.error(call.request().id(), code, why, null)));
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
        underWay.forEach(Patience::giveUp);
    }
}
