package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.LiteralSecrets;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerName;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The commands `add`, `remove`, `enable` and `disable`, which edit servers in the configuration file and preserve
/// the rest of its text. A running gateway that uses the file applies the change. For one thread; blocks on disk
/// I/O.
final class EditCommands {
    private static final Set<String> SWITCHES = Set.of("enable", "disable");
    private static final Set<String> FLAGS = Set.of("--json", EditedFile.PROJECT);
    private static final Set<String> OF_FILE = Set.of("--config");
    private static final Set<String> OF_ADD = Set.of("--config", "--url", "--type", "--cwd");
    private static final Set<String> PAIRS = Set.of("--env", "--header");

    private final Platform platform;

    EditCommands(Platform platform) {
        this.platform = platform;
    }

    /// An edit of a file.
    private interface Change {
        JsonEditor of(EditedFile opened) throws Unreadable, ServeOptions.Problem;
    }

    ExitStatus add(List<String> arguments, CommandOutput output) {
        return run("add", arguments, output, commandArguments -> {
            if (commandArguments.names().isEmpty()) {
                throw new ServeOptions.Problem("add needs a name and either a command or --url; see `"
                        + FuseboxCommand.of("help", "add") + "`");
            }
            String name = commandArguments.names().getFirst();
            String server = server(commandArguments);
            return opened -> {
                if (opened.server(name) != null) {
                    throw new ServeOptions.Problem("server \"" + name + "\" already exists; `"
                            + FuseboxCommand.of(
                                    "remove", name, "--config", opened.path().toString())
                            + "` removes it");
                }
                new LiteralCheck(opened.workTree()).refuse(name, server, opened.path());
                return opened.text().with(opened.servers(), name, server);
            };
        });
    }

    ExitStatus remove(List<String> arguments, CommandOutput output) {
        return run("remove", arguments, output, commandArguments -> {
            String name = only("remove", commandArguments);
            return opened -> opened.text().without(opened.servers(), known("remove", opened, name));
        });
    }

    /// @param command `enable` or `disable`
    ExitStatus turn(String command, List<String> arguments, CommandOutput output) {
        boolean isOff = command.equals("disable");
        return run(command, arguments, output, commandArguments -> {
            String name = only(command, commandArguments);
            return opened -> {
                List<String> path = List.of(opened.servers().getFirst(), known(command, opened, name));
                JsonView server = opened.text().at(path);
                if (!isOff && (server == null || server.member("disabled") == null)) {
                    return opened.text();
                }
                return opened.text().with(path, "disabled", Boolean.toString(isOff));
            };
        });
    }

    private static String only(String command, CommandArguments commandArguments) throws ServeOptions.Problem {
        if (commandArguments.names().size() != 1) {
            throw new ServeOptions.Problem(
                    command + " needs exactly one server name; see `" + FuseboxCommand.of("help", command) + "`");
        }
        return commandArguments.names().getFirst();
    }

    /// The server's name in the file, found by that name or by its derived id.
    private String known(String command, EditedFile opened, String name) throws ServeOptions.Problem {
        List<String> names = opened.names();
        if (names.contains(name)) {
            return name;
        }
        Optional<String> shown = names.stream()
                .filter(written -> ServerName.of(written).id().equals(name))
                .findFirst();
        if (shown.isPresent()) {
            return shown.get();
        }
        String guess = SpellingSuggestion.nearest(name, names)
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse(names.isEmpty() ? "" : "; its servers: " + String.join(", ", names));
        Path file = opened.path();
        String none = Files.exists(file) ? file + " has no server \"" : file + " does not exist and has no server \"";
        throw new ServeOptions.Problem(none + name + "\"" + guess + "; " + EditedFile.PROJECT
                + " selects ./.mcp.json, --config FILE another file" + others(command, name, file));
    }

    /// Points to the files of running gateways, whose messages name a server and not its file.
    private String others(String command, String name, Path file) {
        String others = RunningGateways.files(platform).stream()
                .filter(other -> !other.is(file))
                .map(other -> other.uses() + " " + other.file() + change(command, name, other.file()))
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : "; " + others;
    }

