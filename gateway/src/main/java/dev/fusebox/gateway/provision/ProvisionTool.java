package dev.fusebox.gateway.provision;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorId;
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

/// The tool `mcp_provision`: finds existing tools, or servers in the registry, and adds one that the operator
/// trusts. Nothing that the caller passes becomes part of a command line. Thread-safe; a call blocks until the
/// server is added, at most two minutes. The owner closes it.
public final class ProvisionTool implements GatewayTool, AutoCloseable {
    /// A package may have to be downloaded first.
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /// Most servers have listed their tools by then, including slow ones.
    private static final Duration START_LIMIT = Duration.ofSeconds(10);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private static final int MAX_INTENT = 2_000;
    private static final int MAX_TOOLS = 10;
    private static final int MAX_MATCHES = 5;

    private static final String DEFINITION = """
            {"name":"mcp_provision","title":"Find or add a server",\
            "description":"Use when mcp_discover finds no tool for the job. Searches the available tools, then the \
            servers of the operator's registry. Never installs a package that the operator does not trust: show the \
            user the installCommand of a match instead, unchanged. With autoProvision a trusted match is added, and \
            `tools` has its tools, ready for mcp_call.",\
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

    /// Its collaborators. Immutable.
    ///
    /// @param proxyRules from the environment
    /// @param config the current configuration
    /// @param serverInstaller adds servers; empty if that is not possible
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

    /// A parsed request.
    private record Request(String words, boolean isAutomatic, GatewayToolCall call) {
        Deadline deadline() {
            return call.call().deadline();
        }
    }

    @Override
    public Outcome call(GatewayToolCall call) {
        ToolArguments arguments = ToolArguments.of(call, Set.of("intent", "context", "autoProvision"));
        String intent = arguments.required("intent");
        String words = (intent + " " + Objects.requireNonNullElse(arguments.text("context"), "")).strip();
        boolean isAutomatic = arguments.flag("autoProvision");
        Optional<CallFailure> failure = arguments.failure(this);
        if (failure.isPresent()) {
            return new Outcome.Failed(failure.get());
        }
        if (words.length() > MAX_INTENT) {
            return new Outcome.Failed(CallFailure.policy(
                    ErrorId.INVALID_ARGUMENTS,
                    "intent and context together exceed " + MAX_INTENT + " characters; a sentence is enough"));
        }
        call.call().deadline().limit(LIMIT);
        try {
            return call.answer(HiddenCharacters.json(answer(new Request(words, isAutomatic, call))));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelled());
        }
    }

    private String answer(Request request) throws InterruptedException {
        List<ToolSearch.Match> here = here(request);
        List<ToolSearch.Match> likely = likelyTools(here);
        if (!likely.isEmpty()) {
            return ProvisionJson.ofTools(likely.stream().limit(MAX_TOOLS).toList());
        }
        ProvisionConfig now = config.get();
        String place = now.registry();
        if (place == null) {
            String nothing = ProvisionMessages.nothing(here, "the operator has configured no registry");
            return ProvisionJson.ofMatches(List.of(), null, withSilent(nothing, request));
        }
        Registry.Contents contents = currentRegistry.at(place).contents(request.deadline());
        List<RegistryMatch> matches = provisionSearch.entries(contents, request.words(), request.deadline()).stream()
                .map(fit -> RegistryMatch.of(fit, now, serverInstaller.get().isPresent()))
                .toList();
        RegistryMatch chosen = request.isAutomatic() ? chosen(matches) : null;
        List<RegistryMatch> shown = matches.stream().limit(MAX_MATCHES).toList();
        if (chosen == null) {
            return ProvisionJson.ofMatches(
                    shown, null, withSilent(note(new Results(request, here, contents), matches), request));
        }
        ServerInstaller.Added added = add(chosen, request.deadline());
        return ProvisionJson.ofMatches(
                List.of(chosen), ProvisionResult.of(added, request.call().serverAccess()), "");
    }

    /// Possible tools. A server that is starting may have the right one, so it is awaited before the answer is
    /// that there is none.
    private List<ToolSearch.Match> here(Request request) throws InterruptedException {
        ServerAccess serverAccess = request.call().serverAccess();
        Deadline starting = new Deadline(START_LIMIT, Duration.ZERO, platform.ticker());
        while (true) {
            int silent = silent(serverAccess).size();
            List<ToolSearch.Match> here =
                    provisionSearch.tools(serverAccess.availableTools(null), request.words(), request.deadline());
            if (silent == 0 || !likelyTools(here).isEmpty() || !awaitMoreTools(request, silent, starting)) {
                return here;
            }
        }
    }

    /// Waits until another server has listed its tools, or failed.
    private boolean awaitMoreTools(Request request, int silent, Deadline starting) throws InterruptedException {
        while (silent(request.call().serverAccess()).size() >= silent) {
            if (starting.left() <= 0
                    || request.deadline().left() <= 0
                    || request.deadline().isGivenUp()) {
                return false;
            }
            platform.await(POLL_INTERVAL, request.deadline()::isGivenUp);
        }
        return true;
    }

    private static List<ToolSearch.Match> likelyTools(List<ToolSearch.Match> here) {
        return here.stream()
                .filter(match -> match.score() >= ProvisionSearch.LIKELY)
                .toList();
    }

    private static String withSilent(String note, Request request) {
        String unknown = ProvisionMessages.unknown(silent(request.call().serverAccess()));
        return note.isEmpty() || unknown.isEmpty() ? note + unknown : note + ". " + unknown;
    }

    /// Servers whose tools are not known yet.
    private static List<String> silent(ServerAccess serverAccess) {
        return serverAccess.serverSummaries().stream()
                .filter(server -> !server.isListed() && !server.isDown())
                .map(ServerSummary::name)
                .toList();
    }

    /// The only likely match that may be started; null if there is none, or more than one.
    private static @Nullable RegistryMatch chosen(List<RegistryMatch> matches) {
        List<RegistryMatch> likely = likely(matches);
        return likely.size() == 1 ? likely.getFirst() : null;
    }

    /// The likely matches that may be started. Entries with the same command count once, however often the
    /// registry lists them.
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
                ? new ServerInstaller.Added.Rejected(
                        "this gateway cannot add servers: it runs with --no-prefix, or uses a .mcp.json,"
                                + " which requires approval by `" + FuseboxCommand.of("allow") + "`")
                : how.get().add(match.proposal().id(), launchConfig, deadline);
    }

    /// The data for an answer.
    ///
    /// @param here possible tools, none of them likely
    private record Results(Request request, List<ToolSearch.Match> here, Registry.Contents contents) {}

    private static String note(Results results, List<RegistryMatch> matches) {
        if (results.contents().trouble() != null) {
            return results.contents().trouble();
        }
        if (matches.isEmpty()) {
            return ProvisionMessages.nothing(results.here(), "nothing in the registry matches");
        }
        return results.request().isAutomatic()
                ? ProvisionMessages.notAdded(matches, likely(matches).size())
                : ProvisionMessages.nearest(results.here());
    }

    @Override
    public void close() {
        currentRegistry.close();
        provisionSearch.close();
    }
}
