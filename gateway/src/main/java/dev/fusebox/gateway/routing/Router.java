package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.HealthCheckResult;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.StateLossCause;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.era.UpstreamEndpoint;
import dev.fusebox.gateway.result.ResultLimiter;
import dev.fusebox.gateway.session.ClientHistory;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.gateway.session.SessionState;
import dev.fusebox.gateway.tools.GatewayTool;
import dev.fusebox.gateway.tools.GatewayToolCall;
import dev.fusebox.gateway.tools.QualifiedToolName;
import dev.fusebox.gateway.upstream.RequestOrigin;
import dev.fusebox.gateway.upstream.UpstreamServer;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The router of client requests: it sends each to the server it is for, and answers those about the gateway
/// itself. Thread-safe; [#call] blocks at most until the deadline of the call.
final class Router implements UpstreamEndpoint, ClientSession, RequestOrigin.Anonymous {
    /// How long a handshake waits for the cached tools of the servers.
    private static final Duration INSTRUCTIONS_WAIT = Duration.ofMillis(300);

    private final UpstreamServers upstreamServers;
    private final ListChangeNotifier listChangeNotifier;
    private final ToolDispatcher dispatcher;
    private final TaskRequests taskRequests;
    private final DirectToolResolver directToolResolver;
    private final ExtensionRequests extensionRequests;
    private final Set<Deadline> underWay = ConcurrentHashMap.newKeySet();
    private final @Nullable SessionState sole;
    private final AtomicBoolean arrived = new AtomicBoolean();
    private volatile boolean closed;

    /// @param sole the history of the client from which all calls come, over a permanent connection; null if they
    /// come from many
    Router(UpstreamServers upstreamServers, @Nullable ClientHistory sole) {
        this.upstreamServers = upstreamServers;
        this.sole = sole == null ? null : new SessionState(sole);
        this.dispatcher = new ToolDispatcher(upstreamServers);
        this.directToolResolver = new DirectToolResolver(upstreamServers);
        this.extensionRequests = new ExtensionRequests(upstreamServers);
        this.taskRequests = new TaskRequests(upstreamServers, dispatcher);
        this.listChangeNotifier = new ListChangeNotifier(upstreamServers, taskRequests);
    }

    @Override
    public Outcome call(Call call) {
        Call owned = sole == null ? call : call.of(owner(call));
        return call(owned, new RequestOrigin(owned.client(), this));
    }

    /// A client that only sends `server/discover` may begin a session next, and would then own two processes of
    /// each server.
    private ClientMetadata owner(Call call) {
        ClientMetadata owner = call.client().of(this);
        if (!call.request().method().equals("server/discover") && arrived.compareAndSet(false, true)) {
            upstreamServers.clientSessions().arrived(owner);
        }
        return owner;
    }

    @Override
    public boolean isHere() {
        return !closed;
    }

    @Override
    public void onNotification(String server, Message.Notification notification) {
        upstreamServers.clientSessions().onNotification(this, server, notification);
    }

    @Override
    public void leavesState(String server, long generation) {
        if (sole != null) {
            sole.note(server, generation);
        }
    }

    @Override
    public @Nullable StateLossCause takeStateLoss(String server, long generation) {
        return sole == null ? null : sole.takeLoss(server, generation);
    }

    @Override
    public void lost(String server) {
        upstreamServers.clientSessions().lost(this, server);
    }

    Outcome call(Call call, RequestOrigin from) {
        underWay.add(call.deadline());
        try {
            LoginElicitations elicitations = upstreamServers.loginElicitations();
            LoginElicitations.Step step = elicitations.before(call);
            while (step instanceof LoginElicitations.Step.Send(Call sent, boolean mayAsk)) {
                Outcome outcome = switch (sent.request().method()) {
                    case "tools/call" -> tool(sent, from);
                    case "prompts/get" -> read(sent, CatalogKind.PROMPTS, from);
                    case "resources/read" -> read(sent, CatalogKind.RESOURCES, from);
                    case "skills/get", "resources/directory/read" -> ofSkills(sent, from);
                    case "completion/complete" -> complete(sent, from);
                    case "tasks/get", "tasks/update", "tasks/cancel" -> taskRequests.make(sent, from);
                    default -> forwardedOrAnswered(sent, from);
                };
                step = mayAsk && outcome instanceof Outcome.Failed(CallFailure failure)
                        ? elicitations.after(sent, from, failure)
                        : new LoginElicitations.Step.Done(outcome);
            }
            return inForm(call, from, ((LoginElicitations.Step.Done) step).outcome());
        } finally {
            underWay.remove(call.deadline());
        }
    }

