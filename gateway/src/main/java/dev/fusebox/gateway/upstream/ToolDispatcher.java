package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence.Alternative;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.client.resilience.PipelineCall;
import dev.fusebox.config.NullPolicy;
import dev.fusebox.gateway.arguments.ArgumentProblem;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Takes calls to the servers that were found for them. Thread-safe; calls block for as long as the caller has
/// patience.
final class ToolDispatcher {
    private static final int MOST_ALTERNATIVES = 5;

    private final UpstreamServers servers;
    private final Failover failover;
    private final SchemaRefresh schemaRefresh;

    ToolDispatcher(UpstreamServers servers) {
        this.servers = servers;
        this.failover = new Failover(servers);
        this.schemaRefresh = new SchemaRefresh(servers.platform());
    }

    /// Calls a tool, if its arguments are what it takes.
    Outcome tool(Router.Route route, Call call, Router.From from) {
        JsonView name = call.request().frame().path("params", "name");
        Outcome outcome = failover.call(
                call, route, from, (to, isFirst) -> visit(renamed(call, name, to.own()), to, from, isFirst));
        return told(call, route, outcome);
    }

    private Outcome visit(Call call, Router.Route route, Router.From from, boolean isFirst) {
        Checked checked = checked(call, route);
        Visitor visitor = new Visitor(from, isFirst);
        return checked.isAsItCame() || route.upstreamServer().isLive()
                ? visit(checked, route, visitor)
                : visitAgain(call, asked(route, call), visitor);
    }

    /// Who comes, and whether the call has been nowhere else.
    private record Visitor(Router.From from, boolean isFirst) {}

    /// A call after the check of its arguments.
    ///
    /// @param call as it is sent
    /// @param isAsItCame whether nothing was wrong with it
    /// @param wrong why it is not sent; null if it is
    private record Checked(
            Call call, boolean isAsItCame, @Nullable CallFailure wrong) {}

    private Outcome visitAgain(Call call, Router.Route route, Visitor visitor) {
        return visit(checked(call, route), route, visitor);
    }

    private static Outcome visit(Checked checked, Router.Route route, Visitor visitor) {
        if (checked.wrong() != null) {
            return route.upstreamServer()
                    .refused(checked.call(), route.catalogEntry(), visitor.from(), checked.wrong());
        }
        return visitor.isFirst()
                ? route.upstreamServer().call(checked.call(), route.catalogEntry(), visitor.from())
                : route.upstreamServer().stepIn(checked.call(), route.catalogEntry(), visitor.from());
    }

    /// Memory refuses nothing: what is wrong by it may be right by now, and the server is asked.
    private Router.Route asked(Router.Route route, Call call) {
        try {
            schemaRefresh.about(route.upstreamServer(), call);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        CatalogEntry now = route.upstreamServer().catalogEntry(CatalogKind.TOOLS, route.own());
        return new Router.Route(route.upstreamServer(), route.own(), now, route.asked());
    }

    /// A call that reaches no server, because there is none of this name, because it has nothing of this name, or
    /// because it cannot be called. It is observed like every other call.
    Outcome nowhere(Call call, CallFailure why, Router.From from) {
        Outcome refused = new Outcome.Failed(why);
        String server = why.evidence().context().server();
        UpstreamServer upstreamServer = server == null ? null : servers.server(server);
        if (upstreamServer != null) {
            return upstreamServer.refused(call, null, from, why);
        }
        String known = server != null && (servers.unavailableServer(server) != null || servers.replicas(server) != null)
                ? server
                : CallObserver.NO_SERVER;
        PipelineCall never = new PipelineCall(call, PipelineCall.Kind.READING, from.asker(), attempt -> refused);
        return servers.observer().see(known, never, () -> refused);
    }

    /// Reads something that is called by this value of the request.
    Outcome read(Router.Route route, Call call, JsonView name, Router.From from) {
        Outcome outcome = failover.call(
                call, route, from, (to, isFirst) -> to.upstreamServer().read(renamed(call, name, to.own()), from));
        return told(call, route, outcome);
    }

    /// Checks the arguments against the schema of the tool. A mistake is reported together with the schema, so
    /// that the next call can be right.
    private Checked checked(Call call, Router.Route route) {
        CatalogEntry tool = route.catalogEntry();
        JsonView schema = tool == null ? null : tool.definition().member("inputSchema");
        JsonView arguments = arguments(call);
        List<ArgumentProblem> problems =
                schema == null ? null : servers.arguments().check(shown(route), schema, arguments);
        if (schema == null || problems == null) {
            return new Checked(call, true, null);
        }
        JsonView less = arguments == null || servers.nullPolicy() == NullPolicy.STRICT
                ? null
                : servers.arguments().withoutNulls(shown(route), schema, arguments);
        if (arguments != null && less != null) {
            byte[] frame = Splice.of(call.request().frame())
                    .replace(arguments, less.json())
                    .bytes();
            return new Checked(call.with(Message.Request.of(frame)), false, null);
        }
        String listed = problems.stream().map(ArgumentProblem::toString).collect(Collectors.joining("; "));
        String message =
                "the arguments of " + route.own() + " are not what it takes: " + listed + ". Nothing was sent.";
        return new Checked(call, false, CallFailure.wrongArguments(message, schema.json()));
    }

    private static String shown(Router.Route route) {
        return route.upstreamServer().id() + "/" + route.own();
    }

    private static @Nullable JsonView arguments(Call call) {
        return call.request().frame().path("params", "arguments");
    }

    private static Call renamed(Call call, @Nullable JsonView name, String own) {
        if (name == null || own.equals(name.string())) {
            return call;
        }
        byte[] frame = Splice.of(call.request().frame())
                .replace(name, JsonWriter.quoted(own))
                .bytes();
        return call.with(Message.Request.of(frame));
    }

    // ---- What failed

    /// A failure gets the server's name on it.
    private Outcome told(Call call, Router.Route route, Outcome outcome) {
        return outcome instanceof Outcome.Failed(CallFailure failure)
                ? new Outcome.Failed(failure.at(route.asked(), tool(call, route), alternatives(failure, route)))
                : outcome;
    }

    private static @Nullable String tool(Call call, Router.Route route) {
        return call.request().method().equals("tools/call") ? route.own() : null;
    }

    /// Other servers that are well and have a tool of the same name; none where another server would say the same.
    private List<Alternative> alternatives(CallFailure failure, Router.Route route) {
        boolean isAboutTheCall =
                failure.category() == FailureCategory.POLICY || failure.category() == FailureCategory.PROTOCOL;
        boolean isAboutTheServer = failure.code() == ErrorCode.PERMANENTLY_FAILED;
        return isAboutTheCall && !isAboutTheServer ? List.of() : alternatives(route);
    }

    private List<Alternative> alternatives(Router.Route route) {
        return servers.catalog().toolsCalled(route.own()).stream()
                .filter(entry -> !entry.server().equals(route.asked())
                        && entry.upstreamServer().isHealthy())
                .limit(MOST_ALTERNATIVES)
                .map(entry ->
                        new Alternative(entry.server(), entry.catalogEntry().own()))
                .toList();
    }
}
