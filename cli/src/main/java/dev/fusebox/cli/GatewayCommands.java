package dev.fusebox.cli;

import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.MissingVariables;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.catalog.ServerLabel;
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

/// The commands that inspect and control running gateways: `status`, `list`, `tools`, `breaker`, `connect` and
/// `restart`. For one thread; blocks for the gateway's response.
final class GatewayCommands {
    /// For requests that start no server.
    private static final Duration BRIEF = Duration.ofSeconds(5);

    private final Platform platform;

    GatewayCommands(Platform platform) {
        this.platform = platform;
    }

    /// A command with parsed options.
    private interface Step {
        ExitStatus run(GatewayCommandOptions options, RunningGateways running, CommandOutput output)
                throws IOException, ServeOptions.Problem;
    }

    private ExitStatus run(String command, List<String> arguments, CommandOutput output, Step step) {
        try {
            GatewayCommandOptions options = GatewayCommandOptions.parse(command, arguments);
            return step.run(options, RunningGateways.find(platform), output);
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException unreachable) {
            output.err().println("fusebox: cannot query the gateway: " + unreachable.getMessage());
            return ExitStatus.FAILED;
        }
    }

    // ---- Seeing

    ExitStatus status(List<String> arguments, CommandOutput output) {
        return run(
                "status",
                arguments,
                output,
                (options, running, to) ->
                        options.isWatching() ? watch(options, to) : servers(options, running, to, true));
    }

