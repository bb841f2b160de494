package dev.fusebox.cli;

import dev.fusebox.gateway.admin.ToolFinder;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.Reading;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.config.ServerState;
import dev.fusebox.gateway.config.Spelling;
import dev.fusebox.gateway.crowd.Memory;
import dev.fusebox.gateway.crowd.ToolList;
import dev.fusebox.gateway.meta.Semantic;
import dev.fusebox.gateway.meta.ToolSearch;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// The command `tools`: one tool in full, or all, or those that are for something; those of the gateways that run; if
/// none does, those that its servers had when they were last
/// seen, and of servers that never were what they list now. For one thread; blocks for the answers.
final class Tools {
    /// Longer than `discovery.firstListWaitMs` can be.
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    private final World world;
    private final SteeringWords words;
    private final Screen screen;

    Tools(World world, SteeringWords words, Screen screen) {
        this.world = world;
        this.words = words;
        this.screen = screen;
    }

    Exit show(RunningGateways running) throws IOException, ServeOptions.Problem {
        return isOne() ? one(running) : all(running);
    }

    // ---- One tool, by its name

    /// A name of a server and one of its tools; what is looked for is words without a slash, or several.
    private boolean isOne() {
        return words.names().size() == 1 && words.names().getFirst().matches("[^/]+/.+");
    }

    private String server() {
        String name = words.names().getFirst();
        return name.substring(0, name.indexOf('/'));
    }

    private String tool() {
        String name = words.names().getFirst();
        return name.substring(name.indexOf('/') + 1);
    }

    private Exit one(RunningGateways running) throws IOException, ServeOptions.Problem {
        List<RunningGateways.Gateway> gateways = running.toSee(words.gateway());
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        boolean isFound = false;
        String problem = "";
        for (RunningGateways.Gateway gateway : gateways) {
            try (Progress _ = Progress.of(world, screen, "asking gateway " + gateway.pid())) {
                JsonView tool = new ToolLookup(gateway.client().within(PATIENCE), server(), tool()).inFull();
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
                rememberedOne(json);
                isFound = true;
            } catch (ToolLookup.Missing missing) {
                problem = missing.getMessage();
            }
        }
        if (!isFound) {
            screen.err().println("fusebox: " + ServerTable.plain(problem));
            return Exit.FAILED;
        }
        if (words.asJson()) {
            screen.out().println(json.endObject());
        }
        return Exit.DONE;
    }

    private void page(JsonView tool, String option) {
        if (!words.asJson()) {
            new ToolPage(screen, option).print(tool);
        }
    }

    private void rememberedOne(JsonWriter json) throws IOException, ServeOptions.Problem, ToolLookup.Missing {
        ConfigPlace place = ConfigPlace.find(null, world).told(screen);
        Configuration configuration = configuration(place);
        List<String> servers =
                configuration.servers().stream().map(ServerConfig::id).toList();
        if (!servers.contains(server())) {
            throw new ToolLookup.Missing("there is no server " + server()
                    + Spelling.nearest(server(), servers)
                            .map(near -> "; did you mean \"" + near + "\"?")
                            .orElse(""));
        }
        Memory memory = new FirstLists(world, place.file(), configuration).read(server()::equals, screen);
        if (!unlisted(memory, configuration, server()::equals).isEmpty()) {
            throw new ToolLookup.Missing("the tools of " + server() + " are not known; `"
                    + FuseboxCommand.onFile("doctor", server()) + "` says what is wrong with it");
        }
        List<ToolList.Row> rows = remembered(memory, configuration).rows().stream()
                .filter(row -> row.server().equals(server()))
                .toList();
        ToolList.Row row = rows.stream()
                .filter(each -> each.tool().own().equals(tool()))
                .findFirst()
                .orElseThrow(() -> ToolLookup.missing(
                        server(),
                        tool(),
                        rows.stream().map(each -> each.tool().own()).toList()));
        JsonWriter whole = new JsonWriter();
        ToolFinder.writeInFull(row, whole);
        JsonView tool = JsonView.of(whole.toString());
        json.name("config").string(place.file().toString());
        json.name("tools").beginArray().raw(tool).endArray();
        page(tool, "");
    }

    // ---- Many

