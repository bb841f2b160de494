package dev.fusebox.cli;

import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The commands that look at running gateways and change them: `status`, `list`, `tools`, `breaker`, and what
/// is done to one server. For one thread; blocks for the gateway's answer.
final class GatewayCommands {
    /// What is asked is known, and nothing is started for it.
    private static final Duration BRIEF = Duration.ofSeconds(5);

    private final Platform platform;

    GatewayCommands(Platform platform) {
        this.platform = platform;
    }

    /// A command, once its words are read.
    private interface Step {
        ExitStatus run(GatewayCommandOptions words, RunningGateways running, CommandOutput output)
                throws IOException, ServeOptions.Problem;
    }

    private ExitStatus run(String command, List<String> arguments, CommandOutput output, Step step) {
        try {
            GatewayCommandOptions words = GatewayCommandOptions.parse(command, arguments);
            return step.run(words, RunningGateways.find(platform), output);
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException unreachable) {
            output.err().println("fusebox: the gateway could not be asked: " + unreachable.getMessage());
            return ExitStatus.FAILED;
        }
    }

    // ---- Seeing

    ExitStatus status(List<String> arguments, CommandOutput output) {
        return run(
                "status",
                arguments,
                output,
                (words, running, to) -> words.isWatching() ? watch(words, to) : servers(words, running, to, true));
    }

