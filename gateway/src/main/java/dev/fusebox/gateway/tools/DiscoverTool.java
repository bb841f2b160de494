package dev.fusebox.gateway.tools;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.tools.DiscoverAnswer.Detail;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.search.SearchResult;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tool `mcp_discover`: lists the servers with their state and finds tools by purpose. Thread-safe; a call blocks
/// as [ToolSearch#find] does, and while the first lists are read.
public final class DiscoverTool implements GatewayTool {
    private static final long MAX = 100;
    private static final int MAX_NAMES = 20;

    /// Further matches that are listed by name only, in a search and for a single server.
    private static final int MAX_NAMED = 5;

    private static final int MAX_NAMED_OF_ONE = 50;

    /// Tools with a smaller share of the best score are not shown: no such tool was right for any of the queries
    /// that the search was tuned with (docs/search.md).
    private static final double MIN_RELATIVE_SCORE = 0.1;

    /// Without this note, the first search would take an incomplete result for a complete one.
    private static final String LEXICAL_NOTE =
            "the sentence model is not ready yet; search again in a few seconds if none of these fits";

    private static final String NO_MATCH_NOTE = "no tool matches; describe the purpose in other English words";

    private static final String DEFINITION = """
            {"name":"mcp_discover","title":"Find tools",\
            "description":"Find tools on all connected servers. Say in plain words what you want to do; you get the \
            best matches, the first three with a short inputSchema to call them by mcp_call at once, and in `more` \
            the names of further matches; `alsoAt` names equivalent tools of other servers. Without query: the list \
            of servers and their state. A server in `unavailable` may have the tool, but is down or not known yet: \
            search again after its retryAfterMs.",\
            "inputSchema":{"type":"object","properties":{\
            "query":{"type":"string","description":"what the tool should do"},\
            "server":{"type":"string","description":"only this server"},\
            "limit":{"type":"integer","minimum":1,"maximum":100,"default":LIMIT},\
            "detail":{"enum":["full","brief"],"description":"full: whole descriptions and schemas of all; brief: no \
            schemas"}},\
            "additionalProperties":false},\
            "annotations":{"readOnlyHint":true,"openWorldHint":false}}""";

    private final ToolSearch search;
    private final int usualLimit;
    private final String definition;

    /// @param usualLimit the number of results if the caller sets no limit
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

    /// A parsed request.
    ///
    /// @param query null to list without searching
    /// @param hasLimit whether the caller set a limit
    private record Request(
            @Nullable String query, @Nullable String server, int limit, boolean hasLimit, Detail detail) {
        boolean isOf(String name) {
            return server == null || server.equals(name);
        }
    }

