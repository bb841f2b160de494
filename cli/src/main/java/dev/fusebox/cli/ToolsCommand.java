package dev.fusebox.cli;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.admin.ToolFinder;
import dev.fusebox.gateway.settings.CallRules;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.gateway.upstream.CatalogStore;
import dev.fusebox.gateway.upstream.ExposedName;
import dev.fusebox.gateway.upstream.ToolList;
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

/// The command `tools`: one tool in full, or all, or those that are for something; those of the gateways that run;
/// if none does, those that its servers had when they were last
/// seen, and of servers that never were what they list now. For one thread; blocks for the answers.
final class ToolsCommand {
    /// Longer than `discovery.firstListWaitMs` can be.
    private static final Duration DEADLINE = Duration.ofMinutes(6);

    private static final String NOTHING_FOUND = "no known tool matches";

    private final Platform platform;
    private final GatewayCommandOptions words;
    private final CommandOutput output;

    ToolsCommand(Platform platform, GatewayCommandOptions words, CommandOutput output) {
        this.platform = platform;
        this.words = words;
        this.output = output;
    }

    ExitStatus show(RunningGateways running) throws IOException, ServeOptions.Problem {
        Optional<ToolName> one = name(running);
        return one.isPresent() ? one(one.get(), running) : all(running);
    }

    // ---- One tool, by its name

    /// The tool that is named, as `SERVER/TOOL` or as it is shown; empty if the words are a query.
    private Optional<ToolName> name(RunningGateways running) throws IOException, ServeOptions.Problem {
        String name = words.names().size() == 1 ? words.names().getFirst() : "";
        if (name.matches("[^/]+/.+")) {
            return Optional.of(ToolName.of(name));
        }
        return ToolName.looksShown(name) ? shown(name, running) : Optional.empty();
    }

    private Optional<ToolName> shown(String name, RunningGateways running) throws IOException, ServeOptions.Problem {
        List<RunningGateways.Gateway> gateways = running.toSee(words.gateway());
        for (RunningGateways.Gateway gateway : gateways) {
            Optional<ToolName> found =
                    ToolName.find(name, gateway.answering().client().within(DEADLINE));
            if (found.isPresent()) {
                return found;
            }
        }
        return gateways.isEmpty() ? rememberedName(name) : Optional.empty();
    }