    /// Until nobody reads any more, or a signal ends it.
    private ExitStatus watch(GatewayCommandOptions words, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        none(words);
        Watch watch = new Watch(output, CommandOutput.isTerminal() && !words.asJson());
        try {
            while (watch.show(look(words, output.color()))) {
                platform.pause(Watch.PAUSE);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return ExitStatus.DONE;
    }

    /// What there is to see now; a gateway that ends while it is asked is news, and no reason to stop.
    private String look(GatewayCommandOptions words, boolean color) throws ServeOptions.Problem {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(seen, false, StandardCharsets.UTF_8);
        try {
            servers(words, RunningGateways.find(platform), new CommandOutput(to, to, color), true);
        } catch (IOException unreachable) {
            to.println("the gateway could not be asked: " + unreachable.getMessage());
        }
        to.flush();
        return seen.toString(StandardCharsets.UTF_8);
    }

    ExitStatus list(List<String> arguments, CommandOutput output) {
        return run("list", arguments, output, (words, running, to) -> servers(words, running, to, false));
    }

    private ExitStatus servers(
            GatewayCommandOptions words, RunningGateways running, CommandOutput output, boolean inFull)
            throws IOException, ServeOptions.Problem {
        none(words);
        List<RunningGateways.Gateway> gateways = running.toSee(words.gateway());
        ServerTable table = new ServerTable(output, inFull);
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        boolean isWell = true;
        boolean isHeard = true;
        for (RunningGateways.Gateway gateway : gateways) {
            OwnerClient.Answer answer = heard(gateway, words, output);
            if (answer == null) {
                isHeard = false;
                json.beginObject().name("pid").number(gateway.pid());
                json.name("problem").string("does not answer").endObject();
                continue;
            }
            JsonView servers = answer.list("servers");
            String config = answer.body().string("config");
            json.beginObject().name("pid").number(gateway.pid());
            List<JsonView> problems = problems(answer.body());
            json.name("config").string(config).name("configProblems").beginArray();
            problems.forEach(json::raw);
            json.endArray().name("servers").raw(servers).endObject();
            isWell &= ServerTable.isWell(servers.elements());
            if (!words.asJson()) {
                table.print(
                        "gateway " + gateway.pid()
                                + (config == null
                                        ? ", without a configuration file"
                                        : ", " + ServerTable.plain(config)),
                        servers.elements(),
                        gateway.option());
                problems.forEach(problem -> output.out()
                        .println("  what is in its file now is not applied: " + ServerTable.plain(problem.string())));
            }
        }
        json.endArray();
        if (gateways.isEmpty()) {
            configured(words, json, table, output);
        }
        if (words.asJson()) {
            output.out().println(json.endObject());
        }
        return isHeard && (isWell || !inFull) ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /// Why the file that a gateway runs by is not what it runs by; older ones do not say.
    private static List<JsonView> problems(JsonView told) {
        JsonView problems = told.member("configProblems");
        return problems == null ? List.of() : problems.elements();
    }

    /// Null if it says nothing, as one does that is stopped: then the others are asked all the same.
    private OwnerClient.@Nullable Answer heard(
            RunningGateways.Gateway gateway, GatewayCommandOptions words, CommandOutput output) {
        try {
            return servers(gateway, words, output);
        } catch (IOException unheard) {
            output.err().println("fusebox: " + gateway.silence(unheard));
            return null;
        }
    }

    /// A table that is watched shows itself what it waits for: nothing new.
    private OwnerClient.Answer servers(
            RunningGateways.Gateway gateway, GatewayCommandOptions words, CommandOutput output) throws IOException {
        if (words.isWatching()) {
            return gateway.client().within(BRIEF).get("servers");
        }
        try (Progress _ = Progress.of(platform, output, "asking gateway " + gateway.pid())) {
            return gateway.client().within(BRIEF).get("servers");
        }
    }

    /// What there would be, from the configuration, when no gateway runs.
    private void configured(GatewayCommandOptions words, JsonWriter json, ServerTable table, CommandOutput output)
            throws ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.find(null, platform).told(output);
        Path file = place.file();
        JsonWriter servers = new JsonWriter().beginArray();
        switch (place.read(platform, Overrides.NONE)) {
            case ReadResult.Refused refused ->
                throw new ServeOptions.Problem("no gateway runs, and " + file + " cannot be used: "
                        + refused.problems().getFirst());
            case ReadResult.Usable usable ->
                usable.configuration().servers().forEach(server -> configured(server, servers));
        }
        servers.endArray();
        json.name("config").string(file.toString()).name("servers").raw(servers.toString());
        if (!words.asJson()) {
            List<JsonView> named = JsonView.of(servers.toString()).elements();
            String none = " has no servers; `" + FuseboxCommand.of("init") + "` moves those of your clients to it, `"
                    + FuseboxCommand.of("add", "--help") + "` shows how one is added";
            table.print("no gateway runs; " + file + (named.isEmpty() ? none : " names"), named, "");
        }
    }

    private static void configured(ServerConfig server, JsonWriter json) {
        String status = switch (server.state()) {
            case ServerState.Ready ready -> "idle";
            case ServerState.Replicated replicated -> "idle";
            case ServerState.Disabled disabled -> "disabled";
            case ServerState.AwaitingConfig awaiting -> "awaiting_user_config";
            case ServerState.Faulty faulty -> "error";
        };
        json.beginObject()
                .name("name")
                .string(server.id())
                .name("status")
                .string(status)
                .name("statusMessage")
                .string(message(server.state()))
                .endObject();
    }

    /// Empty if there is nothing to say that the status does not.
    private static String message(ServerState state) {
        return switch (state) {
            case ServerState.AwaitingConfig(List<String> missing) ->
                "waits for variables that are not set: " + String.join(", ", missing);
            case ServerState.Faulty(List<ConfigProblem> problems) ->
                problems.getFirst().pointer() + " " + problems.getFirst().message();
            case ServerState.Ready _, ServerState.Replicated _, ServerState.Disabled _ -> "";
        };
    }

    ExitStatus tools(List<String> arguments, CommandOutput output) {
        return run(
                "tools",
                arguments,
                output,
                (words, running, to) -> new ToolsCommand(platform, words, to).show(running));
    }

    // ---- Changing

    /// @param action `connect` or `restart`
    ExitStatus act(String action, List<String> arguments, CommandOutput output) {
        return run(action, arguments, output, (words, running, to) -> {
            String server = only(action, words);
            OwnerClient client = running.toChange(words.gateway()).answering().client();
            OwnerClient.Answer answer;
            try (Progress _ = Progress.of(platform, to, "waiting for " + server + " to " + action)) {
                answer = client.post("servers/" + OwnerClient.encoded(server) + "/" + action, "");
            }
            return told(answer, "message", words, to);
        });
    }

    ExitStatus breaker(List<String> arguments, CommandOutput output) {
        return run("breaker", arguments, output, (words, running, to) -> {
            String what = words.names().isEmpty() ? "" : words.names().getFirst();
            GatewayCommandOptions rest = words.rest();
            return switch (what) {
                case "show" -> show(rest, running, to);
                case "open", "reset" -> change(what, rest, running, to);
                default ->
                    throw CommandArguments.unknownAction(
                            "breaker",
                            what,
                            List.of("open", "reset", "show"),
                            "breaker takes open, reset or show, and SERVER or SERVER/TOOL");
            };
        });
    }

    private static ExitStatus change(
            String what, GatewayCommandOptions words, RunningGateways running, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        if (words.reason() != null && !what.equals("open")) {
            throw new ServeOptions.Problem("--reason is for breaker open");
        }
        String name = only("breaker " + what, words);
        String[] parts = name.split("/", 2);
        String tool = parts.length == 1 ? "" : "/tools/" + OwnerClient.encoded(parts[1]);
        String reason = words.reason();
        String body = reason == null
                ? ""
                : new JsonWriter()
                        .beginObject()
                        .name("reason")
                        .string(reason)
                        .endObject()
                        .toString();
        OwnerClient client = running.toChange(words.gateway()).answering().client();
        OwnerClient.Answer answer = client.post("breakers/" + OwnerClient.encoded(parts[0]) + tool + "/" + what, body);
        if (answer.isGood() && !words.asJson()) {
            ServerTable.printBreaker(answer.body(), output);
            return ExitStatus.DONE;
        }
        return told(answer, "state", words, output);
    }

    private static ExitStatus show(GatewayCommandOptions words, RunningGateways running, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        String wanted = words.names().isEmpty() ? null : only("breaker show", words);
        JsonWriter json = new JsonWriter().beginObject().name("breakers").beginArray();
        boolean isThere = wanted == null;
        for (RunningGateways.Gateway gateway : running.toSee(words.gateway())) {
            for (JsonView breaker :
                    gateway.client().get("breakers").list("breakers").elements()) {
                if (wanted == null || wanted.equals(breaker.string("name"))) {
                    isThere = true;
                    json.raw(breaker);
                    ServerTable.printBreaker(breaker, words.asJson() ? CommandOutput.dark() : output);
                }
            }
        }
        if (words.asJson()) {
            output.out().println(json.endArray().endObject());
        }
        if (!isThere) {
            output.err().println("fusebox: there is no breaker " + wanted + " in a gateway that runs");
        }
        return isThere ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /// @param member of the answer that says what came of it
    private static ExitStatus told(
            OwnerClient.Answer answer, String member, GatewayCommandOptions words, CommandOutput output) {
        if (words.asJson()) {
            output.out().println(answer.body().json());
        } else if (answer.isGood()) {
            output.out().println(ServerTable.plain(answer.body().string(member)));
        } else {
            output.err().println("fusebox: " + ServerTable.plain(answer.problem()));
        }
        return answer.isGood() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    // ---- Words

    private static void none(GatewayCommandOptions words) throws ServeOptions.Problem {
        if (!words.names().isEmpty()) {
            throw new ServeOptions.Problem(
                    "this command takes no names, found \"" + words.names().getFirst() + "\"");
        }
    }

    private static String only(String command, GatewayCommandOptions words) throws ServeOptions.Problem {
        if (words.names().size() != 1) {
            throw new ServeOptions.Problem(command + " takes one name");
        }
        return words.names().getFirst();
    }
}
