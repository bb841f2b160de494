package dev.fusebox.cli;

import dev.fusebox.gateway.admin.ToolFinder;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.Reading;
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

/// The command `tools`: those of the gateways that run; if none does, those that its servers had when they were last
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
        List<RunningGateways.Gateway> gateways = running.toSee(words.gateway());
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        for (RunningGateways.Gateway gateway : gateways) {
            JsonView tools = asked(gateway);
            json.beginObject().name("pid").number(gateway.pid());
            json.name("tools").raw(tools).endObject();
            print(tools.elements());
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

    private JsonView asked(RunningGateways.Gateway gateway) throws IOException {
        String encoded = OwnerClient.encoded(query());
        try (Progress _ = Progress.of(world, screen, "asking gateway " + gateway.pid())) {
            return gateway.client()
                    .within(PATIENCE)
                    .get("tools?wait=true" + (encoded.isEmpty() ? "" : "&query=" + encoded))
                    .list("tools");
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
        if (!(place.read(world, Overrides.NONE) instanceof Reading.Usable(Configuration configuration, var _))) {
            throw new ServeOptions.Problem("no gateway runs, and " + file + " cannot be used; `"
                    + FuseboxCommand.onFile("config", "check") + "` says why");
        }
        Memory memory = new FirstLists(world, file, configuration).read(screen);
        JsonWriter rows = new JsonWriter().beginArray();
        rows(memory, configuration).forEach(row -> ToolFinder.write(row, rows));
        rows.endArray();
        json.name("config").string(file.toString()).name("tools").raw(rows.toString());
        if (!words.asJson()) {
            screen.out()
                    .println(screen.bold("no gateway runs; what servers of " + file + " had when they were last seen"));
        }
        List<JsonView> tools = JsonView.of(rows.toString()).elements();
        print(tools);
        if (tools.isEmpty() && !words.asJson()) {
            String why = query().isBlank()
                    ? "none of them lists any; `" + FuseboxCommand.onFile("doctor")
                            + "` says what is wrong with a server"
                    : "nothing of what is known is for that";
            screen.err().println("fusebox: " + why);
        }
    }

    /// By words only: reading all tools for one search would take too long.
    private List<ToolList.Row> rows(Memory memory, Configuration configuration) {
        try {
            ToolList list = ToolList.remembered(
                    memory,
                    configuration.servers().stream()
                            .map(server ->
                                    new ToolList.Known(server.id(), Wiring.identity(server), server.memberRules()))
                            .toList());
            ToolSearch search = new ToolSearch(world, Semantic.OFF);
            return query().isBlank()
                    ? list.rows()
                    : list.find(search, query(), configuration.discovery().limit())
                            .rows();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return List.of();
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