    /// Refreshes the table until the reader closes the output or a signal ends the process.
    private ExitStatus watch(GatewayCommandOptions options, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        none(options);
        Watch watch = new Watch(output, CommandOutput.isTerminal() && !options.asJson());
        try {
            while (watch.show(table(options, output.color()))) {
                platform.pause(Watch.PAUSE);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return ExitStatus.DONE;
    }

    /// The current table; a gateway that ends during the query is reported and does not end the watch.
    private String table(GatewayCommandOptions options, boolean color) throws ServeOptions.Problem {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(seen, false, StandardCharsets.UTF_8);
        try {
            servers(options, RunningGateways.find(platform), new CommandOutput(to, to, color), true);
        } catch (IOException unreachable) {
            to.println("cannot query the gateway: " + unreachable.getMessage());
        }
        to.flush();
        return seen.toString(StandardCharsets.UTF_8);
    }

    ExitStatus list(List<String> arguments, CommandOutput output) {
        return run("list", arguments, output, (options, running, to) -> servers(options, running, to, false));
    }

    private ExitStatus servers(
            GatewayCommandOptions options, RunningGateways running, CommandOutput output, boolean inFull)
            throws IOException, ServeOptions.Problem {
        none(options);
        List<RunningGateways.Gateway> gateways = running.toSee(options.gateway());
        ServerTable table = new ServerTable(output, inFull);
        JsonWriter json = new JsonWriter().beginObject().name("gateways").beginArray();
        boolean isWell = true;
        boolean isHeard = true;
        for (RunningGateways.Gateway gateway : gateways) {
            OwnerClient.Answer answer = query(gateway, options, output);
            if (answer == null) {
                isHeard = false;
                json.beginObject().name("pid").number(gateway.pid());
                json.name("problem").string("not responding").endObject();
                continue;
            }
            JsonView servers = answer.list("servers");
            String config = answer.body().string("config");
            json.beginObject().name("pid").number(gateway.pid());
            List<JsonView> problems = problems(answer.body());
            GatewayState state = GatewayState.of(gateway, answer.body());
            json.name("config").string(config);
            copy(answer.body(), List.of("kind", "clientCount", "endsInMs"), json);
            json.name("shared").bool(state.isShared()).name("state").string(state.state());
            json.name("configProblems").beginArray();
            problems.forEach(json::raw);
            json.endArray().name("servers").raw(servers).endObject();
            isWell &= ServerTable.isWell(servers.elements());
            if (!options.asJson()) {
                table.print(state, servers.elements());
                problems.forEach(problem -> output.out()
                        .println("  configuration change not applied: " + OutputText.plain(problem.string())));
            }
        }
        json.endArray();
        if (gateways.isEmpty()) {
            configured(options, json, table, output);
        }
        if (options.asJson()) {
            output.out().println(json.endObject());
        }
        return isHeard && (isWell || !inFull) ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /// Copies the members that the gateway reports.
    private static void copy(JsonView told, List<String> members, JsonWriter json) {
        for (String name : members) {
            JsonView member = told.member(name);
            if (member != null) {
                json.name(name).raw(member);
            }
        }
    }

    /// Why the current content of the gateway's file is not applied; older gateways do not report it.
    private static List<JsonView> problems(JsonView told) {
        JsonView problems = told.member("configProblems");
        return problems == null ? List.of() : problems.elements();
    }

    /// Null if the gateway does not respond, for example because it is suspended; the others are still queried.
    private OwnerClient.@Nullable Answer query(
            RunningGateways.Gateway gateway, GatewayCommandOptions options, CommandOutput output) {
        try {
            return servers(gateway, options, output);
        } catch (IOException unheard) {
            output.err().println("fusebox: " + gateway.unresponsiveMessage(unheard));
            return null;
        }
    }

    /// No progress line with `--watch`, which would overwrite the table.
    private OwnerClient.Answer servers(
            RunningGateways.Gateway gateway, GatewayCommandOptions options, CommandOutput output) throws IOException {
        if (options.isWatching()) {
            return gateway.client().within(BRIEF).get("servers");
        }
        try (Progress _ = Progress.of(platform, output, "querying gateway " + gateway.pid())) {
            return gateway.client().within(BRIEF).get("servers");
        }
    }

    /// The configured servers, when no gateway is running.
    private void configured(GatewayCommandOptions options, JsonWriter json, ServerTable table, CommandOutput output)
            throws ServeOptions.Problem {
        ConfigPlace place = ConfigPlace.findWithoutGateway(platform).printed(output);
        Path file = place.file();
        JsonWriter servers = new JsonWriter().beginArray();
        switch (place.read(platform, Overrides.NONE)) {
            case ReadResult.Refused refused ->
                throw new ServeOptions.Problem("no gateway is running, and " + file + " cannot be used: "
                        + refused.problems().getFirst());
            case ReadResult.Usable usable ->
                usable.configuration().servers().forEach(server -> configured(server, servers));
        }
        servers.endArray();
        json.name("config").string(file.toString()).name("servers").raw(servers.toString());
        if (!options.asJson()) {
            List<JsonView> named = JsonView.of(servers.toString()).elements();
            String none =
                    file + " has no servers; `" + FuseboxCommand.of("init") + "` moves your clients' servers to it, `"
                            + FuseboxCommand.of("add", "--help") + "` shows how to add one";
            table.print("no gateway is running; " + (named.isEmpty() ? none : "servers in " + file), named);
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

    /// Empty if the status is sufficient.
    private static String message(ServerState state) {
        return switch (state) {
            case ServerState.AwaitingConfig(List<String> missing) ->
                "it needs " + new MissingVariables(missing).needs();
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
                (options, running, to) -> new ToolsCommand(platform, options, to).show(running));
    }

    // ---- Changing

    /// @param action `connect` or `restart`
    ExitStatus act(String action, List<String> arguments, CommandOutput output) {
        return run(action, arguments, output, (options, running, to) -> {
            String server = only(action, options);
            OwnerClient client =
                    running.toChange(options.gateway()).requireResponsive().client();
            OwnerClient.Answer answer;
            try (Progress _ = Progress.of(platform, to, "waiting for " + server + " to " + action)) {
                answer = client.post("servers/" + OwnerClient.encoded(server) + "/" + action, "");
            }
            return printResult(answer, "message", options, to);
        });
    }

    ExitStatus breaker(List<String> arguments, CommandOutput output) {
        return run("breaker", arguments, output, (options, running, to) -> {
            String what = options.names().isEmpty() ? "" : options.names().getFirst();
            GatewayCommandOptions rest = options.rest();
            return switch (what) {
                case "show" -> show(rest, running, to);
                case "open", "reset" -> change(what, rest, running, to);
                default ->
                    throw CommandArguments.unknownAction(
                            "breaker",
                            what,
                            List.of("open", "reset", "show"),
                            "usage: breaker open|reset|show SERVER[/TOOL]");
            };
        });
    }

    private static ExitStatus change(
            String what, GatewayCommandOptions options, RunningGateways running, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        if (options.reason() != null && !what.equals("open")) {
            throw new ServeOptions.Problem("--reason is only valid for breaker open");
        }
        String name = only("breaker " + what, options);
        String[] parts = name.split("/", 2);
        String tool = parts.length == 1 ? "" : "/tools/" + OwnerClient.encoded(parts[1]);
        String reason = options.reason();
        String body = reason == null
                ? ""
                : new JsonWriter()
                        .beginObject()
                        .name("reason")
                        .string(reason)
                        .endObject()
                        .toString();
        OwnerClient client =
                running.toChange(options.gateway()).requireResponsive().client();
        OwnerClient.Answer answer = client.post("breakers/" + OwnerClient.encoded(parts[0]) + tool + "/" + what, body);
        if (answer.isGood() && !options.asJson()) {
            ServerTable.printBreaker(answer.body(), output);
            return ExitStatus.DONE;
        }
        return printResult(answer, "state", options, output);
    }

    private static ExitStatus show(GatewayCommandOptions options, RunningGateways running, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        String wanted = options.names().isEmpty() ? null : only("breaker show", options);
        JsonWriter json = new JsonWriter().beginObject().name("breakers").beginArray();
        JsonWriter byGateway = new JsonWriter().beginArray();
        CommandOutput lines = options.asJson() ? CommandOutput.discarding() : output;
        boolean isThere = wanted == null;
        List<RunningGateways.Gateway> gateways = running.toQuery(options.gateway());
        for (RunningGateways.Gateway gateway : gateways) {
            List<JsonView> found = gateway.client().get("breakers").list("breakers").elements().stream()
                    .filter(breaker -> wanted == null || isBreakerOf(wanted, breaker.string("name")))
                    .toList();
            byGateway.beginObject().name("pid").number(gateway.pid());
            byGateway.name("breakers").beginArray();
            found.forEach(byGateway::raw);
            byGateway.endArray().endObject();
            if (gateways.size() > 1 && !found.isEmpty()) {
                lines.out().println(output.bold(GatewayState.of(gateway, BRIEF).title()));
            }
            found.forEach(breaker -> {
                json.raw(breaker);
                ServerTable.printBreaker(breaker, lines);
            });
            isThere |= !found.isEmpty();
        }
        json.endArray();
        json.name("gateways").raw(byGateway.endArray().toString());
        if (options.asJson()) {
            output.out().println(json.endObject());
        }
        if (!isThere) {
            output.err().println("fusebox: no breaker \"" + wanted + "\" in the running gateways");
        }
        return isThere ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /// Whether a breaker has the wanted name, or is the corresponding breaker of another server of that name, such
    /// as `NAME@2`.
    private static boolean isBreakerOf(String wanted, @Nullable String name) {
        String[] parts = String.valueOf(name).split("/", 2);
        String tool = parts.length == 1 ? "" : "/" + parts[1];
        return wanted.equals(name) || wanted.equals(ServerLabel.of(parts[0]).server() + tool);
    }

    /// @param member of the response with the result
    private static ExitStatus printResult(
            OwnerClient.Answer answer, String member, GatewayCommandOptions options, CommandOutput output) {
        if (options.asJson()) {
            output.out().println(answer.body().json());
        } else if (answer.isGood()) {
            output.out().println(OutputText.plain(answer.body().string(member)));
        } else {
            output.err().println("fusebox: " + OutputText.plain(answer.problem()));
        }
        return answer.isGood() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    // ---- Words

    private static void none(GatewayCommandOptions options) throws ServeOptions.Problem {
        if (!options.names().isEmpty()) {
            throw new ServeOptions.Problem(
                    "unexpected argument \"" + options.names().getFirst() + "\"");
        }
    }

    private static String only(String command, GatewayCommandOptions options) throws ServeOptions.Problem {
        if (options.names().size() != 1) {
            throw new ServeOptions.Problem(command + " needs exactly one name");
        }
        return options.names().getFirst();
    }
}
