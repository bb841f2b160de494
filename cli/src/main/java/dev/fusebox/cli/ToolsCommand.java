package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.UpstreamFactory;
import dev.fusebox.gateway.admin.ToolFinder;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.catalog.ExposedName;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.gateway.routing.ToolList;
import dev.fusebox.gateway.settings.CallRules;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The command `tools`, which lists all tools, the tools that match a query, or shows one: those of the running
/// gateways, or without one the cached tools of the configured servers; servers that are not cached are started
/// and listed. For one thread; blocks for the answers.
final class ToolsCommand {
    /// Longer than `discovery.firstListWaitMs` can be.
    private static final Duration DEADLINE = Duration.ofMinutes(6);

    /// For requests that start no server.
    private static final Duration BRIEF = Duration.ofSeconds(5);

    private static final String NOTHING_FOUND = "no known tool matches";

    private final Platform platform;
    private final GatewayCommandOptions options;
    private final CommandOutput output;

    ToolsCommand(Platform platform, GatewayCommandOptions options, CommandOutput output) {
        this.platform = platform;
        this.options = options;
        this.output = output;
    }

    ExitStatus show(RunningGateways running) throws IOException, ServeOptions.Problem {
        Optional<ToolName> one = name(running);
        return one.isPresent() ? one(one.get(), running) : all(running);
    }

    // ---- One tool, by its name

    /// The named tool, as `SERVER/TOOL` or by its exposed name; empty if the words are a query.
    private Optional<ToolName> name(RunningGateways running) throws IOException, ServeOptions.Problem {
        String name = options.names().size() == 1 ? options.names().getFirst() : "";
        if (name.matches("[^/]+/.+")) {
            return Optional.of(ToolName.of(name));
        }
        return ToolName.mayBeExposed(name) ? shown(name, running) : Optional.empty();
    }

    private Optional<ToolName> shown(String name, RunningGateways running) throws IOException, ServeOptions.Problem {
        List<RunningGateways.Gateway> gateways = running.toQuery(options.gateway());
        for (RunningGateways.Gateway gateway : gateways) {
            Optional<ToolName> found =
                    ToolName.find(name, gateway.requireResponsive().client().within(DEADLINE));
            if (found.isPresent()) {
                return found;
            }
        }
        return gateways.isEmpty() ? rememberedName(name) : Optional.empty();
    }

