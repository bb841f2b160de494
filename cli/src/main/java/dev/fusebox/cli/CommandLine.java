package dev.fusebox.cli;

import dev.fusebox.gateway.config.Spelling;
import dev.fusebox.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds the command that a line of words asks for and runs it.
///
/// Immutable and safe between threads; [#run] blocks as long as the command does.
final class CommandLine {
    private static final List<Command> LAUNCHER_COMMANDS = List.of(
            new Command("build", "builds the application, whether or not it is older than its sources", inLauncher()),
            new Command("test", "builds everything and runs the full test suite", inLauncher()),
            new Command("jdk", "prints the home of the JDK that is used", inLauncher()));

    private final List<Command> commands;

    CommandLine(List<Command> commands) {
        this.commands = List.copyOf(commands);
    }

    Exit run(List<String> words, Screen screen) {
        String first = words.isEmpty() ? "help" : words.getFirst();
        List<String> rest = words.isEmpty() ? words : words.subList(1, words.size());
        return switch (first) {
            case "help", "--help", "-h" ->
                rest.isEmpty() ? help(screen) : run(rest.getFirst(), List.of("--help"), screen);
            case "completion" -> new Completion(shown(), Help.read()).run(rest, screen);
            case "train" -> train();
            case "--version" -> run("version", rest, screen);
            default -> run(first, rest, screen);
        };
    }

    private Exit run(String name, List<String> arguments, Screen screen) {
        Optional<Command> command = find(commands, named(name)).or(() -> find(LAUNCHER_COMMANDS, named(name)));
        Optional<String> help = asksForHelp(name, arguments)
                ? command.flatMap(found -> Help.read().of(found))
                : Optional.empty();
        if (help.isPresent()) {
            screen.out().println(help.get());
            return Exit.DONE;
        }
        return command.map(found -> found.action().run(arguments, screen)).orElseGet(() -> unknown(name, screen));
    }

    /// Later words of `add` may be another program's.
    private static boolean asksForHelp(String name, List<String> arguments) {
        boolean isFirst = !arguments.isEmpty() && List.of("--help", "-h").contains(arguments.getFirst());
        return isFirst || (!name.equals("add") && arguments.contains("--help"));
    }

    /// Touches what every start touches and prints nothing: the launcher records this run for the AOT cache.
    private Exit train() {
        help(Screen.dark());
        run("version", List.of("--json"), Screen.dark());
        new Rehearsal(World.system()).run();
        return run("version", List.of(), Screen.dark());
    }

    private Exit help(Screen screen) {
        screen.out().println(screen.bold("Fusebox") + ", a circuit-breaking gateway for MCP servers");
        screen.out().println();
        screen.out().println("Usage: ./fusebox COMMAND ...");
        shown().forEach(command -> helpLine(command.name(), command.purpose(), screen));
        helpLine("completion", "prints what a shell needs to complete commands: bash|zsh|fish", screen);
        helpLine("help", "prints this; help COMMAND shows examples", screen);
        LAUNCHER_COMMANDS.forEach(command -> helpLine(command.name(), command.purpose(), screen));
        return Exit.DONE;
    }

    private static void helpLine(String name, String purpose, Screen screen) {
        String gap = " ".repeat(Math.max(1, 12 - name.length()));
        screen.out().println("  " + screen.bold(name) + gap + purpose);
    }

    private Exit unknown(String name, Screen screen) {
        String guess = Spelling.nearest(name, names())
                .map(near -> " Did you mean \"" + near + "\"?")
                .orElse("");
        screen.err()
                .println("fusebox: there is no command \"" + name + "\"." + guess + " ./fusebox help lists them all.");
        return Exit.USAGE;
    }

    private List<Command> shown() {
        return commands.stream().filter(command -> !command.isHidden()).toList();
    }

    private List<String> names() {
        List<String> names = new ArrayList<>(List.of("help", "completion"));
        shown().forEach(command -> names.add(command.name()));
        LAUNCHER_COMMANDS.forEach(command -> names.add(command.name()));
        return names;
    }

    private static Command.Action inLauncher() {
        return (arguments, screen) -> {
            screen.err().println("fusebox: this command is part of the launcher; type it after ./fusebox.");
            return Exit.USAGE;
        };
    }

    private static Predicate<Command> named(String name) {
        return command -> command.name().equals(name);
    }

    private static Optional<Command> find(List<Command> commands, Predicate<Command> wanted) {
        return commands.stream().filter(wanted).findFirst();
    }
}
