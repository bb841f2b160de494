package dev.fusebox.cli;

import dev.fusebox.gateway.config.LogLevel;
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
                        (arguments, screen) -> new Demo(platform).run(arguments, screen)),
                new Command(
                        "serve",
                        "runs the gateway: [--config FILE] [--transport stdio|http] [--port 7332]; --help tells more",
                        (arguments, screen) -> new Serve(platform).run(arguments, screen)),
                new Command(
                        "config",
                        "check reads the configuration and tells what is wrong with it; schema prints its JSON Schema",
                        (arguments, screen) -> new Config(platform).run(arguments, screen)),
                new Command(
                        "doctor",
                        "finds out what is wrong with servers, and what mends it: [NAME...]; --help tells more",
                        (arguments, screen) -> {
                            // What is wrong is told by findings.
                            OwnLog.from(LogLevel.ERROR);
                            return new Doctor(platform).run(arguments, screen);
                        }));
    }

    private static List<Command> ofGateways(Platform platform) {
        return List.of(
                new Command(
                        "status",
                        "shows the gateways that run and how their servers are: [--json] [--watch] [--gateway PID]",
                        (arguments, screen) -> new Steering(platform).status(arguments, screen)),
                new Command(
                        "list",
                        "names all servers: [--json]",
                        (arguments, screen) -> new Steering(platform).list(arguments, screen)),
                new Command(
                        "tools",
                        "shows all tools, those for QUERY, or one: [QUERY|SERVER/TOOL] [--tokens] [--json]",
                        (arguments, screen) -> {
                            OwnLog.from(LogLevel.ERROR);
                            return new Steering(platform).tools(arguments, screen);
                        }),
                new Command(
                        "call",
                        "calls a tool once: SERVER/TOOL [KEY=VALUE...|JSON|-] [--timeout MS] [--json] [--gateway PID]",
                        (arguments, screen) -> {
                            OwnLog.from(LogLevel.ERROR);
                            return new Call(platform).run(arguments, screen);
                        }),
                new Command(
                        "cache",
                        "clear forgets what servers offered when they were last seen: clear [NAME] [--json]",
                        (arguments, screen) -> new Cache(platform).run(arguments, screen)),
                new Command(
                        "logs",
                        "shows what the gateway and its servers have written: [NAME] [--follow] [--json]",
                        (arguments, screen) -> new Logs(platform).run(arguments, screen)),
                new Command(
                        "breaker",
                        "open, reset or show NAME[/TOOL] in a running gateway: [--reason TEXT] [--gateway PID]",
                        (arguments, screen) -> new Steering(platform).breaker(arguments, screen)),
                steering(platform, "connect", "connects to the server NAME at once, whatever its breaker says"),
                steering(platform, "restart", "starts the server NAME anew"));
    }

    private static List<Command> ofFiles(Platform platform) {
        return List.of(
                new Command(
                        "init",
                        "moves the servers of clients to Fusebox, once it has shown how: [--client C] [--yes] [--undo]",
                        (arguments, screen) -> {
                            OwnLog.from(LogLevel.ERROR);
                            return Init.of(platform).run(arguments, screen);
                        }),
                new Command(
                        "allow",
                        "shows what the .mcp.json of a folder runs, and lets it run while its content stays: [FILE]",
                        (arguments, screen) -> new Allow(platform).run(arguments, screen)),
                new Command(
                        "import",
                        "takes servers from the files of clients, once it has shown which: [--from C] [--yes]",
                        (arguments, screen) -> {
                            OwnLog.from(LogLevel.ERROR);
                            return new Importing(
                                            platform,
                                            (file, servers, shown) ->
                                                    FirstLists.ofImported(platform, file, servers, shown))
                                    .run(arguments, screen);
                        }),
                new Command(
                        "add",
                        "adds a server to the configuration: NAME COMMAND ARGS... or NAME --url URL",
                        (arguments, screen) -> new Editing(platform).add(arguments, screen)),
                new Command(
                        "remove",
                        "takes the server NAME out of the configuration",
                        (arguments, screen) -> new Editing(platform).remove(arguments, screen)),
                editing(platform, "enable", "lets the server NAME be called"),
                editing(platform, "disable", "leaves the server NAME out, though it stays in the configuration"));
    }

    private static List<Command> rest(Platform platform) {
        return List.of(
                Command.hidden("train-worker", (arguments, screen) -> Workers.train(platform, arguments)),
                Command.hidden("demo-server", (arguments, screen) -> DemoServer.run(arguments)),
                new Command("version", "prints the versions of Fusebox and Java; --json for scripts", Version::run));
    }

    /// Something that is done to one server of a running gateway.
    private static Command steering(Platform platform, String action, String purpose) {
        return new Command(
                action, purpose, (arguments, screen) -> new Steering(platform).act(action, arguments, screen));
    }

    /// Something that is written about one server.
    private static Command editing(Platform platform, String action, String purpose) {
        return new Command(
                action, purpose, (arguments, screen) -> new Editing(platform).turn(action, arguments, screen));
    }

    /// Before a configuration is read: servers run as the same user, and could read the secrets of others in
    /// `/proc`. A gateway sees to it itself.
    private static void denyInspection(String command) throws InterruptedException {
        if (!command.equals("serve") && !HARMLESS.contains(command)) {
            InspectionDenial.begin(Platform.system()).await();
        }
    }

    public static void main(String[] words) throws InterruptedException {
        OwnLog.takeOver(Platform.system());
        denyInspection(words.length == 0 ? "help" : words[0]);
        Screen screen = Screen.ofProcess();
        Exit exit = new CommandLine(COMMANDS).run(List.of(words), screen);
        // What could not be printed was not done: a full disk must not look like success.
        boolean lost = screen.out().checkError();
        screen.err().flush();
        System.exit(lost && exit == Exit.DONE ? Exit.FAILED.code() : exit.code());
    }
}