    /// Failures of gateway tools are returned as results, because models see results in full.
    private Outcome inForm(Call call, RequestOrigin from, Outcome outcome) {
        JsonView name = outcome instanceof Outcome.Failed ? named(call, "name") : null;
        String shown = name == null ? null : name.string();
        boolean isOwn = shown != null
                && call.request().method().equals("tools/call")
                && upstreamServers.exposurePolicy().own(shown) != null;
        return isOwn && outcome instanceof Outcome.Failed(CallFailure failure) && !isCancelledByClient(failure)
                ? new Outcome.Answered(Message.Answer.of(
                                FailureFrames.structured(call.request(), failure, ResultFormat.of(from.client())))
                        .asOurs())
                : outcome;
    }

    /// A request of an extension that passes unchanged goes to the only server that announces it.
    private Outcome forwardedOrAnswered(Call call, RequestOrigin from) {
        UpstreamServer server = extensionRequests.server(call.request().method(), from.client());
        return server == null ? answeredHere(call, from) : dispatcher.forward(server, call, from);
    }

    /// Answered by the gateway; releases the send slot, so that no later message waits for it.
    private Outcome answeredHere(Call call, RequestOrigin from) {
        call.slot().release();
        return switch (call.request().method()) {
            case "server/discover" -> discovered(call);
            case "tools/list" -> list(CatalogKind.TOOLS, call, from.client());
            case "prompts/list" -> list(CatalogKind.PROMPTS, call, from.client());
            case "resources/list" -> list(CatalogKind.RESOURCES, call, from.client());
            case "resources/templates/list" -> list(CatalogKind.TEMPLATES, call, from.client());
            case "skills/list" -> skills(call, from.client());
            case "subscriptions/listen" -> listChangeNotifier.listen(call, resolver(from));
            default -> refused(call, JsonRpcErrorCode.METHOD_NOT_FOUND, "unknown method");
        };
    }

