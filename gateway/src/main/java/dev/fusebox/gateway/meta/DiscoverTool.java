package dev.fusebox.gateway.meta;

import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.VisibleText;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `mcp_discover`: says which servers there are and how they are, and finds tools by what they are for. Thread-safe; a
/// call blocks for a second at most.
public final class DiscoverTool implements OwnTool {
    private static final long MOST = 100;
    private static final String FULL = "full";
    private static final int LONGEST_BRIEF = 160;
    private static final int MOST_NAMES = 20;

    /// What is still being connected to has mostly said what it has by then.
    private static final Duration SOON = Duration.ofSeconds(1);

    /// Who searches first of all would take what little is found for all that there is.
    private static final String ONLY_WORDS = "found by their words alone, as what tools are for is still being read:"
            + " search again in a few seconds if none of them fits";

    private static final String DEFINITION = """
            {"name":"mcp_discover","title":"Find tools",\
            "description":"Find tools on all connected servers. Say in plain words what you want to do; you get the \
            best matches with the inputSchema to call them by mcp_call at once. Without query: the list of servers and \
            their state. A server in `unavailable` is down, or not known yet: look again after its retryAfterMs.",\
            "inputSchema":{"type":"object","properties":{\
            "query":{"type":"string","description":"what the tool should do"},\
            "server":{"type":"string","description":"only this server"},\
            "limit":{"type":"integer","minimum":1,"maximum":100,"default":LIMIT},\
            "detail":{"enum":["full","brief"],"description":"brief: names and first lines, no schemas"}},\
            "additionalProperties":false},\
            "annotations":{"readOnlyHint":true,"openWorldHint":false}}""";

    private final ToolSearch search;
    private final int usualLimit;
    private final String definition;

    /// @param usualLimit how many tools are found if nobody says how many
    public DiscoverTool(ToolSearch search, int usualLimit) {
        this.search = search;
        this.usualLimit = usualLimit;
        this.definition = DEFINITION.replace("LIMIT", Integer.toString(usualLimit));
    }

    @Override
    public String name() {
        return "mcp_discover";
    }

    @Override
    public String definition() {
        return definition;
    }

    /// What is looked for.
    private record Wish(@Nullable String query, @Nullable String server, int limit, boolean isFull) {}

    @Override
    public Outcome call(Order order) {
        Arguments arguments = Arguments.of(order, Set.of("query", "server", "limit", "detail"));
        String query = arguments.text("query");
        String server = arguments.text("server");
        Long limit = arguments.number("limit", MOST);
        boolean isFull = arguments.choice("detail", List.of(FULL, "brief")).equals(FULL);
        Optional<Fault> fault = arguments.fault(this);
        if (fault.isPresent()) {
            return new Outcome.Failed(fault.get());
        }
        int most = limit == null ? usualLimit : limit.intValue();
        try {
            return answered(order, new Wish(query, server, most, isFull));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(Fault.cancelledUnsent());
        }
    }

    private Outcome answered(Order order, Wish wish) throws InterruptedException {
        Offered offered = order.servers().offered(wish.server());
        Map<String, ServerSeen> seen = new HashMap<>();
        List<ServerSeen> all = order.servers().seen();
        List<ServerSeen> servers = all.stream()
                .filter(server -> wish.server() == null || server.name().equals(wish.server()))
                .toList();
        if (wish.server() != null && servers.isEmpty()) {
            return new Outcome.Failed(unknown(wish.server(), all));
        }
        servers.forEach(server -> seen.put(server.name(), server));
        JsonWriter answer = new JsonWriter().beginObject();
        boolean isSearch = wish.query() != null && !wish.query().isBlank();
        if (!isSearch) {
            search.prepare(offered);
            answer.name("servers").beginArray();
            servers.forEach(server -> server(server, answer));
            answer.endArray();
        }
        if (isSearch || wish.server() != null) {
            ToolSearch.Found found = found(offered, wish, order.call().patience());
            tools(found, wish, seen, answer);
            if (isSearch && !found.byMeaning() && search.willKnowMeaning()) {
                answer.name("note").string(ONLY_WORDS);
            }
            answer.name("unavailable").beginArray();
            servers.stream().filter(DiscoverTool::isUnavailable).forEach(server -> unavailable(server, answer));
            answer.endArray();
        }
        return order.answer(VisibleText.json(answer.endObject().toString()));
    }

