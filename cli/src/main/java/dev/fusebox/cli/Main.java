package dev.fusebox.cli;

import dev.fusebox.config.LogLevel;
import dev.fusebox.platform.Platform;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The entry point of the process: runs one command and exits with its code.
final class Main {
    static final List<Command> COMMANDS = commands(Platform.system());

    /// Commands that read no secrets, and skip the inspection guard to start 25 ms faster.
    private static final Set<String> HARMLESS = Set.of("help", "--help", "-h", "version", "--version", "completion");

    private Main() {}

    /// All commands, in the order of the help.
    static List<Command> commands(Platform platform) {
        return Stream.of(first(platform), ofGateways(platform), ofFiles(platform), rest(platform))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Command> first(Platform platform) {
        return List.of(
                new Command(
                        "demo",
                        "demonstrates a gateway whose servers crash and recover; --script exits after the last step",
                        (arguments, output) -> new DemoCommand(platform).run(arguments, output)),
                new Command(
                        "serve",
                        "runs the gateway: [--config FILE] [--transport stdio|http] [--port 7332]; see --help",
                        (arguments, output) -> new ServeCommand(platform).run(arguments, output)),
                new Command(
                        "config",
                        "check validates the configuration; schema prints its JSON Schema",
                        (arguments, output) -> new ConfigCommand(platform).run(arguments, output)),
                new Command(
                        "profile",
                        "list shows the profiles of the configuration: [--json] [--config FILE]",
                        (arguments, output) -> new ProfileCommand(platform).run(arguments, output)),
                new Command(
                        "doctor",
                        "diagnoses servers and shows how to fix them: [NAME...]; see --help",
                        (arguments, output) -> {
                            // Problems are reported as findings.
                            GatewayLog.from(LogLevel.ERROR);
                            return new DoctorCommand(platform).run(arguments, output);
                        }));
    }

    private static List<Command> ofGateways(Platform platform) {
        return List.of(
                new Command(
                        "status",
                        "shows running gateways and the status of their servers: [--json] [--watch] [--gateway PID]",
                        (arguments, output) -> new GatewayCommands(platform).status(arguments, output)),
                new Command(
                        "list",
                        "lists the names of all servers: [--json]",
                        (arguments, output) -> new GatewayCommands(platform).list(arguments, output)),
                new Command(
                        "tools",
                        "lists all tools or those for QUERY, or shows one: [QUERY|SERVER/TOOL] [--tokens] [--json]",
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
                        "login",
                        "logs in to a server: NAME [--device] [--no-browser] [--scope S], --list, --metadata",
                        (arguments, output) -> {
                            // It says itself what fails.
                            GatewayLog.from(LogLevel.ERROR);
                            return LoginCommand.run(platform, System.in, arguments, output);
                        }),
                new Command(
                        "logout",
                        "deletes the login to a server: NAME",
                        (arguments, output) -> new LogoutCommand(platform, output).run(arguments)),
                new Command(
                        "cache",
                        "deletes cached tool lists: clear [NAME] [--json]",
                        (arguments, output) -> new CacheCommand(platform).run(arguments, output)),
                new Command(
                        "secret",
                        "stores secrets for ${secret:NAME} in the configuration: set NAME|list|remove NAME; see --help",
                        (arguments, output) -> new SecretCommand(platform).run(arguments, output)),
                new Command(
                        "service",
                        "runs the gateway as a service of this user: install|remove|status [--config FILE] [--port N]",
                        (arguments, output) -> new ServiceCommand(platform, output).run(arguments)),
                new Command(
                        "logs",
                        "shows the log of the gateway and its servers: [NAME] [--follow] [--json]",
                        (arguments, output) -> new LogsCommand(platform).run(arguments, output)),
                new Command(
                        "breaker",
                        "opens, resets or shows a breaker: open|reset|show NAME[/TOOL] [--reason TEXT] [--gateway PID]",
                        (arguments, output) -> new GatewayCommands(platform).breaker(arguments, output)),
                steering(platform, "connect", "connects to the server NAME at once, even if its breaker is open"),
                steering(platform, "restart", "restarts the server NAME"));
    }

    private static List<Command> ofFiles(Platform platform) {
        return List.of(
                new Command(
                        "init",
                        "moves your clients' servers to Fusebox, dry run without --yes: [--client C] [--yes] [--undo]",
                        (arguments, output) -> {
                            GatewayLog.from(LogLevel.ERROR);
                            return InitCommand.of(platform).run(arguments, output);
                        }),
                new Command(
                        "allow",
                        "allows the .mcp.json of a folder until its content changes: [FILE]",
                        (arguments, output) -> new AllowCommand(platform).run(arguments, output)),
                new Command(
                        "import",
                        "copies your clients' servers to Fusebox, dry run without --yes: [--from C] [--yes]",
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
                        "removes the server NAME from the configuration",
                        (arguments, output) -> new EditCommands(platform).remove(arguments, output)),
                editing(platform, "enable", "enables the server NAME"),
                editing(platform, "disable", "disables the server NAME, which stays in the configuration"));
    }

    private static List<Command> rest(Platform platform) {
        return List.of(
                Command.hidden("train-worker", (arguments, output) -> WorkerLauncher.train(platform, arguments)),
                new Command(
                        "version", "prints the versions of Fusebox and Java; --json for scripts", VersionCommand::run));
    }

    /// A command for one server of a running gateway.
    private static Command steering(Platform platform, String action, String purpose) {
        return new Command(
                action, purpose, (arguments, output) -> new GatewayCommands(platform).act(action, arguments, output));
    }

    /// A command that edits one server's configuration.
    private static Command editing(Platform platform, String action, String purpose) {
        return new Command(
                action, purpose, (arguments, output) -> new EditCommands(platform).turn(action, arguments, output));
    }

    /// Called before a configuration is read: servers run as the same user and could read the secrets of others in
    /// `/proc`. `serve` does it itself.
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
        // Output that could not be written is a failure: a full disk must not look like success.
        boolean lost = output.out().checkError();
        output.err().flush();
        System.exit(lost && exitStatus == ExitStatus.DONE ? ExitStatus.FAILED.code() : exitStatus.code());
    }
}
