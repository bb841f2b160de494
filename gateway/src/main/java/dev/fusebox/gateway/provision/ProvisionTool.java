package dev.fusebox.gateway.provision;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.config.ProvisionConfig;
import dev.fusebox.gateway.tools.GatewayTool;
import dev.fusebox.gateway.tools.GatewayToolCall;
import dev.fusebox.gateway.tools.ServerAccess;
import dev.fusebox.gateway.tools.ServerSummary;
import dev.fusebox.gateway.tools.ToolArguments;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.HiddenCharacters;
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
public final class ProvisionTool implements GatewayTool, AutoCloseable {
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

    private final Platform platform;
    private final ProvisionSearch provisionSearch;
    private final CurrentRegistry currentRegistry;
    private final Supplier<ProvisionConfig> config;
    private final Supplier<Optional<ServerInstaller>> serverInstaller;

    /// What the gateway has for it. Immutable.
    ///
    /// @param proxyRules that the environment names
    /// @param config as it is now
    /// @param serverInstaller what adds servers; nothing if none can be added
    public record Parts(
            ProxyRules proxyRules,
            Supplier<ProvisionConfig> config,
            Supplier<Optional<ServerInstaller>> serverInstaller) {}

    public ProvisionTool(Platform platform, ToolSearcher toolSearcher, Parts parts) {
        this.platform = platform;
        this.provisionSearch = new ProvisionSearch(toolSearcher);
        this.currentRegistry = new CurrentRegistry(platform, parts.proxyRules());
        this.config = parts.config();
        this.serverInstaller = parts.serverInstaller();
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
    private record Wish(String words, boolean isAutomatic, GatewayToolCall call) {
        Deadline deadline() {
            return call.call().deadline();
        }
    }

    @Override
    public Outcome call(GatewayToolCall call) {
        ToolArguments arguments = ToolArguments.of(call, Set.of("intent", "context", "autoProvision"));
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
        call.call().deadline().limit(LIMIT);
        try {
            return call.answer(HiddenCharacters.json(answer(new Wish(words, isAutomatic, call))));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelled());
        }
    }

    private String answer(Wish wish) throws InterruptedException {
        List<ToolSearch.Match> here = here(wish);
        List<ToolSearch.Match> likely = likelyTools(here);
        if (!likely.isEmpty()) {
            return ProvisionJson.ofTools(likely.stream().limit(MOST_TOOLS).toList());
        }
        ProvisionConfig now = config.get();
        String place = now.registry();
        if (place == null) {
            String nothing =
                    ProvisionMessages.nothing(here, "the operator has named no registry of servers to look in");
            return ProvisionJson.ofMatches(List.of(), null, withSilent(nothing, wish));
        }
        Registry.Contents contents = currentRegistry.at(place).contents(wish.deadline());
        List<RegistryMatch> matches = provisionSearch.entries(contents, wish.words(), wish.deadline()).stream()
                .map(fit -> RegistryMatch.of(fit, now, serverInstaller.get().isPresent()))
                .toList();
        RegistryMatch chosen = wish.isAutomatic() ? chosen(matches) : null;
        List<RegistryMatch> shown = matches.stream().limit(MOST_MATCHES).toList();
        if (chosen == null) {
            return ProvisionJson.ofMatches(
                    shown, null, withSilent(note(new Seen(wish, here, contents), matches), wish));
        }
        ServerInstaller.Added added = add(chosen, wish.deadline());
        return ProvisionJson.ofMatches(
                List.of(chosen), ProvisionResult.of(added, wish.call().serverAccess()), "");
    }

    /// Tools that may do it. What a server has that is still being started may be just what is wanted: it is
    /// waited for before it is said that nothing is there.
    private List<ToolSearch.Match> here(Wish wish) throws InterruptedException {
        ServerAccess serverAccess = wish.call().serverAccess();
        Deadline starting = new Deadline(FOR_THE_STARTING, Duration.ZERO, platform.ticker());
        while (true) {
            int silent = silent(serverAccess).size();
            List<ToolSearch.Match> here =
                    provisionSearch.tools(serverAccess.availableTools(null), wish.words(), wish.deadline());
            if (silent == 0 || !likelyTools(here).isEmpty() || !hearsMore(wish, silent, starting)) {
                return here;
            }
        }
    }

    /// Waits until one more of them has said what it has, or cannot.
    private boolean hearsMore(Wish wish, int silent, Deadline starting) throws InterruptedException {
        while (silent(wish.call().serverAccess()).size() >= silent) {
            if (starting.left() <= 0
                    || wish.deadline().left() <= 0
                    || wish.deadline().isGivenUp()) {
                return false;
            }
            platform.await(BETWEEN_LOOKS, wish.deadline()::isGivenUp);
        }
        return true;
    }

    private static List<ToolSearch.Match> likelyTools(List<ToolSearch.Match> here) {
        return here.stream()
                .filter(match -> match.score() >= ProvisionSearch.LIKELY)
                .toList();
    }

    private static String withSilent(String note, Wish wish) {
        String unknown = ProvisionMessages.unknown(silent(wish.call().serverAccess()));
        return note.isEmpty() || unknown.isEmpty() ? note + unknown : note + ". " + unknown;
    }

    /// Servers of which nobody knows yet what they have.
    private static List<String> silent(ServerAccess serverAccess) {
        return serverAccess.seen().stream()
                .filter(server -> !server.isListed() && !server.isDown())
                .map(ServerSummary::name)
                .toList();
    }

    /// The only one that is likely to be meant and may be started; null if there is none, or more than one.
    private static @Nullable RegistryMatch chosen(List<RegistryMatch> matches) {
        List<RegistryMatch> likely = likely(matches);
        return likely.size() == 1 ? likely.getFirst() : null;
    }

    /// Those that are likely to be meant and may be started. What would be run in the same way counts once,
    /// however often the registry lists it.
    static List<RegistryMatch> likely(List<RegistryMatch> matches) {
        Map<LaunchConfig, RegistryMatch> likely = new LinkedHashMap<>();
        for (RegistryMatch match : matches) {
            LaunchConfig launchConfig = match.proposal().launchConfig();
            if (launchConfig != null && match.isAutomatic() && match.confidence() >= ProvisionSearch.LIKELY) {
                likely.putIfAbsent(launchConfig, match);
            }
        }
        return List.copyOf(likely.values());
    }

    private ServerInstaller.Added add(RegistryMatch match, Deadline deadline) throws InterruptedException {
        LaunchConfig launchConfig = match.proposal().launchConfig();
        Optional<ServerInstaller> how = serverInstaller.get();
        return launchConfig == null || how.isEmpty()
                ? new ServerInstaller.Added.Not(
                        "no server can be added to this gateway: it passes one server through, or runs with"
                                + " a .mcp.json, which may change by `" + FuseboxCommand.of("allow") + "` only")
                : how.get().add(match.proposal().id(), launchConfig, deadline);
    }

    /// What there is for a wish.
    ///
    /// @param here tools that may do it, though none is likely to
    private record Seen(Wish wish, List<ToolSearch.Match> here, Registry.Contents contents) {}

    private static String note(Seen seen, List<RegistryMatch> matches) {
        if (seen.contents().trouble() != null) {
            return seen.contents().trouble();
        }
        if (matches.isEmpty()) {
            return ProvisionMessages.nothing(seen.here(), "nothing in the registry fits");
        }
        return seen.wish().isAutomatic()
                ? ProvisionMessages.notAdded(matches, likely(matches).size())
                : ProvisionMessages.nearest(seen.here());
    }

    @Override
    public void close() {
        currentRegistry.close();
    }
}
