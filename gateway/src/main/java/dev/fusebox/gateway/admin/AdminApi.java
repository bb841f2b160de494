package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.routing.ToolList;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.http.HttpHandler;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The admin API: status, metrics, logs, events and control of a gateway over HTTP, beside the protocol.
/// Thread-safe; handlers block while a client does not read, and while a server is started for it.
///
/// ```
/// /healthz /readyz              for process supervisors; no other information
/// /  /metrics  GET /api/v1/...  for clients on this machine
/// POST /api/v1/...              for clients with the token
/// ```
public final class AdminApi implements AutoCloseable {
    private static final String API = "/api/v1/";
    private static final String SERVERS = "servers/";

    /// Separates the name of a server from that of its tool.
    private static final String TOOLS = "/tools/";
    private static final String BREAKERS = "breakers/";

    private final Views views;
    private final Supplier<Redactor> secrets;
    private final BreakerRoutes breakers;
    private final EventFeed events;
    private volatile boolean draining;

    /// Null until it serves some.
    private volatile @Nullable ServedClients clients;

    /// The data and operations that the API offers. Immutable.
    ///
    /// @param metrics in the Prometheus text format
    /// @param logBuffer the recent log lines of gateway and servers
    /// @param source the configuration in use
    public record Views(
            ServerReports servers,
            ToolFinder finder,
            Breakers breakers,
            EventLog eventLog,
            AdminControls adminControls,
            Supplier<String> metrics,
            LogBuffer logBuffer,
            Supplier<Source> source) {}

    /// The configuration that a gateway uses. Immutable.
    ///
    /// @param file null if there is no file
    /// @param problems why its last change was rejected; empty if it was applied
    public record Source(@Nullable Path file, List<String> problems) {
        public Source {
            problems = List.copyOf(problems);
        }
    }

    public AdminApi(Platform platform, Views views) {
        this(platform, views, () -> Redactor.NONE);
    }

    /// @param secrets redacted from every response; queried with each request
    public AdminApi(Platform platform, Views views, Supplier<Redactor> secrets) {
        this.views = views;
        this.secrets = secrets;
        this.breakers = new BreakerRoutes(views.breakers());
        this.events = new EventFeed(views.eventLog(), platform.timers());
    }

    /// The handler for a socket that only its owner can open.
    public HttpHandler forOwner() {
        AccessControl accessControl = AccessControl.ofOwner();
        return (request, reply) -> handle(accessControl, request, new RedactedReply(reply, secrets.get()));
    }

    /// The handler for a TCP port.
    ///
    /// @param token queried with each request; null if there is none
    public HttpHandler forAll(Supplier<@Nullable String> token) {
        AccessControl accessControl = AccessControl.of(token);
        return (request, reply) -> handle(accessControl, request, new RedactedReply(reply, secrets.get()));
    }

    /// Reports the gateway as not ready from now on.
    public void drain() {
        draining = true;
        events.close();
    }

    /// Reports these clients from now on.
    public void serving(ServedClients served) {
        clients = served;
    }

    private String state() {
        ServedClients served = clients;
        if (draining) {
            return "draining";
        }
        return served != null && served.isReplaced() ? "replaced" : "serving";
    }

    /// The number of open event streams.
    public int streams() {
        return events.count();
    }

    private void handle(AccessControl accessControl, HttpRequest request, HttpReply reply) throws InterruptedException {
        String path = request.path();
        switch (path) {
            case "/healthz" -> read(request, reply, () -> JsonReplies.text(reply, 200, "ok\n"));
            case "/readyz" -> read(request, reply, () -> ready(reply));
            case "/" -> readIfAllowed(accessControl, request, reply, () -> page(reply));
            case "/metrics" -> readIfAllowed(accessControl, request, reply, () -> metrics(reply));
            default -> {
                if (!path.startsWith(API)) {
                    JsonReplies.problem(reply, 404, "not_found", "no resource at this path");
                } else if (request.method() == HttpMethod.POST) {
                    post(accessControl, path.substring(API.length()), request, reply);
                } else {
                    get(accessControl, path.substring(API.length()), request, reply);
                }
            }
        }
    }

    // ---- Reading

    private static void read(HttpRequest request, HttpReply reply, Runnable answer) {
        if (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD) {
            answer.run();
        } else {
            JsonReplies.wrongMethod(reply, "GET, HEAD");
        }
    }

