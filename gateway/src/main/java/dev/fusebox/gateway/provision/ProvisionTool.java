package dev.fusebox.gateway.provision;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.http.Proxies;
import dev.fusebox.gateway.config.ProvisionConfig;
import dev.fusebox.gateway.meta.Arguments;
import dev.fusebox.gateway.meta.Order;
import dev.fusebox.gateway.meta.OwnTool;
import dev.fusebox.gateway.meta.ServerSeen;
import dev.fusebox.gateway.meta.Servers;
import dev.fusebox.gateway.meta.ToolSearch;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// `mcp_provision`: finds tools that are there, or servers that could be, and adds one that the operator trusts.
/// Nothing that its caller says becomes a part of what is run. Thread-safe; a call blocks for as long as it takes
/// to add a server, two minutes at most. Whoever made it closes it.
public final class ProvisionTool implements OwnTool, AutoCloseable {
    /// A package may have to be fetched first.
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /// Most servers have said by then what they have, also those that begin slowly.
    private static final Duration FOR_THE_STARTING = Duration.ofSeconds(10);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private static final int LONGEST_WISH = 2_000;
    private static final int MOST_TOOLS = 10;
    private static final int MOST_MATCHES = 5;

    private static final String DEFINITION = """
            {"name":"mcp_provision","title":"Find or add a server",\
            "description":"Use when mcp_discover finds no tool for the job. Looks for tools that are there, then for \
            servers in the operator's registry. Never installs what the operator does not trust: show the user the \
            installCommand of a match instead, unchanged. With autoProvision a trusted match is added and its tools \
            come back in `tools`, ready for mcp_call.",\
            "inputSchema":{"type":"object","properties":{\
            "intent":{"type":"string","description":"what you want to do, in plain words"},\
            "context":{"type":"string","description":"what else matters, such as the service or language"},\
            "autoProvision":{"type":"boolean","default":false}},\
            "required":["intent"],"additionalProperties":false},\
            "annotations":{"destructiveHint":false}}""";

    private final World world;
    private final Find find;
    private final Registries registries;
    private final Supplier<ProvisionConfig> config;
    private final Supplier<Optional<Adding>> adding;

    /// What the gateway has for it. Immutable.
    ///
    /// @param proxies that the environment names
    /// @param config as it is now
    /// @param adding what adds servers; nothing if none can be added
    public record Parts(Proxies proxies, Supplier<ProvisionConfig> config, Supplier<Optional<Adding>> adding) {}

    public ProvisionTool(World world, Searches searches, Parts parts) {
        this.world = world;
        this.find = new Find(searches);
        this.registries = new Registries(world, parts.proxies());
        this.config = parts.config();
        this.adding = parts.adding();
    }

    @Override
    public String name() {
        return "mcp_provision";
    }

    @Override
    public String definition() {
        return DEFINITION;
    }

    /// What is wanted.
    private record Wish(String words, boolean isAutomatic, Order order) {
        Patience patience() {
            return order.call().patience();
        }
    }

