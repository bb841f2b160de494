package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.ToolList;
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

/// What can be seen of a gateway and done to it over HTTP, beside the protocol. Thread-safe; handlers block while
/// a client does not read, and while a server is started for it.
///
/// ```
/// /healthz /readyz              for whoever starts and stops programs; they tell nothing else
/// /  /metrics  GET /api/v1/...  for those on this machine
/// POST /api/v1/...              for those with the token
/// ```
public final class AdminApi implements AutoCloseable {
    private static final String API = "/api/v1/";
    private static final String SERVERS = "servers/";

    /// Between the name of a server and that of its tool.
    private static final String TOOLS = "/tools/";
    private static final String BREAKERS = "breakers/";

    private final Views views;
    private final Supplier<Redactor> secrets;
    private final BreakerRoutes breakers;
    private final EventFeed events;
    private volatile boolean draining;

    /// What there is to see and to do. Immutable.
    ///
    /// @param metrics in the text format of Prometheus
    /// @param logBuffer what gateway and servers have written
    /// @param source what it runs by
    public record Views(
            ServerReports servers,
            ToolFinder finder,
            Breakers breakers,
            EventLog eventLog,
            AdminControls adminControls,
            Supplier<String> metrics,
            LogBuffer logBuffer,
            Supplier<Source> source) {}

    /// What a gateway runs by. Immutable.
    ///
    /// @param file null if it is no file
    /// @param problems for which its last change is not applied; none if it is
    public record Source(@Nullable Path file, List<String> problems) {
        public Source {
            problems = List.copyOf(problems);
        }
    }

    public AdminApi(Platform platform, Views views) {
        this(platform, views, () -> Redactor.NONE);
    }

    /// @param secrets that nothing shown here may hold, asked with each request
    public AdminApi(Platform platform, Views views, Supplier<Redactor> secrets) {
        this.views = views;
        this.secrets = secrets;
        this.breakers = new BreakerRoutes(views.breakers());
        this.events = new EventFeed(views.eventLog(), platform.timers());
    }

    /// For a socket that only its owner can open.
    public HttpHandler forOwner() {
        AccessControl accessControl = AccessControl.ofOwner();
        return (request, reply) -> handle(accessControl, request, new RedactedReply(reply, secrets.get()));
    }

    /// For a front that others reach.
    ///
    /// @param token is asked for with each request; null if there is none
    public HttpHandler forAll(Supplier<@Nullable String> token) {
        AccessControl accessControl = AccessControl.of(token);
        return (request, reply) -> handle(accessControl, request, new RedactedReply(reply, secrets.get()));
    }

    /// From now on no new work should be sent here.
    public void drain() {
        draining = true;
        events.close();
    }

    /// Streams of events that are open.
    public int streams() {
        return events.count();
    }

    private void handle(AccessControl accessControl, HttpRequest request, HttpReply reply) throws InterruptedException {
        String path = request.path();
        switch (path) {
            case "/healthz" -> read(request, reply, () -> JsonReplies.text(reply, 200, "ok\n"));
            case "/readyz" -> read(request, reply, () -> ready(reply));
            case "/" -> see(accessControl, request, reply, () -> page(reply));
            case "/metrics" -> see(accessControl, request, reply, () -> metrics(reply));
            default -> {
                if (!path.startsWith(API)) {
                    JsonReplies.problem(reply, 404, "not_found", "there is nothing at this path");
                } else if (request.method() == HttpMethod.POST) {
                    post(accessControl, path.substring(API.length()), request, reply);
                } else {
                    get(accessControl, path.substring(API.length()), request, reply);
                }
            }
        }
    }

    // ---- Seeing

    private static void read(HttpRequest request, HttpReply reply, Runnable answer) {
        if (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD) {
            answer.run();
        } else {
            JsonReplies.wrongMethod(reply, "GET, HEAD");
        }
    }