    private static void readIfAllowed(
            AccessControl accessControl, HttpRequest request, HttpReply reply, Runnable answer) {
        if (accessControl.mayRead(request)) {
            read(request, reply, answer);
        } else {
            JsonReplies.unauthorized(reply, "clients on other machines need the gateway's token");
        }
    }

    private void ready(HttpReply reply) {
        JsonReplies.text(reply, draining ? 503 : 200, draining ? "draining\n" : "ready\n");
    }

    private void page(HttpReply reply) {
        String page = StatusPage.of(views.servers().reports(), views.breakers().snapshots());
        reply.respond(200, StatusPage.headers(), page.getBytes(StandardCharsets.UTF_8));
    }

    private void metrics(HttpReply reply) {
        reply.respond(
                200,
                JsonReplies.of("text/plain; version=0.0.4; charset=utf-8"),
                views.metrics().get().getBytes(StandardCharsets.UTF_8));
    }

    private void get(AccessControl accessControl, String path, HttpRequest request, HttpReply reply) {
        if (path.equals("log")) {
            read(request, reply, () -> log(accessControl, request, reply));
            return;
        }
        readIfAllowed(accessControl, request, reply, () -> {
            switch (path) {
                case "servers" -> JsonReplies.json(reply, 200, servers(accessControl));
                case "breakers" ->
                    JsonReplies.json(
                            reply, 200, BreakerJson.all(views.breakers().snapshots()));
                case "health" ->
                    JsonReplies.json(
                            reply, 200, BreakerJson.health(views.breakers().health()));
                case "stats" ->
                    JsonReplies.json(
                            reply, 200, BreakerJson.stats(views.breakers().snapshots()));
                case "tools" -> tools(request, reply);
                case "events" -> events.handle(request, reply);
                default -> server(path, reply);
            }
        });
    }

    private JsonWriter servers(AccessControl accessControl) {
        JsonWriter json = new JsonWriter().beginObject().name("servers").beginArray();
        List<BreakerSnapshot> breakers = views.breakers().snapshots();
        views.servers().reports().forEach(server -> server.write(json, breakers, false));
        json.endArray();
        // Other users need not know folder names, which may contain the owner's name.
        if (accessControl.isOwner()) {
            Source source = views.source().get();
            Path file = source.file();
            json.name("config").string(file == null ? null : file.toString());
            ServedClients served = clients;
            if (served != null) {
                served.write(json);
            }
            json.name("state").string(state());
            json.name("configProblems").beginArray();
            source.problems().forEach(json::string);
            json.endArray();
        }
        return json.endObject();
    }

    private void server(String path, HttpReply reply) {
        if (!path.startsWith(SERVERS)) {
            JsonReplies.problem(reply, 404, "not_found", "no resource at this path");
            return;
        }
        int end = path.indexOf(TOOLS, SERVERS.length());
        String name = path.substring(SERVERS.length(), end < 0 ? path.length() : end);
        Optional<ServerReport> found = find(name);
        if (found.isEmpty()) {
            unknown(name, reply);
            return;
        }
        if (end >= 0) {
            tool(found.get(), path.substring(end + TOOLS.length()), reply);
            return;
        }
        JsonWriter json = new JsonWriter();
        found.get().write(json, views.breakers().snapshots(), true);
        JsonReplies.json(reply, 200, json);
    }

    /// One tool with its definition, if it is known.
    private static void tool(ServerReport server, String name, HttpReply reply) {
        Optional<ServerSnapshot.Tool> found =
                server.tools().stream().filter(tool -> tool.own().equals(name)).findFirst();
        if (found.isEmpty()) {
            JsonReplies.problem(reply, 404, "unknown_tool", server.name() + " has no known tool \"" + name + "\"");
            return;
        }
        JsonWriter json = new JsonWriter();
        ToolFinder.writeInFull(new ToolList.Row(server.name(), found.get()), json);
        JsonReplies.json(reply, 200, json);
    }

