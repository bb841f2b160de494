package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence.Alternative;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.config.NullPolicy;
import dev.fusebox.gateway.catalog.CatalogEntry;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.extension.ResultAddresses;
import dev.fusebox.gateway.result.ResultSource;
import dev.fusebox.gateway.session.ResultFormat;
import dev.fusebox.gateway.upstream.RequestOrigin;
import dev.fusebox.gateway.upstream.SchemaRefresh;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import dev.fusebox.schema.ArgumentProblem;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The dispatcher of resolved calls: it checks the arguments of tools, replaces the exposed name by the
/// server's own, and tries replicas and backups. Thread-safe; calls block at most until their deadline.
final class ToolDispatcher {
    private static final int MAX_ALTERNATIVES = 5;

    /// The tool that processes results before they go to a client.
    private static final String SCRIPTS = "mcp_execute";

    private final UpstreamServers servers;
    private final Failover failover;
    private final SchemaRefresh schemaRefresh;
    private final boolean limitsResults;

    ToolDispatcher(UpstreamServers servers) {
        this(servers, new Failover(servers), true);
    }

    private ToolDispatcher(UpstreamServers servers, Failover failover, boolean limitsResults) {
        this.servers = servers;
        this.failover = failover;
        this.schemaRefresh = new SchemaRefresh(servers.platform());
        this.limitsResults = limitsResults;
    }

    /// A dispatcher of calls whose results do not go to a client.
    ToolDispatcher unlimited() {
        return new ToolDispatcher(servers, failover, false);
    }

    /// Makes a call.
    ///
    /// @param route to the server that was asked for
    Outcome dispatch(Route route, Call call, RequestOrigin from) {
        Outcome outcome = null;
        Failover.Candidates candidates = failover.candidates(call, route, from);
        Route to = candidates.take();
        UpstreamServer last = to.upstreamServer();
        while (to != null) {
            Checked checked = isOfTool(call) ? checked(call, to) : new Checked(call, to, null);
            last = to.upstreamServer();
            Outcome next = checked.wrong() == null
                    ? last.calls().make(renamed(checked.call(), to), checked.catalogEntry(), from, candidates.isFirst())
                    : last.calls().refuse(checked.call(), checked.catalogEntry(), from, checked.wrong());
            next = addresses(call, to, from).shown(next);
            outcome = failover.merge(to, outcome, next);
            to = failover.next(candidates, to, next);
        }
        Outcome made = Objects.requireNonNull(outcome, "there is at least one candidate");
        return named(
                call,
                route,
                limitsResults ? limited(made, last.id(), last.rules().maxResultBytes(), from.client()) : made);
    }

    /// A result within the limits for all servers.
    ///
    /// @param source whose result it is
    Outcome limited(Outcome outcome, String source, ClientMetadata client) {
        return limited(outcome, source, ResultSource.NO_LIMIT, client);
    }

    /// What becomes of the results of calls to a server, for those of its tasks.
    UnaryOperator<Outcome> taskResultRules(UpstreamServer server, ClientMetadata client) {
        return outcome -> {
            ResultAddresses resultAddresses =
                    new ResultAddresses(servers.addresses(client), server.id(), "tools/call", null);
            return limited(
                    resultAddresses.shown(outcome), server.id(), server.rules().maxResultBytes(), client);
        };
    }

    /// An answer is that of the last server, since only failures are handed on.
    private Outcome limited(Outcome outcome, String server, long maxBytes, ClientMetadata client) {
        if (servers.results().isWithin(outcome, maxBytes)) {
            return outcome;
        }
        boolean hasScripts = servers.exposurePolicy().own(SCRIPTS) != null;
        return servers.results()
                .limit(
                        outcome,
                        new ResultSource(server, maxBytes, client.principal(), ResultFormat.of(client), hasScripts));
    }

    private ResultAddresses addresses(Call call, Route route, RequestOrigin from) {
        JsonView name = isOfTool(call) ? null : name(call);
        boolean isSame = name != null && route.own().equals(name.string());
        return new ResultAddresses(
                servers.addresses(from.client()),
                route.upstreamServer().id(),
                call.request().method(),
                isSame ? route.own() : null);
    }

    /// Forwards a request of an extension that passes unchanged.
    Outcome forward(UpstreamServer server, Call call, RequestOrigin from) {
        Outcome outcome = server.calls().make(call, null, from, true);
        return outcome instanceof Outcome.Failed(CallFailure failure)
                ? new Outcome.Failed(failure.at(server.id(), null, List.of()))
                : outcome;
    }

    private static boolean isOfTool(Call call) {
        return call.request().method().equals("tools/call");
    }

    /// A call after the check of its arguments.
    ///
    /// @param call as it is sent
    /// @param route with the catalog entry that it was checked against
    /// @param wrong why it is not sent; null if it is
    private record Checked(Call call, Route route, @Nullable CallFailure wrong) {
        @Nullable
        CatalogEntry catalogEntry() {
            return route.catalogEntry();
        }
    }

