package dev.fusebox.cli;

import dev.fusebox.config.LogLevel;
import dev.fusebox.platform.Platform;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The process's entry point: one command, then exit with its code.
final class Main {
    static final List<Command> COMMANDS = commands(Platform.system());

    /// Commands that read nothing secret, and start 25 ms sooner for it.
    private static final Set<String> HARMLESS =
            Set.of("help", "--help", "-h", "version", "--version", "completion", "demo-server");

    private Main() {}

    /// In the order of the help. A new command is one line here and one class with its action.
    static List<Command> commands(Platform platform) {
        return Stream.of(first(platform), ofGateways(platform), ofFiles(platform), rest(platform))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Command> first(Platform platform) {
        return List.of(
                new Command(
                        "demo",
                        "shows a gateway whose servers crash and recover, then a breaker; --script ends with the story",
                        (arguments, output) -> new DemoCommand(platform).run(arguments, output)),
                new Command(
                        "serve",
                        "runs the gateway: [--config FILE] [--transport stdio|http] [--port 7332]; --help tells more",
                        (arguments, output) -> new ServeCommand(platform).run(arguments, output)),
                new Command(
                        "config",
                        "check reads the configuration and tells what is wrong with it; schema prints its JSON Schema",
                        (arguments, output) -> new ConfigCommand(platform).run(arguments, output)),
                new Command(
                        "doctor",
                        "finds out what is wrong with servers, and what mends it: [NAME...]; --help tells more",
                        (arguments, output) -> {
                            // What is wrong is told by findings.
                            GatewayLog.from(LogLevel.ERROR);
                            return new DoctorCommand(platform).run(arguments, output);
                        }));
    }

    private static List<Command> ofGateways(Platform platform) {
        return List.of(
                new Command(
                        "status",
                        "shows the gateways that run and how their servers are: [--json] [--watch] [--gateway PID]",
                        (arguments, output) -> new GatewayCommands(platform).status(arguments, output)),
                new Command(
                        "list",
                        "names all servers: [--json]",
                        (arguments, output) -> new GatewayCommands(platform).list(arguments, output)),
                new Command(
                        "tools",
                        "shows all tools, those for QUERY, or one: [QUERY|SERVER/TOOL] [--tokens] [--json]",
                        (arguments, output) -> {
                            GatewayLog.from(LogLevel.ERROR);
                            return new GatewayCommands(platform).tools(arguments, output);
                        }),
                new Command(
                        "call",
                        "calls a tool once: SERVER/TOOL [KEY=VALUE...|JSON|-] [--timeout MS] [--json] [--gateway PID]",
                        (arguments, output) -> {
                            GatewayLog.from(LogLevel.ERROR);
                            return new CallCommand(platform).run(arguments, output);
                        }),
                new Command(
                        "cache",
                        "clear forgets what servers offered when they were last seen: clear [NAME] [--json]",
                        (arguments, output) -> new CacheCommand(platform).run(arguments, output)),
                new Command(
                        "logs",
                        "shows what the gateway and its servers have written: [NAME] [--follow] [--json]",
                        (arguments, output) -> new LogsCommand(platform).run(arguments, output)),
                new Command(
                        "breaker",
                        "open, reset or show NAME[/TOOL] in a running gateway: [--reason TEXT] [--gateway PID]",
                        (arguments, output) -> new GatewayCommands(platform).breaker(arguments, output)),
                steering(platform, "connect", "connects to the server NAME at once, whatever its breaker says"),
                steering(platform, "restart", "starts the server NAME anew"));
    }

    private static List<Command> ofFiles(Platform platform) {
        return List.of(
                new Command(
                        "init",
                        "moves the servers of clients to Fusebox, once it has shown how: [--client C] [--yes] [--undo]",
                        (arguments, output) -> {
                            GatewayLog.from(LogLevel.ERROR);
                            return InitCommand.of(platform).run(arguments, output);
                        }),
                new Command(
                        "allow",
                        "shows what the .mcp.json of a folder runs, and lets it run while its content stays: [FILE]",
                        (arguments, output) -> new AllowCommand(platform).run(arguments, output)),
                new Command(
                        "import",
                        "takes servers from the files of clients, once it has shown which: [--from C] [--yes]",
                        (arguments, output) -> {
                            GatewayLog.from(LogLevel.ERROR);
                            return new ImportCommand(
                                            platform,
                                            (file, servers, shown) ->
                                                    CacheFiller.ofImported(platform, file, servers, shown))
                                    .run(arguments, output);
                        }),
                new Command(
                        "add",
                        "adds a server to the configuration: NAME COMMAND ARGS... or NAME --url URL",
                        (arguments, output) -> new EditCommands(platform).add(arguments, output)),
                new Command(
                        "remove",
                        "takes the server NAME out of the configuration",
                        (arguments, output) -> new EditCommands(platform).remove(arguments, output)),
                editing(platform, "enable", "lets the server NAME be called"),
                editing(platform, "disable", "leaves the server NAME out, though it stays in the configuration"));
    }

    private static List<Command> rest(Platform platform) {
        return List.of(
                Command.hidden("train-worker", (arguments, output) -> WorkerLauncher.train(platform, arguments)),
                Command.hidden("demo-server", (arguments, output) -> DemoServer.run(arguments)),
                new Command(
                        "version", "prints the versions of Fusebox and Java; --json for scripts", VersionCommand::run));
    }

    /// Something that is done to one server of a running gateway.
    private static Command steering(Platform platform, String action, String purpose) {
        return new Command(
                action, purpose, (arguments, output) -> new GatewayCommands(platform).act(action, arguments, output));
    }

    /// Something that is written about one server.
    private static Command editing(Platform platform, String action, String purpose) {
        return new Command(
                action, purpose, (arguments, output) -> new EditCommands(platform).turn(action, arguments, output));
    }

    /// Before a configuration is read: servers run as the same user, and could read the secrets of others in
    /// `/proc`. A gateway sees to it itself.
    private static void denyInspection(String command) throws InterruptedException {
        if (!command.equals("serve") && !HARMLESS.contains(command)) {
            InspectionGuard.begin(Platform.system()).await();
        }
    }

    public static void main(String[] words) throws InterruptedException {
        GatewayLog.takeOver(Platform.system());
        denyInspection(words.length == 0 ? "help" : words[0]);
        CommandOutput output = CommandOutput.ofProcess();
        ExitStatus exitStatus = new CommandLine(COMMANDS).run(List.of(words), output);
        // What could not be printed was not done: a full disk must not look like success.
        boolean lost = output.out().checkError();
        output.err().flush();
        System.exit(lost && exitStatus == ExitStatus.DONE ? ExitStatus.FAILED.code() : exitStatus.code());
    }
}