    private Optional<ServerReport> find(String name) {
        List<ServerReport> all = views.servers().reports();
        return all.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /// All tools, or those that match a query. With `wait=true` it waits for the first tool lists of all servers.
    private void tools(HttpRequest request, HttpReply reply) {
        String query;
        boolean waitForLists;
        try {
            query = QueryString.value(request.query(), "query");
            waitForLists = "true".equals(QueryString.value(request.query(), "wait"));
        } catch (IllegalArgumentException malformed) {
            JsonReplies.problem(reply, 400, "invalid_query", "invalid percent-encoding in the query");
            return;
        }
        try {
            if (waitForLists) {
                views.adminControls().awaitFirstLists();
            }
            JsonReplies.json(reply, 200, query == null || query.isBlank() ? all() : found(query));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            JsonReplies.problem(reply, 503, "ending", "the gateway is shutting down");
        }
    }

    private JsonWriter all() {
        JsonWriter json = new JsonWriter().beginObject().name("tools").beginArray();
        for (ServerReport server : views.servers().reports()) {
            server.tools().forEach(tool -> ToolFinder.write(new ToolList.Row(server.name(), tool), json));
        }
        return json.endArray().endObject();
    }

    private JsonWriter found(String query) throws InterruptedException {
        ToolList.Found found = views.finder().find(query);
        JsonWriter json = new JsonWriter().beginObject();
        json.name("search").string(found.isHybrid() ? "hybrid" : "lexical");
        json.name("more").bool(found.hasMore());
        json.name("tools").beginArray();
        found.rows().forEach(row -> ToolFinder.write(row, json));
        return json.endArray().endObject();
    }

    /// Output of servers may contain anything, so it requires the permission to write.
    private void log(AccessControl accessControl, HttpRequest request, HttpReply reply) {
        if (!accessControl.mayWrite(request)) {
            JsonReplies.unauthorized(reply, "reading the log requires the gateway's token");
            return;
        }
        try {
            String after = QueryString.value(request.query(), "after");
            long number = after == null ? 0 : Long.parseLong(after);
            JsonReplies.json(
                    reply,
                    200,
                    LogLinesJson.of(views.logBuffer().after(number, QueryString.value(request.query(), "server"))));
        } catch (IllegalArgumentException malformed) {
            JsonReplies.problem(reply, 400, "invalid_query", "log accepts server=NAME and after=NUMBER");
        }
    }

    // ---- Writing

    private void post(AccessControl accessControl, String path, HttpRequest request, HttpReply reply)
            throws InterruptedException {
        if (!accessControl.mayWrite(request)) {
            JsonReplies.unauthorized(
                    reply,
                    accessControl.hasToken()
                            ? "changes require the header Authorization: Bearer TOKEN, with the content of"
                                    + " admin.token in the folder run of the gateway's home"
                            : "changes are disabled: the gateway has no token; its log has the cause");
        } else if (path.startsWith(BREAKERS)) {
            breakers.change(path.substring(BREAKERS.length()), request, reply);
        } else if (path.startsWith(SERVERS)) {
            control(path.substring(SERVERS.length()), reply);
        } else {
            JsonReplies.problem(reply, 404, "not_found", "no operation at this path");
        }
    }

    /// @param path the part after `servers/`
    private void control(String path, HttpReply reply) throws InterruptedException {
        int slash = path.lastIndexOf('/');
        String name = slash < 0 ? path : path.substring(0, slash);
        Optional<AdminControls.Action> action = AdminControls.Action.spelled(path.substring(slash + 1));
        if (slash < 0 || action.isEmpty()) {
            JsonReplies.problem(
                    reply,
                    404,
                    "not_found",
                    "no such operation; use servers/SERVER/restart, connect, ping, enable or disable");
        } else if (find(name).isEmpty()) {
            unknown(name, reply);
        } else {
            respond(views.adminControls().apply(name, action.get()), reply);
        }
    }

    private static void respond(AdminControls.Result result, HttpReply reply) {
        switch (result) {
            case AdminControls.Result.Done(String message) -> {
                JsonWriter json = new JsonWriter().beginObject().name("message").string(message);
                JsonReplies.json(reply, 200, json.endObject());
            }
            case AdminControls.Result.Failed(String message) -> JsonReplies.problem(reply, 502, "failed", message);
            case AdminControls.Result.Busy(String message) -> JsonReplies.problem(reply, 409, "busy", message);
            case AdminControls.Result.HeldByOperator(String message) ->
                JsonReplies.problem(reply, 409, "withheld", message);
            case AdminControls.Result.NotPossible(String message) ->
                JsonReplies.problem(reply, 501, "not_possible", message);
        }
    }

    private void unknown(String server, HttpReply reply) {
        JsonReplies.problem(reply, 404, "unknown_server", "unknown server " + server + nearest(server));
    }

    private String nearest(String name) {
        List<String> names =
                views.servers().reports().stream().map(ServerReport::name).toList();
        return SpellingSuggestion.nearest(name, names)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
    }

    @Override
    public void close() {
        events.close();
    }
}