    @Override
    public Outcome call(Order order) {
        Arguments arguments = Arguments.of(order, Set.of("intent", "context", "autoProvision"));
        String intent = arguments.needed("intent");
        String words = (intent + " " + Objects.requireNonNullElse(arguments.text("context"), "")).strip();
        boolean isAutomatic = arguments.flag("autoProvision");
        Optional<CallFailure> failure = arguments.failure(this);
        if (failure.isPresent()) {
            return new Outcome.Failed(failure.get());
        }
        if (words.length() > LONGEST_WISH) {
            return new Outcome.Failed(CallFailure.policy(
                    ErrorCode.INVALID_ARGUMENTS,
                    "intent and context together may have " + LONGEST_WISH + " characters; a sentence is enough"));
        }
        order.call().patience().limit(LIMIT);
        try {
            return order.answer(HiddenCharacters.json(answer(new Wish(words, isAutomatic, order))));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelled());
        }
    }

    private String answer(Wish wish) throws InterruptedException {
        List<ToolSearch.Match> here = here(wish);
        List<ToolSearch.Match> likely = likelyTools(here);
        if (!likely.isEmpty()) {
            return AnswerJson.ofTools(likely.stream().limit(MOST_TOOLS).toList());
        }
        ProvisionConfig now = config.get();
        String place = now.registry();
        if (place == null) {
            String nothing = Notes.nothing(here, "the operator has named no registry of servers to look in");
            return AnswerJson.ofMatches(List.of(), null, withSilent(nothing, wish));
        }
        Registry.Contents contents = registries.at(place).contents(wish.patience());
        List<Match> matches = find.entries(contents, wish.words(), wish.patience()).stream()
                .map(fit -> Match.of(fit, now, adding.get().isPresent()))
                .toList();
        Match chosen = wish.isAutomatic() ? chosen(matches) : null;
        List<Match> shown = matches.stream().limit(MOST_MATCHES).toList();
        if (chosen == null) {
            return AnswerJson.ofMatches(shown, null, withSilent(note(new Seen(wish, here, contents), matches), wish));
        }
        Adding.Added added = add(chosen, wish.patience());
        return AnswerJson.ofMatches(
                List.of(chosen), Provisioned.of(added, wish.order().servers()), "");
    }

    /// Tools that may do it. What a server has that is still being started may be just what is wanted: it is
    /// waited for before it is said that nothing is there.
    private List<ToolSearch.Match> here(Wish wish) throws InterruptedException {
        Servers servers = wish.order().servers();
        Patience starting = new Patience(FOR_THE_STARTING, Duration.ZERO, world.ticker());
        while (true) {
            int silent = silent(servers).size();
            List<ToolSearch.Match> here = find.tools(servers.offered(null), wish.words(), wish.patience());
            if (silent == 0 || !likelyTools(here).isEmpty() || !hearsMore(wish, silent, starting)) {
                return here;
            }
        }
    }

    /// Waits until one more of them has said what it has, or cannot.
    private boolean hearsMore(Wish wish, int silent, Patience starting) throws InterruptedException {
        while (silent(wish.order().servers()).size() >= silent) {
            if (starting.left() <= 0
                    || wish.patience().left() <= 0
                    || wish.patience().isGivenUp()) {
                return false;
            }
            world.await(BETWEEN_LOOKS, wish.patience()::isGivenUp);
        }
        return true;
    }

    private static List<ToolSearch.Match> likelyTools(List<ToolSearch.Match> here) {
        return here.stream().filter(match -> match.score() >= Find.LIKELY).toList();
    }

    private static String withSilent(String note, Wish wish) {
        String unknown = Notes.unknown(silent(wish.order().servers()));
        return note.isEmpty() || unknown.isEmpty() ? note + unknown : note + ". " + unknown;
    }

    /// Servers of which nobody knows yet what they have.
    private static List<String> silent(Servers servers) {
        return servers.seen().stream()
                .filter(server -> !server.isListed() && !server.isDown())
                .map(ServerSeen::name)
                .toList();
    }

    /// The only one that is likely to be meant and may be started; null if there is none, or more than one.
    private static @Nullable Match chosen(List<Match> matches) {
        List<Match> likely = likely(matches);
        return likely.size() == 1 ? likely.getFirst() : null;
    }

    /// Those that are likely to be meant and may be started. What would be run in the same way counts once,
    /// however often the registry lists it.
    static List<Match> likely(List<Match> matches) {
        Map<Launch, Match> likely = new LinkedHashMap<>();
        for (Match match : matches) {
            Launch launch = match.proposal().launch();
            if (launch != null && match.isAutomatic() && match.confidence() >= Find.LIKELY) {
                likely.putIfAbsent(launch, match);
            }
        }
        return List.copyOf(likely.values());
    }

    private Adding.Added add(Match match, Patience patience) throws InterruptedException {
        Launch launch = match.proposal().launch();
        Optional<Adding> how = adding.get();
        return launch == null || how.isEmpty()
                ? new Adding.Added.Not(
                        "no server can be added to this gateway: it passes one server through, or runs with"
                                + " a .mcp.json, which may change by `" + FuseboxCommand.of("allow") + "` only")
                : how.get().add(match.proposal().id(), launch, patience);
    }

    /// What there is for a wish.
    ///
    /// @param here tools that may do it, though none is likely to
    private record Seen(Wish wish, List<ToolSearch.Match> here, Registry.Contents contents) {}

    private static String note(Seen seen, List<Match> matches) {
        if (seen.contents().trouble() != null) {
            return seen.contents().trouble();
        }
        if (matches.isEmpty()) {
            return Notes.nothing(seen.here(), "nothing in the registry fits");
        }
        return seen.wish().isAutomatic()
                ? Notes.notAdded(matches, likely(matches).size())
                : Notes.nearest(seen.here());
    }

    @Override
    public void close() {
        registries.close();
    }
}