    private static String change(String command, String name, Path file) {
        return EditTarget.has(file, name)
                ? ", which `" + FuseboxCommand.of(command, name, "--config", file.toString()) + "` changes"
                : "";
    }

    private static String server(CommandArguments commandArguments) throws ServeOptions.Problem {
        List<String> command =
                commandArguments.names().subList(1, commandArguments.names().size());
        String url = commandArguments.value("--url");
        if (command.isEmpty() == (url == null)) {
            throw new ServeOptions.Problem(
                    "add needs either a command or --url; see `" + FuseboxCommand.of("help", "add") + "`");
        }
        if (url == null) {
            CommandShape.check(commandArguments);
        }
        JsonWriter server = new JsonWriter().beginObject();
        if (url == null) {
            server.name("command").string(command.getFirst()).name("args").beginArray();
            command.stream().skip(1).forEach(server::string);
            server.endArray();
        } else {
            server.name("url").string(url);
        }
        for (String option : List.of("--type", "--cwd")) {
            String value = commandArguments.value(option);
            if (value != null) {
                server.name(option.substring(2)).string(value);
            }
        }
        pairs("--env", "env", commandArguments, server);
        pairs("--header", "headers", commandArguments, server);
        return server.endObject().toString();
    }

    private static void pairs(String option, String key, CommandArguments commandArguments, JsonWriter into)
            throws ServeOptions.Problem {
        if (commandArguments.all(option).isEmpty()) {
            return;
        }
        into.name(key).beginObject();
        for (String pair : commandArguments.all(option)) {
            int is = pair.indexOf('=');
            if (is <= 0) {
                throw new ServeOptions.Problem(option + " needs NAME=VALUE");
            }
            into.name(pair.substring(0, is)).string(pair.substring(is + 1));
        }
        into.endObject();
    }

    // ---- The file

    /// Validates the arguments before the file is read.
    private interface ChangeFactory {
        Change of(CommandArguments commandArguments) throws ServeOptions.Problem;
    }

    private ExitStatus run(String command, List<String> arguments, CommandOutput output, ChangeFactory factory) {
        boolean isAdd = command.equals("add");
        try {
            CommandArguments commandArguments = CommandArguments.parse(
                    isAdd
                            ? new CommandArguments.Grammar(command, FLAGS, OF_ADD, PAIRS, 2)
                            : new CommandArguments.Grammar(command, FLAGS, OF_FILE),
                    arguments);
            Change change = factory.of(commandArguments);
            EditTarget target = EditTarget.of(commandArguments, isAdd, platform);
            EditedFile opened = EditedFile.open(target.path());
            JsonEditor after = change.of(opened);
            Path kept = write(opened, after.bytes(), output);
            print(commandArguments, new Outcome(command, opened, after, kept), output);
            boolean mayBeShown = !isAdd || !LiteralSecrets.areIn(after.at(opened.servers()));
            target.readers(new EditTarget.TypedCommand(command, arguments, commandArguments, mayBeShown))
                    .ifPresent(line -> output.err().println("fusebox: " + OutputText.plain(line)));
            warn(opened, ServerName.of(commandArguments.names().getFirst()).id(), after, output);
            if (SWITCHES.contains(command)) {
                String id = ServerName.of(commandArguments.names().getFirst()).id();
                new RunningGatewayNotifier(platform).notifySwitch(command, id, opened.path(), output);
            }
            return ExitStatus.DONE;
        } catch (ServeOptions.Problem | Unreadable problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException failed) {
            output.err().println("fusebox: " + FileErrorText.text(failed));
            return ExitStatus.FAILED;
        }
    }