    private Optional<ToolName> rememberedName(String shown) throws IOException, ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.findWithoutGateway(platform);
        Configuration configuration = configuration(place);
        ExposedName parts = ExposedName.split(shown);
        if (parts != null
                && configuration.servers().stream()
                        .anyMatch(server -> server.id().equals(parts.server()))) {
            return Optional.of(new ToolName(parts.server(), parts.own()));
        }
        CatalogStore catalogStore = new CacheFiller(platform, place.file(), configuration)
                .skipping(true)
                .read(output);
        return remembered(catalogStore, configuration).rows().stream()
                .filter(row -> row.tool().shown().equals(shown))
                .map(row -> new ToolName(row.server(), row.tool().own()))
                .findFirst();
    }

    private ExitStatus one(ToolName name, RunningGateways running) throws IOException, ServeOptions.Problem {
        List<RunningGateways.Gateway> gateways = running.toQuery(options.gateway());
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        boolean isFound = false;
        String problem = "";
        for (RunningGateways.Gateway gateway : gateways) {
            try (Progress _ = Progress.of(platform, output, "querying gateway " + gateway.pid())) {
                JsonView tool = new ToolLookup(
                                gateway.requireResponsive().client().within(DEADLINE), name.server(), name.own())
                        .inFull();
                json.beginObject().name("pid").number(gateway.pid());
                json.name("tools").beginArray().raw(tool).endArray().endObject();
                title(gateway, gateways);
                page(tool, gateway.option());
                isFound = true;
            } catch (ToolLookup.Missing missing) {
                problem = missing.getMessage();
            }
        }
        json.endArray();
        if (gateways.isEmpty()) {
            try {
                rememberedOne(name, json);
                isFound = true;
            } catch (ToolLookup.Missing missing) {
                problem = missing.getMessage();
            }
        }
        if (!isFound) {
            output.err().println("fusebox: " + OutputText.plain(problem));
            return ExitStatus.FAILED;
        }
        if (options.asJson()) {
            output.out().println(json.endObject());
        }
        return ExitStatus.DONE;
    }

    private void page(JsonView tool, String option) {
        if (!options.asJson()) {
            new ToolPage(output, option).print(tool);
        }
    }

    private void rememberedOne(ToolName name, JsonWriter json)
            throws IOException, ServeOptions.Problem, ToolLookup.Missing {
        ConfigPlace place = ConfigPlace.findWithoutGateway(platform).printed(output);
        Configuration configuration = configuration(place);
        List<String> servers =
                configuration.servers().stream().map(ServerConfig::id).toList();
        String server = name.server();
        if (!servers.contains(server)) {
            throw new ToolLookup.Missing("unknown server " + server
                    + SpellingSuggestion.nearest(server, servers)
                            .map(near -> "; did you mean \"" + near + "\"?")
                            .orElse(""));
        }
        CatalogStore catalogStore = new CacheFiller(platform, place.file(), configuration)
                .skipping(false)
                .read(server::equals, output);
        if (!CacheFiller.unlisted(catalogStore, configuration, server::equals).isEmpty()) {
            throw new ToolLookup.Missing("the tools of " + server + " are not known; `"
                    + FuseboxCommand.onFile("doctor", server) + "` diagnoses it");
        }
        List<ToolList.Row> rows = remembered(catalogStore, configuration).rows().stream()
                .filter(row -> row.server().equals(server))
                .toList();
        ToolList.Row row = rows.stream()
                .filter(each -> each.tool().own().equals(name.own()))
                .findFirst()
                .orElseThrow(() -> ToolLookup.missing(
                        server,
                        name.own(),
                        rows.stream().map(each -> each.tool().own()).toList()));
        JsonWriter whole = new JsonWriter();
        ToolFinder.writeInFull(row, whole);
        JsonView tool = JsonView.of(whole.toString());
        json.name("config").string(place.file().toString());
        json.name("tools").beginArray().raw(tool).endArray();
        page(tool, "");
    }

    // ---- Many

    private ExitStatus all(RunningGateways running) throws IOException, ServeOptions.Problem {
        List<RunningGateways.Gateway> gateways = running.toQuery(options.gateway());
        ServerLabel label = ServerLabel.of(query());
        if (label.isFurther()) {
            return ofServer(label, gateways);
        }
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        for (RunningGateways.Gateway gateway : gateways) {
            OwnerClient.Answer answer = asked(gateway, query());
            JsonView tools = answer.list("tools");
            json.beginObject().name("pid").number(gateway.pid());
            json.name("tools").raw(tools).endObject();
            title(gateway, gateways);
            print(tools.elements());
            JsonView hasMore = answer.body().member("more");
            printMore(hasMore != null && hasMore.isTrue(), tools.elements().size(), gateway.option());
            if (tools.elements().isEmpty() && !options.asJson()) {
                output.err().println("fusebox: " + (query().isBlank() ? "no server has listed a tool" : NOTHING_FOUND));
            }
            hint(gateway);
        }
        json.endArray();
        if (gateways.isEmpty()) {
            remembered(json);
        }
        if (options.asJson()) {
            output.out().println(json.endObject());
        }
        return ExitStatus.DONE;
    }

    /// Lists the tools of one of several servers of the same name.
    private ExitStatus ofServer(ServerLabel label, List<RunningGateways.Gateway> gateways)
            throws IOException, ServeOptions.Problem {
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        boolean isFound = false;
        for (RunningGateways.Gateway gateway : gateways) {
            List<JsonView> tools = asked(gateway, "").list("tools").elements().stream()
                    .filter(tool -> label.toString().equals(tool.string("server")))
                    .toList();
            isFound |= !tools.isEmpty()
                    || gateway.client()
                            .get("servers/" + OwnerClient.encoded(label.toString()))
                            .isGood();
            json.beginObject().name("pid").number(gateway.pid()).name("tools").beginArray();
            tools.forEach(json::raw);
            json.endArray().endObject();
            if (!tools.isEmpty()) {
                title(gateway, gateways);
                print(tools);
            }
        }
        if (!isFound) {
            throw new ServeOptions.Problem(
                    (gateways.isEmpty() ? "no gateway is running; " : "unknown server " + label + "; ")
                            + ServerLabelText.of(label));
        }
        if (options.asJson()) {
            output.out().println(json.endArray().endObject());
        }
        return ExitStatus.DONE;
    }

    /// Prints a heading, which tells the lines of several gateways apart.
    private void title(RunningGateways.Gateway gateway, List<RunningGateways.Gateway> all) {
        if (all.size() > 1 && !options.asJson()) {
            output.out().println(output.bold(GatewayState.of(gateway, BRIEF).title()));
        }
    }

    private String query() {
        return String.join(" ", options.names());
    }

    /// Reports that the list is truncated.
    private void printMore(boolean hasMore, int shown, String option) {
        if (hasMore && !options.asJson()) {
            output.err()
                    .println("fusebox: showing only the " + shown + " best matches; `" + FuseboxCommand.of("tools")
                            + option + "` lists all tools");
        }
    }

    private OwnerClient.Answer asked(RunningGateways.Gateway gateway, String query) throws IOException {
        String encoded = OwnerClient.encoded(query);
        try (Progress _ = Progress.of(platform, output, "querying gateway " + gateway.pid())) {
            return gateway.requireResponsive()
                    .client()
                    .within(DEADLINE)
                    .get("tools?wait=true" + (encoded.isEmpty() ? "" : "&query=" + encoded));
        }
    }

    /// Reports servers that have not been listed, because they are started only on demand.
    private void hint(RunningGateways.Gateway gateway) throws IOException {
        if (options.asJson()) {
            return;
        }
        List<JsonView> servers = gateway.client().get("servers").list("servers").elements().stream()
                .filter(ToolsCommand::isWithoutTools)
                .toList();
        List<String> silent = servers.stream()
                .filter(ToolsCommand::isIdle)
                .map(server -> OutputText.plain(server.string("name")))
                .toList();
        if (!silent.isEmpty()) {
            output.err()
                    .println("fusebox: tools not listed yet: " + String.join(", ", silent) + "; `"
                            + FuseboxCommand.of("connect", silent.getFirst()) + gateway.option()
                            + "` lists those of the first");
        }
        printUnlisted(
                servers.stream()
                        .filter(server -> !isIdle(server) && isAwaited(server))
                        .toList(),
                gateway.option());
    }

    /// Reports servers that are starting or have failed.
    private void printUnlisted(List<JsonView> servers, String option) {
        String names = servers.stream()
                .map(server -> OutputText.plain(server.string("name") + " (" + server.string("status") + ")"))
                .collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            output.err()
                    .println("fusebox: these servers have not listed their tools: " + names + "; `"
                            + FuseboxCommand.of("status") + option + "` shows why");
        }
    }

    private static boolean isIdle(JsonView server) {
        return "idle".equals(server.string("status"));
    }

    private static boolean isAwaited(JsonView server) {
        return !"online".equals(server.string("status")) && !"disabled".equals(server.string("status"));
    }

    private static boolean isWithoutTools(JsonView server) {
        JsonView count = server.member("toolCount");
        return count != null && count.json().equals("0");
    }

    private void remembered(JsonWriter json) throws IOException, ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.findWithoutGateway(platform).printed(output);
        Path file = place.file();
        Configuration configuration = configuration(place);
        CacheFiller lists = new CacheFiller(platform, file, configuration).skipping(!query().isBlank());
        CatalogStore catalogStore = lists.read(output);
        JsonWriter rows = new JsonWriter().beginArray();
        ToolList.Found found = found(catalogStore, configuration);
        found.rows().forEach(row -> ToolFinder.write(row, rows));
        rows.endArray();
        json.name("config").string(file.toString()).name("tools").raw(rows.toString());
        if (!options.asJson()) {
            output.out().println(output.bold("no gateway is running; cached tools of the servers in " + file));
        }
        List<JsonView> tools = JsonView.of(rows.toString()).elements();
        print(tools);
        printMore(found.hasMore(), tools.size(), "");
        if (tools.isEmpty() && !options.asJson()) {
            String why = query().isBlank()
                    ? "no server has listed a tool; `" + FuseboxCommand.onFile("doctor") + "` diagnoses the servers"
                    : NOTHING_FOUND;
            output.err().println("fusebox: " + why);
        }
        // An empty list has been reported already.
        if (!tools.isEmpty() || !query().isBlank()) {
            printUnlisted(lists.silent(catalogStore, server -> true));
        }
        if (!options.asJson()) {
            lists.printPending(output);
        }
    }

    /// Reports servers that are missing in the list.
    private void printUnlisted(List<String> unlisted) {
        if (!unlisted.isEmpty() && !options.asJson()) {
            output.err()
                    .println("fusebox: servers with unknown tools: " + String.join(", ", unlisted) + "; `"
                            + FuseboxCommand.onFile("doctor") + "` diagnoses the servers");
        }
    }

    private Configuration configuration(ConfigPlace place) throws ServeOptions.Problem {
        if (place.read(platform, Overrides.NONE) instanceof ReadResult.Usable(Configuration configuration, var _)) {
            return configuration;
        }
        throw new ServeOptions.Problem("no gateway is running, and " + place.file() + " cannot be used; `"
                + FuseboxCommand.onFile("config", "check") + "` shows why");
    }

    private static ToolList remembered(CatalogStore catalogStore, Configuration configuration) {
        return ToolList.remembered(
                catalogStore,
                configuration.servers().stream()
                        .map(server -> new ToolList.Known(
                                server.id(), UpstreamFactory.identity(server), CallRules.policy(server)))
                        .toList());
    }

    /// Without the sentence model: computing all embeddings for one search would take too long.
    private ToolList.Found found(CatalogStore catalogStore, Configuration configuration) {
        boolean isOff = configuration.discovery().semanticMode() == SemanticMode.OFF;
        try (ToolSearch search =
                isOff ? new ToolSearch(platform, SemanticMode.OFF) : ToolSearch.withoutModel(platform)) {
            ToolList list = remembered(catalogStore, configuration);
            return query().isBlank()
                    ? new ToolList.Found(list.rows(), false, false)
                    : list.find(search, query(), configuration.discovery().limit());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new ToolList.Found(List.of(), false, false);
        }
    }

    private void print(List<JsonView> tools) {
        if (options.asJson()) {
            return;
        }
        long all = 0;
        for (JsonView tool : tools) {
            long tokens = tokens(tool);
            all += tokens;
            if (options.isCounting()) {
                output.out().printf(Locale.ROOT, "%7d  ", tokens);
            }
            ServerTable.print(tool, output);
        }
        if (options.isCounting()) {
            output.out().printf(Locale.ROOT, "%7d  tokens in %d tools (approximate)%n", all, tools.size());
        }
    }

    private static long tokens(JsonView tool) {
        JsonView tokens = tool.member("tokens");
        return tokens == null ? 0 : Long.parseLong(tokens.json());
    }
}
