package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The command-line interface: finds the requested command and runs it.
///
/// Immutable; [#run] blocks as long as the command does.
final class CommandLine {
    private static final List<Command> LAUNCHER_COMMANDS = List.of(
            new Command("build", "builds the application, even if it is up to date", inLauncher()),
            new Command("test", "builds everything and runs the full test suite", inLauncher()),
            new Command(
                    "check",
                    "compiles changed modules and their dependents with all checks, runs their quick tests",
                    inLauncher()),
            new Command("jdk", "prints the home of the JDK in use", inLauncher()));

    /// System property that the launcher of packages sets, because a package has no sources to build or test.
    private static final String PACKAGED = "fusebox.packaged";

    /// Planned commands that users may have read about.
    private static final Set<String> LATER = Set.of("trust", "audit", "chaos");

    private final List<Command> commands;
    private final List<Command> ofLauncher;
    private final List<Command> ofWords = List.of(
            new Command(
                    "completion",
                    "prints a shell completion script: bash|zsh|fish",
                    (arguments, output) ->
                            new CompletionCommand(listed().toList(), HelpTexts.read()).run(arguments, output)),
            new Command(
                    "help",
                    "shows this help; help COMMAND shows details and examples; --json for scripts",
                    (arguments, output) -> help(arguments, output)));

    CommandLine(List<Command> commands) {
        this(commands, Boolean.getBoolean(PACKAGED));
    }

    /// @param isPackaged whether the application runs from a package
    CommandLine(List<Command> commands, boolean isPackaged) {
        this.commands = List.copyOf(commands);
        this.ofLauncher = isPackaged ? List.of() : LAUNCHER_COMMANDS;
    }

    ExitStatus run(List<String> words, CommandOutput output) {
        String first = words.isEmpty() ? "help" : words.getFirst();
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        return switch (first) {
            case "--help", "-h" -> run("help", rest, output);
            case "train" -> train(rest);
            case "--version" -> run("version", rest, output);
            default -> run(first, rest, output);
        };
    }

    private ExitStatus run(String name, List<String> arguments, CommandOutput output) {
        Optional<Command> command = find(name);
        Optional<String> help = asksForHelp(name, arguments)
                ? command.flatMap(found -> HelpTexts.read().of(found))
                : Optional.empty();
        if (help.isPresent()) {
            output.out().println(help.get());
            return ExitStatus.DONE;
        }
        return command.map(found -> found.action().run(arguments, output)).orElseGet(() -> unknown(name, output));
    }

    /// No streams here: this is on the path of every gateway start.
    private Optional<Command> find(String name) {
        for (List<Command> some : List.of(commands, ofWords, ofLauncher)) {
            for (Command each : some) {
                if (each.name().equals(name)) {
                    return Optional.of(each);
                }
            }
        }
        return Optional.empty();
    }

    /// Later arguments of `add` belong to the server's command.
    private static boolean asksForHelp(String name, List<String> arguments) {
        boolean isFirst = !arguments.isEmpty() && List.of("--help", "-h").contains(arguments.getFirst());
        return isFirst || (!name.equals("add") && arguments.contains("--help"));
    }

    /// Loads the classes that every start needs and prints nothing: the launcher records this run for the AOT
    /// cache.
    ///
    /// @param arguments the serve mode to train; empty for all commands, see [ServeTrainingRun]
    private ExitStatus train(List<String> arguments) {
        Platform platform = Platform.system();
        return arguments.isEmpty() ? trainAll(platform) : ServeTrainingRun.run(platform, arguments.getFirst());
    }

    private ExitStatus trainAll(Platform platform) {
        help(CommandOutput.discarding());
        run("version", List.of("--json"), CommandOutput.discarding());
        try (ServeTrainingRun _ = ServeTrainingRun.ofOwnTools(platform);
                ServeTrainingRun _ = ServeTrainingRun.ofSharedGateway(platform)) {
            new TrainingRun(platform).run();
        }
        return run("version", List.of(), CommandOutput.discarding());
    }

    private ExitStatus help(List<String> words, CommandOutput output) {
        if (words.equals(List.of("--json"))) {
            output.out().println(json());
            return ExitStatus.DONE;
        }
        return words.isEmpty() ? help(output) : run(words.getFirst(), List.of("--help"), output);
    }

    private JsonWriter json() {
        HelpTexts helpTexts = HelpTexts.read();
        JsonWriter json = new JsonWriter().beginObject().name("commands").beginArray();
        listed().forEach(command -> {
            json.beginObject().name("name").string(command.name());
            json.name("purpose").string(command.purpose()).name("options").beginArray();
            helpTexts.options(command.name()).forEach(json::string);
            json.endArray()
                    .name("help")
                    .string(helpTexts.of(command).orElse(""))
                    .endObject();
        });
        return json.endArray().endObject();
    }

    private ExitStatus help(CommandOutput output) {
        output.out().println(output.bold("Fusebox") + ", a circuit-breaking gateway for MCP servers");
        output.out().println();
        output.out().println("Usage: ./fusebox COMMAND ...");
        listed().forEach(command -> helpLine(command.name(), command.purpose(), output));
        return ExitStatus.DONE;
    }

    private static void helpLine(String name, String purpose, CommandOutput output) {
        String gap = " ".repeat(Math.max(1, 12 - name.length()));
        output.out().println("  " + output.bold(name) + gap + purpose);
    }

    private ExitStatus unknown(String name, CommandOutput output) {
        if (LATER.contains(name)) {
            output.err()
                    .println("fusebox: " + name + " is not supported yet; `" + FuseboxCommand.of("help")
                            + "` lists all commands");
            return ExitStatus.USAGE;
        }
        String guess = SpellingSuggestion.nearest(name, names())
                .map(near -> " Did you mean \"" + near + "\"?")
                .orElse("");
        output.err()
                .println("fusebox: unknown command \"" + name + "\"." + guess + " `" + FuseboxCommand.of("help")
                        + "` lists all commands.");
        return ExitStatus.USAGE;
    }

    private List<Command> shown() {
        return commands.stream().filter(command -> !command.isHidden()).toList();
    }

    /// In the order of the help.
    private Stream<Command> listed() {
        return Stream.of(shown(), ofWords, ofLauncher).flatMap(List::stream);
    }

    private List<String> names() {
        return listed().map(Command::name).toList();
    }

    private static Command.Action inLauncher() {
        return (arguments, output) -> {
            output.err()
                    .println("fusebox: this command belongs to the launcher; run it with " + FuseboxCommand.of() + ".");
            return ExitStatus.USAGE;
        };
    }
}