    private Optional<ToolName> rememberedName(String shown) throws IOException, ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.find(null, platform);
        Configuration configuration = configuration(place);
        ExposedName parts = ExposedName.split(shown);
        if (parts != null
                && configuration.servers().stream()
                        .anyMatch(server -> server.id().equals(parts.server()))) {
            return Optional.of(new ToolName(parts.server(), parts.own()));
        }
        CatalogStore catalogStore = new CacheFiller(platform, place.file(), configuration)
                .sparing(true)
                .read(output);
        return remembered(catalogStore, configuration).rows().stream()
                .filter(row -> row.tool().shown().equals(shown))
                .map(row -> new ToolName(row.server(), row.tool().own()))
                .findFirst();
    }

    private ExitStatus one(ToolName name, RunningGateways running) throws IOException, ServeOptions.Problem {
        List<RunningGateways.Gateway> gateways = running.toSee(words.gateway());
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        boolean isFound = false;
        String problem = "";
        for (RunningGateways.Gateway gateway : gateways) {
            try (Progress _ = Progress.of(platform, output, "asking gateway " + gateway.pid())) {
                JsonView tool = new ToolLookup(gateway.answering().client().within(DEADLINE), name.server(), name.own())
                        .inFull();
                json.beginObject().name("pid").number(gateway.pid());
                json.name("tools").beginArray().raw(tool).endArray().endObject();
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
            output.err().println("fusebox: " + ServerTable.plain(problem));
            return ExitStatus.FAILED;
        }
        if (words.asJson()) {
            output.out().println(json.endObject());
        }
        return ExitStatus.DONE;
    }

    private void page(JsonView tool, String option) {
        if (!words.asJson()) {
            new ToolPage(output, option).print(tool);
        }
    }

    private void rememberedOne(ToolName name, JsonWriter json)
            throws IOException, ServeOptions.Problem, ToolLookup.Missing {
        ConfigPlace place = ConfigPlace.find(null, platform).told(output);
        Configuration configuration = configuration(place);
        List<String> servers =
                configuration.servers().stream().map(ServerConfig::id).toList();
        String server = name.server();
        if (!servers.contains(server)) {
            throw new ToolLookup.Missing("there is no server " + server
                    + SpellingSuggestion.nearest(server, servers)
                            .map(near -> "; did you mean \"" + near + "\"?")
                            .orElse(""));
        }
        CatalogStore catalogStore = new CacheFiller(platform, place.file(), configuration)
                .sparing(false)
                .read(server::equals, output);
        if (!CacheFiller.unlisted(catalogStore, configuration, server::equals).isEmpty()) {
            throw new ToolLookup.Missing("the tools of " + server + " are not known; `"
                    + FuseboxCommand.onFile("doctor", server) + "` says what is wrong with it");
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
        List<RunningGateways.Gateway> gateways = running.toSee(words.gateway());
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        for (RunningGateways.Gateway gateway : gateways) {
            OwnerClient.Answer answer = asked(gateway);
            JsonView tools = answer.list("tools");
            json.beginObject().name("pid").number(gateway.pid());
            json.name("tools").raw(tools).endObject();
            print(tools.elements());
            JsonView hasMore = answer.body().member("more");
            tellOfMore(hasMore != null && hasMore.isTrue(), tools.elements().size(), gateway.option());
            if (tools.elements().isEmpty() && !words.asJson()) {
                output.err().println("fusebox: " + (query().isBlank() ? "no server has listed a tool" : NOTHING_FOUND));
            }
            hint(gateway);
        }
        json.endArray();
        if (gateways.isEmpty()) {
            remembered(json);
        }
        if (words.asJson()) {
            output.out().println(json.endObject());
        }
        return ExitStatus.DONE;
    }

    private String query() {
        return String.join(" ", words.names());
    }

    /// A list that ends early looks complete.
    private void tellOfMore(boolean hasMore, int shown, String option) {
        if (hasMore && !words.asJson()) {
            output.err()
                    .println("fusebox: showing the best " + shown + " of more matches; `" + FuseboxCommand.of("tools")
                            + option + "` lists all");
        }
    }

    private OwnerClient.Answer asked(RunningGateways.Gateway gateway) throws IOException {
        String encoded = OwnerClient.encoded(query());
        try (Progress _ = Progress.of(platform, output, "asking gateway " + gateway.pid())) {
            return gateway.answering()
                    .client()
                    .within(DEADLINE)
                    .get("tools?wait=true" + (encoded.isEmpty() ? "" : "&query=" + encoded));
        }
    }

    /// Nothing is started before it is needed, so what is missing may only not have been asked.
    private void hint(RunningGateways.Gateway gateway) throws IOException {
        if (words.asJson()) {
            return;
        }
        List<JsonView> servers = gateway.client().get("servers").list("servers").elements().stream()
                .filter(ToolsCommand::isWithoutTools)
                .toList();
        List<String> silent = servers.stream()
                .filter(ToolsCommand::isIdle)
                .map(server -> ServerTable.plain(server.string("name")))
                .toList();
        if (!silent.isEmpty()) {
            output.err()
                    .println("fusebox: tools not read yet: " + String.join(", ", silent) + "; `"
                            + FuseboxCommand.of("connect", silent.getFirst()) + gateway.option()
                            + "` reads those of the first");
        }
        tellOfUnlisted(
                servers.stream()
                        .filter(server -> !isIdle(server) && isAwaited(server))
                        .toList(),
                gateway.option());
    }

    /// Servers that are being started, or cannot be.
    private void tellOfUnlisted(List<JsonView> servers, String option) {
        String names = servers.stream()
                .map(server -> ServerTable.plain(server.string("name") + " (" + server.string("status") + ")"))
                .collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            output.err()
                    .println("fusebox: these servers have not listed their tools: " + names + "; `"
                            + FuseboxCommand.of("status") + option + "` says why");
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
        ConfigPlace place = ConfigPlace.find(null, platform).told(output);
        Path file = place.file();
        Configuration configuration = configuration(place);
        CacheFiller lists = new CacheFiller(platform, file, configuration).sparing(!query().isBlank());
        CatalogStore catalogStore = lists.read(output);
        JsonWriter rows = new JsonWriter().beginArray();
        ToolList.Found found = found(catalogStore, configuration);
        found.rows().forEach(row -> ToolFinder.write(row, rows));
        rows.endArray();
        json.name("config").string(file.toString()).name("tools").raw(rows.toString());
        if (!words.asJson()) {
            output.out()
                    .println(output.bold("no gateway runs; what servers of " + file + " had when they were last seen"));
        }
        List<JsonView> tools = JsonView.of(rows.toString()).elements();
        print(tools);
        tellOfMore(found.hasMore(), tools.size(), "");
        if (tools.isEmpty() && !words.asJson()) {
            String why = query().isBlank()
                    ? "no server has listed any; `" + FuseboxCommand.onFile("doctor")
                            + "` says what is wrong with a server"
                    : NOTHING_FOUND;
            output.err().println("fusebox: " + why);
        }
        // Where nothing at all is listed, that is told already.
        if (!tools.isEmpty() || !query().isBlank()) {
            tellOfUnlisted(lists.silent(catalogStore, server -> true));
        }
        if (!words.asJson()) {
            lists.tellOfPending(output);
        }
    }

    /// A list without them looks complete.
    private void tellOfUnlisted(List<String> unlisted) {
        if (!unlisted.isEmpty() && !words.asJson()) {
            output.err()
                    .println("fusebox: not listed, because their tools are not known: " + String.join(", ", unlisted)
                            + "; `" + FuseboxCommand.onFile("doctor") + "` says what is wrong with a server");
        }
    }

    private Configuration configuration(ConfigPlace place) throws ServeOptions.Problem {
        if (place.read(platform, Overrides.NONE) instanceof ReadResult.Usable(Configuration configuration, var _)) {
            return configuration;
        }
        throw new ServeOptions.Problem("no gateway runs, and " + place.file() + " cannot be used; `"
                + FuseboxCommand.onFile("config", "check") + "` says why");
    }

    private static ToolList remembered(CatalogStore catalogStore, Configuration configuration) {
        return ToolList.remembered(
                catalogStore,
                configuration.servers().stream()
                        .map(server -> new ToolList.Known(
                                server.id(), UpstreamFactory.identity(server), CallRules.policy(server)))
                        .toList());
    }

    /// By words only: reading all tools for one search would take too long.
    private ToolList.Found found(CatalogStore catalogStore, Configuration configuration) {
        try {
            ToolList list = remembered(catalogStore, configuration);
            ToolSearch search = new ToolSearch(platform, SemanticMode.OFF);
            return query().isBlank()
                    ? new ToolList.Found(list.rows(), false, false)
                    : list.find(search, query(), configuration.discovery().limit());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new ToolList.Found(List.of(), false, false);
        }
    }

    private void print(List<JsonView> tools) {
        if (words.asJson()) {
            return;
        }
        long all = 0;
        for (JsonView tool : tools) {
            long tokens = tokens(tool);
            all += tokens;
            if (words.isCounting()) {
                output.out().printf(Locale.ROOT, "%7d  ", tokens);
            }
            ServerTable.print(tool, output);
        }
        if (words.isCounting()) {
            output.out().printf(Locale.ROOT, "%7d  tokens of %d tools, about%n", all, tools.size());
        }
    }

    private static long tokens(JsonView tool) {
        JsonView tokens = tool.member("tokens");
        return tokens == null ? 0 : Long.parseLong(tokens.json());
    }
}