    private static void see(AccessControl accessControl, HttpRequest request, HttpReply reply, Runnable answer) {
        if (accessControl.maySee(request)) {
            read(request, reply, answer);
        } else {
            JsonReplies.unauthorized(reply, "only those on this machine may see this without the token of the gateway");
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
        see(accessControl, request, reply, () -> {
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
        // Names of folders, that of the owner among them, are nobody else's business.
        if (accessControl.isOwners()) {
            Source source = views.source().get();
            Path file = source.file();
            json.name("config").string(file == null ? null : file.toString());
            json.name("configProblems").beginArray();
            source.problems().forEach(json::string);
            json.endArray();
        }
        return json.endObject();
    }

    private void server(String path, HttpReply reply) {
        if (!path.startsWith(SERVERS)) {
            JsonReplies.problem(reply, 404, "not_found", "there is nothing to see at this path");
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

    /// All tools, or those that are for what is asked. With `wait=true` the first lists of all servers are waited
    /// for.
    private void tools(HttpRequest request, HttpReply reply) {
        String query;
        boolean isPatient;
        try {
            query = QueryString.value(request.query(), "query");
            isPatient = "true".equals(QueryString.value(request.query(), "wait"));
        } catch (IllegalArgumentException malformed) {
            JsonReplies.problem(reply, 400, "invalid_query", "the query is not percent-encoded as it should be");
            return;
        }
        try {
            if (isPatient) {
                views.adminControls().awaitFirstLists();
            }
            JsonReplies.json(reply, 200, query == null || query.isBlank() ? all() : found(query));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            JsonReplies.problem(reply, 503, "ending", "the gateway ends");
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
        json.name("search").string(found.byMeaning() ? "hybrid" : "lexical");
        json.name("more").bool(found.hasMore());
        json.name("tools").beginArray();
        found.rows().forEach(row -> ToolFinder.write(row, json));
        return json.endArray().endObject();
    }

    /// What servers write may hold anything, so it is for those only who may change things.
    private void log(AccessControl accessControl, HttpRequest request, HttpReply reply) {
        if (!accessControl.mayChange(request)) {
            JsonReplies.unauthorized(reply, "the log takes the token of the gateway");
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
            JsonReplies.problem(reply, 400, "invalid_query", "log takes server=NAME and after=NUMBER");
        }
    }

    // ---- Changing

    private void post(AccessControl accessControl, String path, HttpRequest request, HttpReply reply)
            throws InterruptedException {
        if (!accessControl.mayChange(request)) {
            JsonReplies.unauthorized(
                    reply,
                    accessControl.canBeOpened()
                            ? "changing something takes the header Authorization: Bearer TOKEN, with what is in"
                                    + " admin.token in the folder run of the gateway's home"
                            : "nothing can be changed here: the gateway has no token; its log says why");
        } else if (path.startsWith(BREAKERS)) {
            breakers.change(path.substring(BREAKERS.length()), request, reply);
        } else if (path.startsWith(SERVERS)) {
            act(path.substring(SERVERS.length()), reply);
        } else {
            JsonReplies.problem(reply, 404, "not_found", "there is nothing to change at this path");
        }
    }

    /// @param path what follows `servers/`
    private void act(String path, HttpReply reply) throws InterruptedException {
        int slash = path.lastIndexOf('/');
        String name = slash < 0 ? path : path.substring(0, slash);
        Optional<AdminControls.Action> action = AdminControls.Action.spelled(path.substring(slash + 1));
        if (slash < 0 || action.isEmpty()) {
            JsonReplies.problem(reply, 404, "not_found", "servers/SERVER/restart, connect, ping, enable or disable");
        } else if (find(name).isEmpty()) {
            unknown(name, reply);
        } else {
            tell(views.adminControls().apply(name, action.get()), reply);
        }
    }

    private static void tell(AdminControls.Result result, HttpReply reply) {
        switch (result) {
            case AdminControls.Result.Done(String message) -> {
                JsonWriter json = new JsonWriter().beginObject().name("message").string(message);
                JsonReplies.json(reply, 200, json.endObject());
            }
            case AdminControls.Result.Failed(String message) -> JsonReplies.problem(reply, 502, "failed", message);
            case AdminControls.Result.Busy(String message) -> JsonReplies.problem(reply, 409, "busy", message);
            case AdminControls.Result.Withheld(String message) -> JsonReplies.problem(reply, 409, "withheld", message);
            case AdminControls.Result.NotPossible(String message) ->
                JsonReplies.problem(reply, 501, "not_possible", message);
        }
    }

    private void unknown(String server, HttpReply reply) {
        JsonReplies.problem(reply, 404, "unknown_server", "there is no server " + server + nearest(server));
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
