package dev.fusebox.gateway.admin;

import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.gateway.config.Spelling;
import dev.fusebox.gateway.crowd.Sight;
import dev.fusebox.gateway.crowd.ToolList;
import dev.fusebox.gateway.diary.Diary;
import dev.fusebox.gateway.events.Chronicle;
import dev.fusebox.gateway.http.Handler;
import dev.fusebox.gateway.http.HttpMethod;
import dev.fusebox.gateway.http.HttpReply;
import dev.fusebox.gateway.http.HttpRequest;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.world.World;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What can be seen of a gateway and done to it over HTTP, beside the protocol. Thread-safe; handlers block while a
/// client does not read, and while a server is started for it.
///
/// ```
/// /healthz /readyz              for whoever starts and stops programs; they tell nothing else
/// /  /metrics  GET /api/v1/...  for those on this machine
/// POST /api/v1/...              for those with the token
/// ```
public final class Admin implements AutoCloseable {
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
    /// @param diary what gateway and servers have written
    /// @param source what it runs by
    public record Views(
            ServerList servers,
            ToolFinder finder,
            Breakers breakers,
            Chronicle chronicle,
            Controls controls,
            Supplier<String> metrics,
            Diary diary,
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

    public Admin(World world, Views views) {
        this(world, views, () -> Redactor.NONE);
    }

    /// @param secrets that nothing shown here may hold, asked with each request
    public Admin(World world, Views views, Supplier<Redactor> secrets) {
        this.views = views;
        this.secrets = secrets;
        this.breakers = new BreakerRoutes(views.breakers());
        this.events = new EventFeed(views.chronicle(), world.timers());
    }

    /// For a socket that only its owner can open.
    public Handler forOwner() {
        Door door = Door.ofOwner();
        return (request, reply) -> handle(door, request, new DiscreetReply(reply, secrets.get()));
    }

    /// For a front that others reach.
    ///
    /// @param token is asked for with each request; null if there is none
    public Handler forAll(Supplier<@Nullable String> token) {
        Door door = Door.of(token);
        return (request, reply) -> handle(door, request, new DiscreetReply(reply, secrets.get()));
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

    private void handle(Door door, HttpRequest request, HttpReply reply) throws InterruptedException {
        String path = request.path();
        switch (path) {
            case "/healthz" -> read(request, reply, () -> Replies.text(reply, 200, "ok\n"));
            case "/readyz" -> read(request, reply, () -> ready(reply));
            case "/" -> see(door, request, reply, () -> page(reply));
            case "/metrics" -> see(door, request, reply, () -> metrics(reply));
            default -> {
                if (!path.startsWith(API)) {
                    Replies.problem(reply, 404, "not_found", "there is nothing at this path");
                } else if (request.method() == HttpMethod.POST) {
                    post(door, path.substring(API.length()), request, reply);
                } else {
                    get(door, path.substring(API.length()), request, reply);
                }
            }
        }
    }

    // ---- Seeing

    private static void read(HttpRequest request, HttpReply reply, Runnable answer) {
        if (request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD) {
            answer.run();
        } else {
            Replies.wrongMethod(reply, "GET, HEAD");
        }
    }

    private static void see(Door door, HttpRequest request, HttpReply reply, Runnable answer) {
        if (door.maySee(request)) {
            read(request, reply, answer);
        } else {
            Replies.unauthorized(reply, "only those on this machine may see this without the token of the gateway");
        }
    }

    private void ready(HttpReply reply) {
        Replies.text(reply, draining ? 503 : 200, draining ? "draining\n" : "ready\n");
    }

    private void page(HttpReply reply) {
        String page = StatusPage.of(views.servers().reports(), views.breakers().snapshots());
        reply.respond(200, StatusPage.headers(), page.getBytes(StandardCharsets.UTF_8));
    }

    private void metrics(HttpReply reply) {
        reply.respond(
                200,
                Replies.of("text/plain; version=0.0.4; charset=utf-8"),
                views.metrics().get().getBytes(StandardCharsets.UTF_8));
    }

    private void get(Door door, String path, HttpRequest request, HttpReply reply) {
        if (path.equals("log")) {
            read(request, reply, () -> log(door, request, reply));
            return;
        }
        see(door, request, reply, () -> {
            switch (path) {
                case "servers" -> Replies.json(reply, 200, servers(door));
                case "breakers" ->
                    Replies.json(reply, 200, BreakerJson.all(views.breakers().snapshots()));
                case "health" ->
                    Replies.json(reply, 200, BreakerJson.health(views.breakers().health()));
                case "stats" ->
                    Replies.json(reply, 200, BreakerJson.stats(views.breakers().snapshots()));
                case "tools" -> tools(request, reply);
                case "events" -> events.handle(request, reply);
                default -> server(path, reply);
            }
        });
    }

    private JsonWriter servers(Door door) {
        JsonWriter json = new JsonWriter().beginObject().name("servers").beginArray();
        List<BreakerSnapshot> breakers = views.breakers().snapshots();
        views.servers().reports().forEach(server -> server.write(json, breakers, false));
        json.endArray();
        // Names of folders, that of the owner among them, are nobody else's business.
        if (door.isOwners()) {
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
            Replies.problem(reply, 404, "not_found", "there is nothing to see at this path");
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
        Replies.json(reply, 200, json);
    }

    /// One tool with its definition, if it is known.
    private static void tool(ServerReport server, String name, HttpReply reply) {
        Optional<Sight.Tool> found =
                server.tools().stream().filter(tool -> tool.own().equals(name)).findFirst();
        if (found.isEmpty()) {
            Replies.problem(reply, 404, "unknown_tool", server.name() + " has no known tool \"" + name + "\"");
            return;
        }
        JsonWriter json = new JsonWriter();
        ToolFinder.writeInFull(new ToolList.Row(server.name(), found.get()), json);
        Replies.json(reply, 200, json);
    }

    private Optional<ServerReport> find(String name) {
        List<ServerReport> all = views.servers().reports();
        return all.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /// All tools, or those that are for what is asked. With `wait=true` the first lists of all servers are waited for.
    private void tools(HttpRequest request, HttpReply reply) {
        String query;
        boolean isPatient;
        try {
            query = Query.value(request.query(), "query");
            isPatient = "true".equals(Query.value(request.query(), "wait"));
        } catch (IllegalArgumentException malformed) {
            Replies.problem(reply, 400, "invalid_query", "the query is not percent-encoded as it should be");
            return;
        }
        try {
            if (isPatient) {
                views.controls().awaitFirstLists();
            }
            Replies.json(reply, 200, query == null || query.isBlank() ? all() : found(query));
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            Replies.problem(reply, 503, "ending", "the gateway ends");
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
    private void log(Door door, HttpRequest request, HttpReply reply) {
        if (!door.mayChange(request)) {
            Replies.unauthorized(reply, "the log takes the token of the gateway");
            return;
        }
        try {
            String after = Query.value(request.query(), "after");
            long number = after == null ? 0 : Long.parseLong(after);
            Replies.json(reply, 200, DiaryJson.of(views.diary().after(number, Query.value(request.query(), "server"))));
        } catch (IllegalArgumentException malformed) {
            Replies.problem(reply, 400, "invalid_query", "log takes server=NAME and after=NUMBER");
        }
    }

    // ---- Changing

    private void post(Door door, String path, HttpRequest request, HttpReply reply) throws InterruptedException {
        if (!door.mayChange(request)) {
            Replies.unauthorized(
                    reply,
                    door.canBeOpened()
                            ? "changing something takes the header Authorization: Bearer TOKEN, with what is in"
                                    + " admin.token in the folder run of the gateway's home"
                            : "nothing can be changed here: the gateway has no token; its log says why");
        } else if (path.startsWith(BREAKERS)) {
            breakers.change(path.substring(BREAKERS.length()), request, reply);
        } else if (path.startsWith(SERVERS)) {
            act(path.substring(SERVERS.length()), reply);
        } else {
            Replies.problem(reply, 404, "not_found", "there is nothing to change at this path");
        }
    }

    /// @param path what follows `servers/`
    private void act(String path, HttpReply reply) throws InterruptedException {
        int slash = path.lastIndexOf('/');
        String name = slash < 0 ? path : path.substring(0, slash);
        Optional<Controls.Action> action = Controls.Action.spelled(path.substring(slash + 1));
        if (slash < 0 || action.isEmpty()) {
            Replies.problem(reply, 404, "not_found", "servers/SERVER/restart, connect, ping, enable or disable");
        } else if (find(name).isEmpty()) {
            unknown(name, reply);
        } else {
            tell(views.controls().apply(name, action.get()), reply);
        }
    }

    private static void tell(Controls.Result result, HttpReply reply) {
        switch (result) {
            case Controls.Result.Done(String message) -> {
                JsonWriter json = new JsonWriter().beginObject().name("message").string(message);
                Replies.json(reply, 200, json.endObject());
            }
            case Controls.Result.Failed(String message) -> Replies.problem(reply, 502, "failed", message);
            case Controls.Result.Busy(String message) -> Replies.problem(reply, 409, "busy", message);
            case Controls.Result.Withheld(String message) -> Replies.problem(reply, 409, "withheld", message);
            case Controls.Result.NotPossible(String message) -> Replies.problem(reply, 501, "not_possible", message);
        }
    }

    private void unknown(String server, HttpReply reply) {
        Replies.problem(reply, 404, "unknown_server", "there is no server " + server + nearest(server));
    }

    private String nearest(String name) {
        List<String> names =
                views.servers().reports().stream().map(ServerReport::name).toList();
        return Spelling.nearest(name, names)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("");
    }

    @Override
    public void close() {
        events.close();
    }
}