    /// A schema from the cache refuses nothing: it is read from the server first.
    private Checked checked(Call call, Route route) {
        Checked checked = checkedNow(call, route);
        boolean isUnchanged = checked.wrong() == null && checked.call().equals(call);
        return isUnchanged || route.upstreamServer().isLive() ? checked : checkedNow(call, refreshed(route, call));
    }

    private Route refreshed(Route route, Call call) {
        try {
            schemaRefresh.about(route.upstreamServer(), call);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        CatalogEntry now = route.upstreamServer().names().catalogEntry(CatalogKind.TOOLS, route.own());
        return new Route(route.upstreamServer(), route.own(), now, route.asked());
    }

    /// Refuses a call that has no destination: the server is unknown or unavailable, or does not have the tool.
    /// The refusal is reported to the observer like any other call.
    Outcome refuse(Call call, CallFailure why, RequestOrigin from) {
        String server = why.evidence().context().server();
        UpstreamServer upstreamServer = server == null ? null : servers.server(server);
        if (upstreamServer != null) {
            return upstreamServer.calls().refuse(call, null, from, why);
        }
        Outcome refused = new Outcome.Failed(why);
        String known = server != null && (servers.unavailableServer(server) != null || servers.replicas(server) != null)
                ? server
                : CallObserver.NO_SERVER;
        PipelineCall never = new PipelineCall(call, PipelineCall.Kind.READING, from.asker(), attempt -> refused);
        servers.parameters().observer().begun(known, never).ended(refused);
        return refused;
    }

    /// Checks the arguments against the schema of the tool. The error contains the schema, so that the next
    /// call can be right.
    private Checked checkedNow(Call call, Route route) {
        CatalogEntry tool = route.catalogEntry();
        JsonView schema = tool == null ? null : tool.definition().member("inputSchema");
        JsonView arguments = arguments(call);
        List<ArgumentProblem> problems =
                schema == null ? null : servers.arguments().check(shown(route), schema, arguments);
        if (schema == null || problems == null) {
            return new Checked(call, route, null);
        }
        JsonView less = arguments == null || servers.nullPolicy() == NullPolicy.STRICT
                ? null
                : servers.arguments().withoutNulls(shown(route), schema, arguments);
        if (arguments != null && less != null) {
            byte[] frame = Splice.of(call.request().frame())
                    .replace(arguments, less.json())
                    .bytes();
            return new Checked(call.with(Message.Request.of(frame)), route, null);
        }
        String listed = problems.stream().map(ArgumentProblem::toString).collect(Collectors.joining("; "));
        String message = "invalid arguments for " + shown(route) + ": " + listed + "; the call was not sent";
        return new Checked(call, route, CallFailure.wrongArguments(message, schema.json()));
    }

    private static String shown(Route route) {
        return route.upstreamServer().id() + "/" + route.own();
    }

    private static @Nullable JsonView arguments(Call call) {
        return call.request().frame().path("params", "arguments");
    }

    /// The call with the server's own name.
    private static Call renamed(Call call, Route route) {
        JsonView name = name(call);
        return name == null || route.own().equals(name.string())
                ? call
                : call.edited(Splice.Edit.replace(name, JsonWriter.quoted(route.own())));
    }

    /// The member of the request that holds the name or URI.
    static @Nullable JsonView name(Call call) {
        JsonView frame = call.request().frame();
        return switch (call.request().method()) {
            case "resources/read", "resources/directory/read", "skills/get" -> frame.path("params", "uri");
            case "completion/complete" -> {
                JsonView uri = frame.path("params", "ref", "uri");
                yield uri == null ? frame.path("params", "ref", "name") : uri;
            }
            default -> frame.path("params", "name");
        };
    }

    // ---- Failures

    /// Adds server and tool to a failure.
    private Outcome named(Call call, Route route, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                ? new Outcome.Failed(failure.at(route.asked(), tool(call, route), alternatives(failure, route)))
                : outcome;
    }

    private static @Nullable String tool(Call call, Route route) {
        return isOfTool(call) ? route.own() : null;
    }

    /// Other healthy servers that have a tool of the same name; none if another server would fail in the same way.
    private List<Alternative> alternatives(CallFailure failure, Route route) {
        boolean isAboutTheCall =
                failure.category() == FailureCategory.POLICY || failure.category() == FailureCategory.PROTOCOL;
        boolean isAboutTheServer = failure.code() == ErrorCode.PERMANENTLY_FAILED;
        return isAboutTheCall && !isAboutTheServer ? List.of() : alternatives(route);
    }

    private List<Alternative> alternatives(Route route) {
        return servers.catalog().toolsCalled(route.own()).stream()
                .filter(entry -> !entry.server().equals(route.asked())
                        && entry.isForModels()
                        && entry.upstreamServer().isHealthy())
                .limit(MAX_ALTERNATIVES)
                .map(entry ->
                        new Alternative(entry.server(), entry.catalogEntry().own()))
                .toList();
    }
}