    private Exit all(RunningGateways running) throws IOException, ServeOptions.Problem {
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
            hint(gateway);
        }
        json.endArray();
        if (gateways.isEmpty()) {
            remembered(json);
        }
        if (words.asJson()) {
            screen.out().println(json.endObject());
        }
        return Exit.DONE;
    }

    private String query() {
        return String.join(" ", words.names());
    }

    /// A list that ends early looks complete.
    private void tellOfMore(boolean hasMore, int shown, String option) {
        if (hasMore && !words.asJson()) {
            screen.err()
                    .println("fusebox: these are the best " + shown + "; others fit, too; `"
                            + FuseboxCommand.of("tools") + option + "` lists all");
        }
    }

    private OwnerClient.Answer asked(RunningGateways.Gateway gateway) throws IOException {
        String encoded = OwnerClient.encoded(query());
        try (Progress _ = Progress.of(world, screen, "asking gateway " + gateway.pid())) {
            return gateway.client()
                    .within(PATIENCE)
                    .get("tools?wait=true" + (encoded.isEmpty() ? "" : "&query=" + encoded));
        }
    }

    /// Nothing is started before it is needed, so what is missing may only not have been asked.
    private void hint(RunningGateways.Gateway gateway) throws IOException {
        List<String> silent = gateway.client().get("servers").list("servers").elements().stream()
                .filter(server -> "idle".equals(server.string("status")) && isWithoutTools(server))
                .map(server -> ServerTable.plain(server.string("name")))
                .toList();
        if (!silent.isEmpty() && !words.asJson()) {
            screen.err()
                    .println("fusebox: not asked yet what they have: " + String.join(", ", silent) + "; `"
                            + FuseboxCommand.of("connect", silent.getFirst()) + gateway.option()
                            + "` asks the first of them");
        }
    }

    private static boolean isWithoutTools(JsonView server) {
        JsonView count = server.member("toolCount");
        return count != null && count.json().equals("0");
    }

    private void remembered(JsonWriter json) throws IOException, ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.find(null, world).told(screen);
        Path file = place.file();
        Configuration configuration = configuration(place);
        Memory memory = new FirstLists(world, file, configuration).read(screen);
        JsonWriter rows = new JsonWriter().beginArray();
        ToolList.Found found = found(memory, configuration);
        found.rows().forEach(row -> ToolFinder.write(row, rows));
        rows.endArray();
        json.name("config").string(file.toString()).name("tools").raw(rows.toString());
        if (!words.asJson()) {
            screen.out()
                    .println(screen.bold("no gateway runs; what servers of " + file + " had when they were last seen"));
        }
        List<JsonView> tools = JsonView.of(rows.toString()).elements();
        print(tools);
        tellOfMore(found.hasMore(), tools.size(), "");
        if (tools.isEmpty() && !words.asJson()) {
            String why = query().isBlank()
                    ? "none of them lists any; `" + FuseboxCommand.onFile("doctor")
                            + "` says what is wrong with a server"
                    : "nothing of what is known is for that";
            screen.err().println("fusebox: " + why);
        }
        // Where nothing at all is listed, that is told already.
        if (!tools.isEmpty() || !query().isBlank()) {
            tellOfUnlisted(memory, configuration);
        }
    }

    /// Their ids: servers that can be started and have not said, now or earlier, what tools they have.
    private static List<String> unlisted(Memory memory, Configuration configuration, Predicate<String> which) {
        return configuration.servers().stream()
                .filter(server -> which.test(server.id()) && server.state() instanceof ServerState.Ready)
                .filter(server -> !ToolList.isRemembered(memory, Wiring.identity(server)))
                .map(ServerConfig::id)
                .toList();
    }

    /// A list without them looks complete.
    private void tellOfUnlisted(Memory memory, Configuration configuration) {
        List<String> unlisted = unlisted(memory, configuration, server -> true);
        if (!unlisted.isEmpty() && !words.asJson()) {
            screen.err()
                    .println("fusebox: not listed, because their tools are not known: " + String.join(", ", unlisted)
                            + "; `" + FuseboxCommand.onFile("doctor") + "` says what is wrong with a server");
        }
    }

    private Configuration configuration(ConfigPlace place) throws ServeOptions.Problem {
        if (place.read(world, Overrides.NONE) instanceof Reading.Usable(Configuration configuration, var _)) {
            return configuration;
        }
        throw new ServeOptions.Problem("no gateway runs, and " + place.file() + " cannot be used; `"
                + FuseboxCommand.onFile("config", "check") + "` says why");
    }

    private static ToolList remembered(Memory memory, Configuration configuration) {
        return ToolList.remembered(
                memory,
                configuration.servers().stream()
                        .map(server -> new ToolList.Known(server.id(), Wiring.identity(server), server.memberRules()))
                        .toList());
    }

    /// By words only: reading all tools for one search would take too long.
    private ToolList.Found found(Memory memory, Configuration configuration) {
        try {
            ToolList list = remembered(memory, configuration);
            ToolSearch search = new ToolSearch(world, Semantic.OFF);
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
                screen.out().printf(Locale.ROOT, "%7d  ", tokens);
            }
            ServerTable.print(tool, screen);
        }
        if (words.isCounting()) {
            screen.out().printf(Locale.ROOT, "%7d  tokens of %d tools, about%n", all, tools.size());
        }
    }

    private static long tokens(JsonView tool) {
        JsonView tokens = tool.member("tokens");
        return tokens == null ? 0 : Long.parseLong(tokens.json());
    }
}