    /// No tools at all would read as if the server had none.
    private static Fault unknown(String server, List<ServerSeen> there) {
        String names = there.stream().map(ServerSeen::name).limit(MOST_NAMES).collect(Collectors.joining(", "));
        String more = there.size() > MOST_NAMES ? ", and " + (there.size() - MOST_NAMES) + " more" : "";
        String what = there.isEmpty() ? "none is configured" : "there are " + names + more;
        return Fault.policy(FaultCode.UNKNOWN_SERVER, "there is no server \"" + server + "\"; " + what)
                .at(server, null, List.of());
    }

    private static boolean isUnavailable(ServerSeen server) {
        return server.isDown() || !server.isListed();
    }

    // ---- Servers

    private static void server(ServerSeen server, JsonWriter answer) {
        answer.beginObject().name("name").string(server.name());
        answer.name("status").string(server.status());
        answer.name("statusMessage").string(server.message());
        answer.name("toolCount").number(server.tools());
        answer.name("breaker").string(server.breaker());
        trouble(server, answer);
        answer.endObject();
    }

    private static void unavailable(ServerSeen server, JsonWriter answer) {
        answer.beginObject().name("server").string(server.name());
        answer.name("status").string(server.status());
        answer.name("reason").string(server.message());
        trouble(server, answer);
        if (!server.isDown() && server.retryAfter() == null) {
            answer.name("retryAfterMs").number(SOON.toMillis());
        }
        answer.endObject();
    }

    private static void trouble(ServerSeen server, JsonWriter answer) {
        if (server.lastError() != null) {
            answer.name("lastError").string(server.lastError());
        }
        Duration wait = server.retryAfter();
        if (wait != null) {
            answer.name("retryAfterMs").number(Math.max(1, wait.toMillis()));
        }
    }

    // ---- Tools

    private static void tools(ToolSearch.Found found, Wish wish, Map<String, ServerSeen> seen, JsonWriter answer) {
        answer.name("tools").beginArray();
        for (ToolSearch.Match match : found.matches()) {
            ServerSeen server = seen.get(match.tool().server());
            answer.beginObject().name("server").string(match.tool().server());
            answer.name("tool").string(match.tool().name());
            described(match, wish.isFull(), answer);
            answer.name("status").string(server == null ? "idle" : server.status());
            if (server != null && server.isDown()) {
                answer.name("statusMessage").string(server.message());
                trouble(server, answer);
            }
            answer.name("schemaSource").string(match.tool().isLive() ? "live" : "cache");
            answer.endObject();
        }
        answer.endArray().name("search").string(found.byMeaning() ? "hybrid" : "lexical");
    }

    /// Without a query all tools of the server, in its order.
    private ToolSearch.Found found(Offered offered, Wish wish, Patience patience) throws InterruptedException {
        if (wish.query() != null && !wish.query().isBlank()) {
            ToolSearch.Query query = new ToolSearch.Query(wish.query(), tool -> isOf(tool, wish), wish.limit());
            return search.find(offered, query, patience);
        }
        List<ToolSearch.Match> all = offered.tools().stream()
                .filter(tool -> isOf(tool, wish))
                .limit(wish.limit())
                .map(tool -> new ToolSearch.Match(tool, 1))
                .toList();
        return new ToolSearch.Found(all, false);
    }

    private static boolean isOf(Offered.Tool tool, Wish wish) {
        return wish.server() == null || wish.server().equals(tool.server());
    }

    private static void described(ToolSearch.Match match, boolean isFull, JsonWriter answer) {
        JsonView definition = match.tool().definition();
        String description = Objects.requireNonNullElse(definition.string("description"), "");
        answer.name("description").string(isFull ? description : brief(description));
        answer.name("score").raw(thousandths(match.score()));
        if (isFull) {
            raw("inputSchema", definition, answer);
            raw("annotations", definition, answer);
        }
    }

    /// What a format would do as well, and for twenty milliseconds when it is needed first.
    private static String thousandths(double score) {
        String digits = Long.toString(1000 + Math.round(score * 1000));
        return (digits.charAt(0) - '1') + "." + digits.substring(1);
    }

    private static void raw(String name, JsonView definition, JsonWriter answer) {
        JsonView value = definition.member(name);
        if (value != null) {
            answer.name(name).raw(value);
        }
    }

    private static String brief(String description) {
        String line = description.strip().lines().findFirst().orElse("");
        return line.length() <= LONGEST_BRIEF ? line : line.substring(0, LONGEST_BRIEF) + "...";
    }
}
