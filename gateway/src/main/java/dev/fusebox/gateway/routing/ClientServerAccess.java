package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.QualifiedToolName;
import dev.fusebox.gateway.tools.ServerAccess;
import dev.fusebox.gateway.tools.ServerSummary;
import dev.fusebox.gateway.upstream.RequestOrigin;
import dev.fusebox.gateway.upstream.SchemaRefresh;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The servers as the gateway tools reach them on behalf of one client. Thread-safe; [#call] blocks at most
/// until the deadline of the call.
final class ClientServerAccess implements ServerAccess {
    private final UpstreamServers servers;
    private final NameResolver resolver;
    private final ToolDispatcher dispatcher;
    private final RequestOrigin from;
    private final FirstListWait waiter;
    private final SchemaRefresh schemaRefresh;

    /// @param waiter the client's wait for first lists
    ClientServerAccess(UpstreamServers servers, ToolDispatcher dispatcher, RequestOrigin from, FirstListWait waiter) {
        this.servers = servers;
        this.resolver = new NameResolver(servers, from.client());
        this.waiter = waiter;
        this.dispatcher = dispatcher;
        this.from = from;
        this.schemaRefresh = new SchemaRefresh(servers.platform());
    }

    @Override
    public Outcome call(String server, Call call, @Nullable Duration limit) {
        JsonView name = call.request().frame().path("params", "name");
        String tool = name == null ? null : name.string();
        if (tool == null) {
            throw new IllegalArgumentException("the request names no tool");
        }
        UpstreamServer upstreamServer = servers.server(server);
        return upstreamServer == null
                        || limit == null
                        || limit.compareTo(upstreamServer.rules().timeout()) >= 0
                ? callTool(server, tool, call, limit)
                : withTimeout(limit, call, inner -> callTool(server, tool, inner, limit));
    }

    /// A limit of the caller that is shorter than the server's timeout does not count against the server: the call
    /// is abandoned, and the client gets an error with that reason.
    private Outcome withTimeout(Duration limit, Call call, Function<Call, Outcome> work) {
        try (TimeoutClamp time = new TimeoutClamp(
                servers.platform(),
                call.deadline(),
                limit,
                servers.parameters().settings().clientWait())) {
            Outcome outcome = work.apply(call.within(time.deadline()));
            return time.isOver()
                            && outcome instanceof Outcome.Failed(CallFailure failure)
                            && failure.code() == ErrorCode.CANCELLED
                    ? new Outcome.Failed(over(failure, limit))
                    : outcome;
        }
    }

    private static CallFailure over(CallFailure failure, Duration limit) {
        String happened = failure.delivery() == Delivery.NOT_SENT
                ? "; the call was not sent: the server was starting or at its limit; call again with a longer timeout"
                : "; the call may have been executed";
        String message = "the call timed out after " + limit.toMillis() + " ms" + happened;
        return new CallFailure(
                ErrorId.CALL_TIMEOUT, FailureCategory.CANCELLED, failure.delivery(), message, failure.evidence());
    }

    private Outcome callTool(String server, String tool, Call call, @Nullable Duration limit) {
        if (servers.replicas(server) == null) {
            call.slot().toServer(server);
        }
        CallFailure gone = awaitAdded(server, call);
        CallFailure unreached = gone == null ? ensureListed(server, tool, call) : gone;
        String name = resolver.withoutServer(server, tool);
        if (unreached != null && !hasBackup(server)) {
            return dispatcher.refuse(call, unreached.at(server, name, List.of()), from);
        }
        return switch (resolver.namedByServer(server, name)) {
            case NameResolver.Found.NotFound(CallFailure why) ->
                dispatcher.refuse(call, why.at(server, name, List.of()), from);
            case NameResolver.Found.At(Route route)
            when isForAppsOnly(route) ->
                dispatcher.refuse(call, onlyForApps(server, name).at(server, name, List.of()), from);
            case NameResolver.Found.At(Route route) ->
                dispatcher.dispatch(route, call, new RequestOrigin(from.client(), from.asker(), limit));
        };
    }

    /// Whether it is a tool that models must not call (extension MCP Apps, section "Visibility"): what calls it here
    /// is a model or a script of one.
    private static boolean isForAppsOnly(Route route) {
        CatalogEntry tool = route.catalogEntry();
        return tool != null && !tool.ui().isForModels();
    }

    private static CallFailure onlyForApps(String server, String tool) {
        return CallFailure.policy(
                ErrorId.UNKNOWN_TOOL,
                server + "/" + tool + " can be called only by the apps of " + server + "; the call was not sent");
    }

    /// Waits for a server that is being added.
    private @Nullable CallFailure awaitAdded(String server, Call call) {
        try {
            servers.pendingServers().await(server, call.deadline());
            return null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return CallFailure.cancelledUnsent();
        }
    }

    private boolean hasBackup(String server) {
        UpstreamServer upstreamServer = servers.server(server);
        return upstreamServer != null && upstreamServer.rules().backup() != null;
    }

    /// A server whose list could not be read because it was unreachable is not tried again for the call: one
    /// connection attempt per call is enough.
    private @Nullable CallFailure ensureListed(String server, String tool, Call call) {
        UpstreamServer upstreamServer = servers.server(server);
        if (upstreamServer == null) {
            return null;
        }
        try {
            servers.catalogWarmup().awaitMemory();
            boolean isListed = resolver.isListed(server, resolver.withoutServer(server, tool));
            return isListed ? null : schemaRefresh.about(upstreamServer, call);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return CallFailure.cancelledUnsent();
        }
    }

    // ---- Catalog

    @Override
    public @Nullable QualifiedToolName qualified(String name) {
        QualifiedToolName qualified = QualifiedToolName.of(name);
        return qualified != null && resolver.isServer(qualified.server()) && !resolver.isShown(name) ? qualified : null;
    }

    @Override
    public List<ServerSummary> serverSummaries() {
        return servers.snapshots().stream().map(ServerSnapshot::summary).toList();
    }

    @Override
    public AvailableTools availableTools(@Nullable String server) throws InterruptedException {
        servers.catalogWarmup().awaitTools(server, from.client(), waiter);
        servers.catalogWarmup().answered();
        return servers.views().tools(from.client()).availableTools();
    }
}