    /// @return the backup; null if the file is new or unchanged
    private @Nullable Path write(EditedFile opened, byte[] after, CommandOutput output)
            throws IOException, ServeOptions.Problem {
        if (!opened.isChangedBy(after)) {
            return null;
        }
        Path path = opened.path();
        List<ConfigProblem> before = ConfigFile.read(
                        HostEnvironments.ofUnapproved(platform),
                        path,
                        opened.text().bytes())
                .problems();
        ReadResult readResult = ConfigFile.read(HostEnvironments.ofUnapproved(platform), path, after);
        Set<String> known = before.stream().map(EditCommands::text).collect(Collectors.toSet());
        Optional<ConfigProblem> mistake = readResult.problems().stream()
                .filter(problem -> !known.contains(text(problem)))
                .findFirst();
        if (mistake.isPresent()) {
            throw new ServeOptions.Problem("file not changed, because it would be invalid: " + text(mistake.get()));
        }
        return opened.replace(after, platform, output);
    }

    /// Prints the configuration warnings about the edited server.
    ///
    /// @param server its id
    private void warn(EditedFile opened, String server, JsonEditor after, CommandOutput output) {
        warnings(opened, server, after).forEach(warning -> output.err().println("fusebox: " + text(warning)));
    }

    /// The warnings about a server from a client, one line each.
    ///
    /// @param from the client and its file
    List<String> warnings(EditedFile opened, MovedServer server, JsonEditor after, String from) {
        String is = server.as().equals(server.name()) ? "" : ", under the name " + server.as() + ",";
        return warnings(opened, ServerName.of(server.as()).id(), after).stream()
                .map(warning -> "fusebox: "
                        + OutputText.plain(
                                from + ": " + server.name() + is + within(warning) + " " + warning.message()))
                .toList();
    }

    /// The part of the pointer inside the server.
    private static String within(ConfigProblem warning) {
        String[] parts = warning.pointer().split("/", 4);
        return parts.length < 4 ? "" : " /" + parts[3];
    }

    private List<ConfigProblem> warnings(EditedFile opened, String server, JsonEditor after) {
        return ConfigFile.read(HostEnvironments.ofUnapproved(platform), opened.path(), after.bytes())
                .warnings()
                .stream()
                .filter(warning -> isAbout(server, opened.servers().getFirst(), warning.pointer()))
                .toList();
    }

    /// @param servers the member of the file that contains the servers
    private static boolean isAbout(String server, String servers, String pointer) {
        String[] parts = pointer.split("/", 4);
        boolean isServers = parts.length > 2 && parts[1].equals(servers);
        return isServers
                && ServerName.of(parts[2].replace("~1", "/").replace("~0", "~"))
                        .id()
                        .equals(server);
    }

    /// Without the line number, which belongs to the edited text and not to the file.
    private static String text(ConfigProblem problem) {
        return problem.pointer() + " " + problem.message();
    }

    /// The result of an edit.
    ///
    /// @param before the file as it was read
    /// @param kept the backup; null if there is none
    private record Outcome(
            String command,
            EditedFile before,
            JsonEditor after,
            @Nullable Path kept) {
        boolean isChanged() {
            return before.isChangedBy(after.bytes());
        }

        /// The past participle of the command, such as `disabled`.
        String done() {
            return command + (command.endsWith("e") ? "d" : "ed");
        }

        String file() {
            return before.path().toString();
        }
    }

    private static void print(CommandArguments commandArguments, Outcome outcome, CommandOutput output) {
        String name = commandArguments.names().getFirst();
        if (commandArguments.has("--json")) {
            JsonWriter json = new JsonWriter().beginObject().name("command").string(outcome.command());
            json.name("server").string(name).name("file").string(outcome.file());
            json.name("changed").bool(outcome.isChanged());
            String kept = outcome.kept() == null ? null : outcome.kept().toString();
            output.out().println(json.name("backup").string(kept).endObject());
        } else if (outcome.isChanged()) {
            output.out().println(outcome.file() + ": " + outcome.done() + " " + name);
        } else {
            output.out()
                    .println(outcome.file() + ": " + name + " is already " + outcome.done() + "; nothing was changed");
        }
    }
}