    @Override
    public Outcome call(GatewayToolCall call) {
        ToolArguments arguments = ToolArguments.of(call, Set.of("query", "server", "limit", "detail"));
        String query = arguments.text("query");
        String server = arguments.text("server");
        Long limit = arguments.number("limit", MAX);
        String detail = arguments.choice("detail", List.of("full", "brief"));
        Optional<CallFailure> failure = arguments.failure(this);
        if (failure.isPresent()) {
            return new Outcome.Failed(failure.get());
        }
        int most = limit == null ? usualLimit : limit.intValue();
        String words = query == null || query.isBlank() ? null : query;
        try {
            return answered(call, new Request(words, server, most, limit != null, detail(detail)));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelledUnsent());
        }
    }

    private static Detail detail(@Nullable String word) {
        if (word == null) {
            return Detail.USUAL;
        }
        return word.equals("full") ? Detail.FULL : Detail.BRIEF;
    }

    private Outcome answered(GatewayToolCall call, Request request) throws InterruptedException {
        AvailableTools availableTools = call.serverAccess().availableTools(request.server());
        List<ServerSummary> all = call.serverAccess().serverSummaries();
        List<ServerSummary> servers =
                all.stream().filter(server -> request.isOf(server.name())).toList();
        if (request.server() != null && servers.isEmpty()) {
            return new Outcome.Failed(unknown(request.server(), all));
        }
        DiscoverAnswer answer = new DiscoverAnswer();
        if (request.query() == null) {
            search.prepare(availableTools);
            answer.servers(servers);
        }
        if (request.query() != null) {
            searched(availableTools, request, call.call().deadline()).into(answer, request, servers);
        } else if (request.server() != null) {
            listed(availableTools, request).into(answer, request, servers);
        }
        return call.answer(HiddenCharacters.json(answer.json()));
    }

    /// An empty tool list would suggest that the server has no tools.
    private static CallFailure unknown(String server, List<ServerSummary> there) {
        String names = there.stream().map(ServerSummary::name).limit(MAX_NAMES).collect(Collectors.joining(", "));
        String more = there.size() > MAX_NAMES ? ", and " + (there.size() - MAX_NAMES) + " more" : "";
        String what = there.isEmpty() ? "no server is configured" : "configured servers: " + names + more;
        return CallFailure.policy(ErrorId.UNKNOWN_SERVER, "unknown server \"" + server + "\"; " + what)
                .at(server, null, List.of());
    }

    // ---- Tools

    /// One page of results.
    ///
    /// @param named listed by name only
    /// @param note null for none
    private record Page(
            List<ToolSearch.Match> shown,
            List<ToolSearch.Match> named,
            boolean isHybrid,
            @Nullable String note) {
        /// Cuts where scores fall off. A name costs a tenth of the tokens of a tool, so the rest is listed by
        /// name.
        Page cut() {
            double edge = shown.isEmpty() ? 0 : shown.getFirst().score() * MIN_RELATIVE_SCORE;
            List<ToolSearch.Match> good =
                    shown.stream().filter(match -> match.score() >= edge).toList();
            Stream<ToolSearch.Match> others = Stream.concat(shown.stream().skip(good.size()), named.stream());
            return new Page(good, others.toList(), isHybrid, note);
        }

        void into(DiscoverAnswer answer, Request request, List<ServerSummary> servers) {
            answer.tools(shown.stream().map(match -> foundTool(match, servers)).toList(), request.detail());
            answer.more(named);
            answer.search(isHybrid);
            if (note != null) {
                answer.note(note);
            }
            answer.unavailable(concerned(request, servers), request.limit());
        }

        private static DiscoverAnswer.FoundTool foundTool(ToolSearch.Match match, List<ServerSummary> servers) {
            String status = servers.stream()
                    .filter(server -> server.name().equals(match.tool().server()))
                    .findFirst()
                    .map(ServerSummary::status)
                    .orElse("idle");
            return new DiscoverAnswer.FoundTool(match, status);
        }

        /// First servers that are down and have a tool on this page, then servers that may have one.
        private List<ServerSummary> concerned(Request request, List<ServerSummary> servers) {
            Set<String> here = new HashSet<>();
            Stream.concat(shown.stream(), named.stream())
                    .flatMap(match -> Stream.concat(Stream.of(match), match.equivalents().stream()))
                    .forEach(match -> here.add(match.tool().server()));
            Stream<ServerSummary> down = servers.stream()
                    .filter(server -> server.isListed() && server.isDown())
                    .filter(server -> request.server() != null || here.contains(server.name()));
            return Stream.concat(down, servers.stream().filter(server -> !server.isListed()))
                    .toList();
        }
    }

    /// The best matches, cut where scores fall off unless the caller set a limit. Scores by words alone have no such
    /// edge, and the tool for one step of a task may have a much lower score than that for another.
    private Page searched(AvailableTools availableTools, Request request, Deadline deadline)
            throws InterruptedException {
        int most = request.hasLimit() ? request.limit() : request.limit() + MAX_NAMED;
        ToolSearch.Query query =
                new ToolSearch.Query(String.valueOf(request.query()), tool -> request.isOf(tool.server()), most);
        ToolSearch.Found found = search.find(availableTools, query, deadline);
        String note = note(availableTools, found);
        Page whole = page(found.matches(), request, found.isHybrid(), note);
        boolean isUncut = request.hasLimit() || found.hasClauses() || found.method() == SearchResult.Method.LEXICAL;
        return isUncut ? whole : whole.cut();
    }

    private @Nullable String note(AvailableTools availableTools, ToolSearch.Found found) {
        if (!found.isHybrid() && search.mayBecomeHybrid(availableTools)) {
            return LEXICAL_NOTE;
        }
        return found.matches().isEmpty() ? NO_MATCH_NOTE : null;
    }

    /// All tools of the server, in its order.
    private static Page listed(AvailableTools availableTools, Request request) {
        List<ToolSearch.Match> all = availableTools.tools().stream()
                .filter(tool -> request.isOf(tool.server()))
                .limit(request.limit() + (long) MAX_NAMED_OF_ONE)
                .map(tool -> new ToolSearch.Match(tool, 1))
                .toList();
        return page(all, request, false, null);
    }

    private static Page page(List<ToolSearch.Match> all, Request request, boolean isHybrid, @Nullable String note) {
        int shown = Math.min(request.limit(), all.size());
        return new Page(all.subList(0, shown), all.subList(shown, all.size()), isHybrid, note);
    }
}