    /// Waits a moment for the cached tools of the servers: clients read instructions and extensions only once.
    private Outcome discovered(Call call) {
        try {
            upstreamServers.catalogWarmup().awaitMemory(INSTRUCTIONS_WAIT);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelledUnsent());
        }
        return answered(
                call,
                GatewayResponses.discovered(
                        GatewayResponses.capabilities(
                                upstreamServers.exposurePolicy(),
                                upstreamServers.hasLimitedResults(),
                                extensionRequests.announced(call.client())),
                        HandshakeInstructions.of(upstreamServers),
                        new CacheHints(upstreamServers, call.client()).ofDiscovery()));
    }

    // ---- Lists

    private Outcome list(CatalogKind kind, Call call, ClientMetadata client) {
        try {
            upstreamServers.catalogWarmup().awaitShown(client, FirstListWait.of(call));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelledUnsent());
        }
        return page(kind, call, client);
    }

    /// The skills of all servers, including those whose tools are not exposed.
    private Outcome skills(Call call, ClientMetadata client) {
        try {
            extensionRequests.awaitSkills(call, client);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelledUnsent());
        }
        return extensionRequests.hasSkills(client)
                ? page(CatalogKind.SKILLS, call, client)
                : refused(call, JsonRpcErrorCode.METHOD_NOT_FOUND, "no server has skills");
    }

    private Outcome page(CatalogKind kind, Call call, ClientMetadata client) {
        JsonView params = call.request().params();
        CacheHints.Hint hint = client.isLegacy() ? null : new CacheHints(upstreamServers, client).ofList(kind);
        VisibleCatalog visible = upstreamServers.views().visibleCatalog(client);
        // Clients that render apps may see more.
        boolean isPublic =
                hint != null && hint.isPublic() && visible.all(kind, true).equals(visible.all(kind, false));
        ListPages.Page page =
                ListPages.page(rows(kind, visible, client), params == null ? null : params.string("cursor"), isPublic);
        upstreamServers.catalogWarmup().answered();
        return page == null
                ? refused(call, JsonRpcErrorCode.INVALID_PARAMS, "unknown cursor")
                : answered(call, GatewayResponses.listed(kind, page, hint));
    }

    private List<VisibleCatalog.Row> rows(CatalogKind kind, VisibleCatalog visible, ClientMetadata client) {
        List<VisibleCatalog.Row> rows =
                visible.all(kind, upstreamServers.extensions().listsApps(client));
        return kind == CatalogKind.TEMPLATES && upstreamServers.hasLimitedResults()
                ? Stream.concat(rows.stream(), Stream.of(VisibleCatalog.OF_CUT_RESULTS))
                        .toList()
                : rows;
    }

    // ---- Calls

    private NameResolver resolver(RequestOrigin from) {
        return new NameResolver(upstreamServers, from.client());
    }

    private Outcome tool(Call call, RequestOrigin from) {
        JsonView name = named(call, "name");
        String shown = name == null ? null : name.string();
        if (name == null || shown == null) {
            return refused(call, JsonRpcErrorCode.INVALID_PARAMS, "params.name is missing");
        }
        GatewayTool own = upstreamServers.exposurePolicy().own(shown);
        if (own != null) {
            return own(own, call, from);
        }
        NameResolver resolver = resolver(from);
        return switch (directToolResolver.resolve(resolver, shown, from.client())) {
            case NameResolver.Found.NotFound(CallFailure why) ->
                dispatcher.refuse(
                        call,
                        why.at(
                                NameResolver.server(shown),
                                NameResolver.own(upstreamServers, CatalogKind.TOOLS, shown),
                                List.of()),
                        from);
            case NameResolver.Found.At(Route route) -> dispatcher.dispatch(route, call, from);
        };
    }

    private Outcome own(GatewayTool tool, Call call, RequestOrigin from) {
        if (!tool.isForwarding()) {
            call.slot().release();
        }
        ResultFormat form = ResultFormat.of(from.client());
        ToolDispatcher innerDispatcher = tool.isForwarding() ? dispatcher : dispatcher.unlimited();
        ClientServerAccess servers =
                new ClientServerAccess(upstreamServers, innerDispatcher, from, FirstListWait.of(call));
        Outcome outcome = tool.call(new GatewayToolCall(call, form, servers, from.asker()));
        return tool.mayContainServerResults() ? dispatcher.limited(outcome, tool.name(), from.client()) : outcome;
    }

    /// The outcome of a session's call that failed between its rounds, where only the request tells which
    /// server and tool it was for.
    Outcome failed(Call call, CallFailure failure, ClientSession client) {
        JsonView name = named(call, "name");
        String shown = name == null ? null : name.string();
        boolean isKnown =
                failure.evidence().context().server() != null || failure.category() == FailureCategory.CANCELLED;
        if (isKnown || shown == null || !call.request().method().equals("tools/call")) {
            return new Outcome.Failed(failure);
        }
        GatewayTool own = upstreamServers.exposurePolicy().own(shown);
        if (own == null) {
            return new Outcome.Failed(failure.at(
                    NameResolver.server(shown),
                    NameResolver.own(upstreamServers, CatalogKind.TOOLS, shown),
                    List.of()));
        }
        JsonView arguments = own.isForwarding() ? named(call, "arguments") : null;
        QualifiedToolName named = arguments == null ? null : QualifiedToolName.named(arguments);
        CallFailure at = named == null ? failure : failure.at(named.server(), named.tool(), List.of());
        return new Outcome.Answered(
                Message.Answer.of(FailureFrames.structured(call.request(), at, ResultFormat.of(client)))
                        .asOurs());
    }

    /// No client waits for the answer then.
    private static boolean isCancelledByClient(CallFailure failure) {
        return failure.code() == ErrorCode.CANCELLED && failure.category() == FailureCategory.CANCELLED;
    }

    private Outcome complete(Call call, RequestOrigin from) {
        boolean isOfTemplate = call.request().frame().path("params", "ref", "uri") != null;
        return read(call, isOfTemplate ? CatalogKind.TEMPLATES : CatalogKind.PROMPTS, from);
    }

    private static @Nullable JsonView named(Call call, String member) {
        JsonView params = call.request().params();
        return params == null ? null : params.member(member);
    }

    private static String missing(Call call, CatalogKind kind) {
        String member = kind == CatalogKind.PROMPTS ? "name" : "uri";
        return "params." + (call.request().method().equals("completion/complete") ? "ref." : "") + member;
    }

    private Outcome read(Call call, CatalogKind kind, RequestOrigin from) {
        JsonView name = ToolDispatcher.name(call);
        String shown = name == null ? null : name.string();
        if (name == null || shown == null) {
            return refused(call, JsonRpcErrorCode.INVALID_PARAMS, missing(call, kind) + " is missing");
        }
        if (kind == CatalogKind.RESOURCES && ResultLimiter.isAddress(shown)) {
            call.slot().release();
            return upstreamServers.results().read(call, shown, ResultFormat.of(from.client()));
        }
        return switch (awaitFound(call, kind, shown, resolver(from))) {
            case null -> new Outcome.Failed(CallFailure.cancelledUnsent());
            case NameResolver.Found.NotFound(CallFailure why) -> {
                Outcome refused = dispatcher.refuse(call, why.at(NameResolver.server(shown), null, List.of()), from);
                yield why.code() == ErrorCode.UNKNOWN_TOOL
                        ? unknown(call, new Unknown(kind, shown), from.client(), why)
                        : refused;
            }
            case NameResolver.Found.At(Route route) -> {
                String refusal = extensionRequests.refusal(call.request().method(), route, from.client());
                yield refusal == null
                        ? rememberApp(
                                route,
                                withPrivateScope(route.upstreamServer(), dispatcher.dispatch(route, call, from)),
                                from.client())
                        : refused(call, JsonRpcErrorCode.INVALID_PARAMS, refusal);
            }
        };
    }

    private Outcome ofSkills(Call call, RequestOrigin from) {
        return extensionRequests.hasSkills(from.client())
                ? read(call, CatalogKind.SKILLS, from)
                : answeredHere(call, from);
    }

    /// Remembers whose app the client has read; returns the outcome.
    private Outcome rememberApp(Route route, Outcome outcome, ClientMetadata client) {
        boolean isApp = route.own().startsWith(NameResolver.APP);
        if (isApp && outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null) {
            upstreamServers
                    .lastReadApps()
                    .noteRead(client, route.upstreamServer().id());
        }
        return outcome;
    }

    /// What a server has said to the owner of credentials is for no other, even if the server calls it public.
    private Outcome withPrivateScope(UpstreamServer server, Outcome outcome) {
        boolean isOfOwner = upstreamServers.parameters().userLogins().hasCredentials(server.id());
        return isOfOwner && outcome instanceof Outcome.Answered(Message.Answer answer)
                ? new Outcome.Answered(ResponseRelay.withPrivateScope(answer))
                : outcome;
    }

    /// A URI that is in no known list may belong to a server whose lists have not been read yet. Null if the client
    /// has left meanwhile.
    private NameResolver.@Nullable Found awaitFound(Call call, CatalogKind kind, String shown, NameResolver resolver) {
        NameResolver.Found found = resolver.find(kind, shown);
        boolean mayBeListed = !kind.isNamed()
                && found instanceof NameResolver.Found.NotFound(CallFailure why)
                && why.code() == ErrorCode.UNKNOWN_TOOL;
        if (!mayBeListed) {
            return found;
        }
        call.slot().release();
        try {
            upstreamServers.catalogWarmup().awaitListed(call.client(), FirstListWait.of(call));
            return resolver.find(kind, shown);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// A name or URI that no server offers.
    private record Unknown(CatalogKind kind, String shown) {}

    /// The URI is repeated in the error data (revision 2025-11-25, section "Resources", "Error Handling").
    private static Outcome unknown(Call call, Unknown asked, ClientMetadata client, CallFailure why) {
        String data = asked.kind().isNamed() ? null : "{\"uri\":" + JsonWriter.quoted(asked.shown()) + "}";
        return new Outcome.Answered(Message.Answer.of(
                JsonRpcFrames.error(call.request().id(), missing(asked.kind(), client), why.message(), data)));
    }

    private static int missing(CatalogKind kind, ClientMetadata client) {
        boolean isResource = kind == CatalogKind.RESOURCES && client.isLegacy();
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

    // ---- Liveness: the gateway itself is alive if it is asked

    @Override
    public HealthCheckResult checkHealth(long since, Duration limit) {
        return HealthCheckResult.ALIVE;
    }

    @Override
    public boolean hasReceivedSince(long then) {
        return true;
    }

    @Override
    public boolean holdsState() {
        return upstreamServers.servers().stream()
                .anyMatch(server -> server.sessions().holdsStateOf(this));
    }

    @Override
    public void disconnect() {
        // There is no connection to this gateway itself.
    }

    /// Ends the calls in flight; the servers are closed by their owner.
    @Override
    public void close() {
        closed = true;
        underWay.forEach(Deadline::giveUp);
        upstreamServers.clientSessions().left(this);
        upstreamServers.views().left(this);
        upstreamServers.lastReadApps().left(this);
    }
}
