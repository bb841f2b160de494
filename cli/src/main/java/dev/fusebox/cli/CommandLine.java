package dev.fusebox.cli;

import dev.fusebox.gateway.config.SpellingSuggestion;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Finds the command that a line of words asks for and runs it.
///
/// Immutable and safe between threads; [#run] blocks as long as the command does.
final class CommandLine {
    private static final List<Command> LAUNCHER_COMMANDS = List.of(
            new Command("build", "builds the application, whether or not it is older than its sources", inLauncher()),
            new Command("test", "builds everything and runs the full test suite", inLauncher()),
            new Command(
                    "check",
                    "compiles changed modules and their dependents with all checks, runs their quick tests",
                    inLauncher()),
            new Command("jdk", "prints the home of the JDK that is used", inLauncher()));

    /// People may have read of these elsewhere.
    private static final Set<String> LATER = Set.of("trust", "login", "logout", "audit", "chaos");

    private final List<Command> commands;
    private final List<Command> ofWords = List.of(
            new Command(
                    "completion",
                    "prints what a shell needs to complete commands: bash|zsh|fish",
                    (arguments, screen) -> new Completion(told().toList(), Help.read()).run(arguments, screen)),
            new Command(
                    "help",
                    "prints this; help COMMAND shows examples; --json for scripts",
                    (arguments, screen) -> help(arguments, screen)));

    CommandLine(List<Command> commands) {
        this.commands = List.copyOf(commands);
    }

    Exit run(List<String> words, Screen screen) {
        String first = words.isEmpty() ? "help" : words.getFirst();
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        return switch (first) {
            case "--help", "-h" -> run("help", rest, screen);
            case "train" -> train(rest);
            case "--version" -> run("version", rest, screen);
            default -> run(first, rest, screen);
        };
    }

    private Exit run(String name, List<String> arguments, Screen screen) {
        Optional<Command> command = find(name);
        Optional<String> help = asksForHelp(name, arguments)
                ? command.flatMap(found -> Help.read().of(found))
                : Optional.empty();
        if (help.isPresent()) {
            screen.out().println(help.get());
            return Exit.DONE;
        }
        return command.map(found -> found.action().run(arguments, screen)).orElseGet(() -> unknown(name, screen));
    }

    /// Without a stream: each start of a gateway comes by here.
    private Optional<Command> find(String name) {
        for (List<Command> some : List.of(commands, ofWords, LAUNCHER_COMMANDS)) {
            for (Command each : some) {
                if (each.name().equals(name)) {
                    return Optional.of(each);
                }
            }
        }
        return Optional.empty();
    }

    /// Later words of `add` may be another program's.
    private static boolean asksForHelp(String name, List<String> arguments) {
        boolean isFirst = !arguments.isEmpty() && List.of("--help", "-h").contains(arguments.getFirst());
        return isFirst || (!name.equals("add") && arguments.contains("--help"));
    }

    /// Touches what every start touches and prints nothing: the launcher records this run for the AOT cache.
    ///
    /// @param arguments a way of serving, for what such a gateway touches and no more; see [ServeRehearsal]
    private Exit train(List<String> arguments) {
        Platform platform = Platform.system();
        return arguments.isEmpty() ? trainAll(platform) : ServeRehearsal.run(platform, arguments.getFirst());
    }

    private Exit trainAll(Platform platform) {
        help(Screen.dark());
        run("version", List.of("--json"), Screen.dark());
        try (ServeRehearsal _ = ServeRehearsal.ofOwnTools(platform)) {
            new Rehearsal(platform).run();
        }
        return run("version", List.of(), Screen.dark());
    }

    private Exit help(List<String> words, Screen screen) {
        if (words.equals(List.of("--json"))) {
            screen.out().println(json());
            return Exit.DONE;
        }
        return words.isEmpty() ? help(screen) : run(words.getFirst(), List.of("--help"), screen);
    }

    private JsonWriter json() {
        Help help = Help.read();
        JsonWriter json = new JsonWriter().beginObject().name("commands").beginArray();
        told().forEach(command -> {
            json.beginObject().name("name").string(command.name());
            json.name("purpose").string(command.purpose()).name("options").beginArray();
            help.options(command.name()).forEach(json::string);
            json.endArray().name("help").string(help.of(command).orElse("")).endObject();
        });
        return json.endArray().endObject();
    }

    private Exit help(Screen screen) {
        screen.out().println(screen.bold("Fusebox") + ", a circuit-breaking gateway for MCP servers");
        screen.out().println();
        screen.out().println("Usage: ./fusebox COMMAND ...");
        told().forEach(command -> helpLine(command.name(), command.purpose(), screen));
        return Exit.DONE;
    }

    private static void helpLine(String name, String purpose, Screen screen) {
        String gap = " ".repeat(Math.max(1, 12 - name.length()));
        screen.out().println("  " + screen.bold(name) + gap + purpose);
    }

    private Exit unknown(String name, Screen screen) {
        if (LATER.contains(name)) {
            screen.err()
                    .println("fusebox: " + name + " is not supported yet; `" + FuseboxCommand.of("help")
                            + "` lists all commands");
            return Exit.USAGE;
        }
        String guess = SpellingSuggestion.nearest(name, names())
                .map(near -> " Did you mean \"" + near + "\"?")
                .orElse("");
        screen.err()
                .println("fusebox: there is no command \"" + name + "\"." + guess + " `" + FuseboxCommand.of("help")
                        + "` lists them all.");
        return Exit.USAGE;
    }

    private List<Command> shown() {
        return commands.stream().filter(command -> !command.isHidden()).toList();
    }

    /// In the order of the help.
    private Stream<Command> told() {
        return Stream.of(shown(), ofWords, LAUNCHER_COMMANDS).flatMap(List::stream);
    }

    private List<String> names() {
        return told().map(Command::name).toList();
    }

    private static Command.Action inLauncher() {
        return (arguments, screen) -> {
            screen.err()
                    .println("fusebox: this command is part of the launcher; type it after " + FuseboxCommand.of()
                            + ".");
            return Exit.USAGE;
        };
    }
}
