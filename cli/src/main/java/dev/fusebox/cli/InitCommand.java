package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ServerName;
import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.config.edit.WorkTree;
import dev.fusebox.gateway.approval.ProjectConfig;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The command `init`, which moves clients' servers to Fusebox's configuration and replaces them with Fusebox,
/// after a dry run; `--undo` restores the files. For one thread; blocks on disk I/O.
final class InitCommand {
    /// The option that includes the project files of the current folder.
    static final String PROJECT_FILES = "--project-files";

    /// The option that gives clients a part of the servers.
    static final String PROFILE = "--profile";

    /// The option for how clients reach Fusebox.
    static final String TRANSPORT = "--transport";

    private static final String CLIENT = "--client";
    private static final String FORCE = "--force";

    private final Platform platform;
    private final @Nullable String launcher;
    private final ImportCommand.Listing listing;

    /// @param launcher the path of `./fusebox`; null if the application was started without it
    /// @param listing caches the tool lists of moved servers
    InitCommand(Platform platform, @Nullable String launcher, ImportCommand.Listing listing) {
        this.platform = platform;
        this.launcher = launcher;
        this.listing = listing;
    }

    static InitCommand of(Platform platform) {
        return new InitCommand(
                platform,
                System.getProperty("fusebox.launcher"),
                (file, servers, output) -> CacheFiller.ofImported(platform, file, servers, output));
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            CommandArguments commandArguments = CommandArguments.parse(
                    new CommandArguments.Grammar(
                            "init",
                            Set.of("--yes", "--json", "--undo", FORCE, PROJECT_FILES),
                            Set.of("--config", PROFILE, TRANSPORT),
                            Set.of(CLIENT, ServerImporter.RENAME),
                            Integer.MAX_VALUE),
                    arguments);
            if (!commandArguments.names().isEmpty()) {
                throw new ServeOptions.Problem("unexpected argument; did you mean --client "
                        + commandArguments.names().getFirst() + "?");
            }
            if (commandArguments.has(FORCE) && !commandArguments.has("--undo")) {
                throw new ServeOptions.Problem(FORCE + " requires --undo");
            }
            for (String option : List.of(PROFILE, TRANSPORT)) {
                if (commandArguments.has("--undo") && commandArguments.value(option) != null) {
                    throw new ServeOptions.Problem(option + " and --undo cannot be combined");
                }
            }
            return commandArguments.has("--undo") ? undo(commandArguments, output) : move(commandArguments, output);
        } catch (ServeOptions.Problem | Unreadable problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException failed) {
            output.err().println("fusebox: " + FileErrorText.text(failed));
            return ExitStatus.FAILED;
        }
    }

    // ---- Moving

    private ExitStatus move(CommandArguments commandArguments, CommandOutput output)
            throws ServeOptions.Problem, Unreadable, IOException {
        if (launcher == null) {
            throw new ServeOptions.Problem("run init through ./fusebox; clients are configured with its path");
        }
        Path config = EditedFile.path(commandArguments, platform).toAbsolutePath();
        ClientFile.UserFolders userFolders = ClientSelection.userFolders(platform);
        List<ClientFile> clients = ClientSelection.chosen(commandArguments.all(CLIENT), userFolders);
        List<InitPlan.Target> targets = targets(clients, userFolders);
        List<InitPlan.Target> ofProject = ofProject(commandArguments.all(CLIENT), targets);
        if (commandArguments.has(PROJECT_FILES)) {
            targets.addAll(ofProject);
        }
        EditedFile ours = EditedFile.open(config);
        GatewayEntry registration = new GatewayEntryChoice(platform, launcher, ours).of(commandArguments);
        InitPlan.CommonSettings commonSettings =
                new InitPlan.CommonSettings(ours, registration, ServerImporter.renames(commandArguments));
        InitPlan plan = InitPlan.of(platform, commonSettings, targets);
        boolean isWritten = commandArguments.has("--yes");
        Map<Path, InitReport.Outcome> outcomes = isWritten ? applied(plan, registration, output) : Map.of();
        List<UnreadClients.Note> unread = unread(commandArguments, userFolders, registration);
        if (!commandArguments.has(PROJECT_FILES)) {
            unread.addAll(UnreadClients.ofProject(ofProject, PROJECT_FILES));
        }
        InitReport report = new InitReport(plan, registration.shown(), isWritten, outcomes, unread);
        if (commandArguments.has("--json")) {
            output.out().println(report.json());
        } else {
            report.print(commandArguments, output);
        }
        warn(plan, output);
        if (isWritten && !plan.taken().isEmpty()) {
            listing.read(config, ids(plan), output);
        }
        return report.hasFailed() ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private static List<InitPlan.Target> targets(List<ClientFile> clients, ClientFile.UserFolders userFolders) {
        List<InitPlan.Target> targets = new ArrayList<>();
        for (ClientFile client : clients) {
            client.present(userFolders).forEach(file -> targets.add(new InitPlan.Target(client, file, null)));
        }
        return targets;
    }

    /// Existing project files that are neither among the user's own files nor a configuration that Fusebox uses.
    private List<InitPlan.Target> ofProject(List<String> chosen, List<InitPlan.Target> own) {
        Path folder = Path.of("").toAbsolutePath();
        List<InitPlan.Target> targets = new ArrayList<>();
        for (ClientFile each : ClientFile.values()) {
            Optional<Path> file = each.ofProject(folder)
                    .filter(Files::isRegularFile)
                    .filter(path -> chosen.isEmpty() || chosen.contains(each.id()))
                    .filter(path -> own.stream().noneMatch(target -> RunningGateways.isSame(target.file(), path)))
                    .filter(path -> !isOurs(path));
            file.ifPresent(path -> targets.add(new InitPlan.Target(each, path, folder)));
        }
        return targets;
    }

    private boolean isOurs(Path file) {
        return Path.of(ConfigFile.PROJECT).equals(file.getFileName())
                && ProjectConfig.at(platform, file).configRejection().isEmpty();
    }

    private static List<UnreadClients.Note> unread(
            CommandArguments commandArguments, ClientFile.UserFolders userFolders, GatewayEntry registration) {
        return commandArguments.all(CLIENT).isEmpty()
                ? new ArrayList<>(UnreadClients.of(userFolders, registration))
                : new ArrayList<>();
    }

    private void warn(InitPlan plan, CommandOutput output) {
        for (ClientChange move : plan.moves()) {
            String from = move.client().label() + ", " + move.path();
            move.servers().stream()
                    .filter(server -> server.move() == MovedServer.Move.TAKEN)
                    .flatMap(server ->
                            new EditCommands(platform).warnings(plan.ours(), server, plan.text(), from).stream())
                    .forEach(output.err()::println);
        }
    }

    private static Set<String> ids(InitPlan plan) {
        return plan.taken().stream().map(name -> ServerName.of(name).id()).collect(Collectors.toSet());
    }

    /// Servers are added to Fusebox's configuration before they are removed from a client, and each change is
    /// recorded before it is made: an interruption loses nothing, and `--undo` has the originals.
    private Map<Path, InitReport.Outcome> applied(InitPlan plan, GatewayEntry registration, CommandOutput output)
            throws IOException {
        ChangeRecords records = ChangeRecords.of(platform);
        if (plan.changesOurs()) {
            byte[] after = plan.text().bytes();
            ChangeRecord record = records.begin(Optional.empty(), plan.ours().file(), after, plan.taken());
            records.write(record.withCopy(plan.ours().replaceRecorded(after, platform, output)));
        }
        Map<Path, InitReport.Outcome> outcomes = new LinkedHashMap<>();
        for (ClientChange move : plan.moves()) {
            if (move.isChange()) {
                outcomes.put(move.path(), applied(move, registration, records));
            }
        }
        return outcomes;
    }

    private static InitReport.Outcome applied(ClientChange move, GatewayEntry registration, ChangeRecords records) {
        try {
            AtomicFile file = Objects.requireNonNull(move.file());
            // The backup may contain the token of an earlier run.
            boolean isSecret = registration.hasTokenIn(move.after()) || registration.hasTokenIn(file.content());
            boolean isRestricted = isSecret && file.isReadableByOthers();
            ChangeRecord record = records.begin(Optional.of(move.client()), file, move.after(), List.of());
            Path copy = written(move, isSecret ? file.forOwnerOnly() : file, new Recording(record, records));
            return new InitReport.Outcome(copy, isRestricted, null);
        } catch (IOException failed) {
            return new InitReport.Outcome(null, false, FileErrorText.text(failed));
        }
    }

    /// A change record and its store.
    private record Recording(ChangeRecord record, ChangeRecords records) {}

    /// No backup is left in a work tree, from which it might be published: the original is in the change record.
    private static @Nullable Path written(ClientChange move, AtomicFile file, Recording recording) throws IOException {
        if (WorkTree.of(move.path()).isPresent()) {
            file.replaceWithoutCopy(move.after());
            return null;
        }
        Path copy = file.replace(move.after());
        recording.records().write(recording.record().withCopy(copy));
        return copy;
    }

    // ---- Undoing

    private ExitStatus undo(CommandArguments commandArguments, CommandOutput output)
            throws ServeOptions.Problem, IOException {
        Set<ClientFile> only = ClientSelection.named(commandArguments.all(CLIENT));
        List<InitUndo.FileResult> fileResult =
                new InitUndo(ChangeRecords.of(platform), commandArguments.has(FORCE)).run(only);
        if (commandArguments.has("--json")) {
            output.out().println(json(fileResult));
        } else {
            print(fileResult, output);
        }
        return fileResult.stream().anyMatch(InitUndo.FileResult::isRefused) ? ExitStatus.FAILED : ExitStatus.DONE;
    }

    private static void print(List<InitUndo.FileResult> fileResult, CommandOutput output) {
        if (fileResult.isEmpty()) {
            output.out().println("There is nothing to undo.");
        }
        for (InitUndo.FileResult each : fileResult) {
            String begin = each.record().label() + ", " + each.record().file() + ": ";
            String what = switch (each.result()) {
                case "restored" -> "restored";
                case "deleted" -> "deleted, because init had created it";
                case "unchanged" -> "unchanged";
                case "merged" ->
                    each.record().client().isPresent()
                            ? "servers restored, later changes kept"
                            : "servers added by init removed, later changes kept";
                case "partial" -> "later changes undone, but not the first: " + each.detail();
                default -> "not changed: " + each.detail();
            };
            output.out().println(OutputText.plain((each.isRefused() ? "✗ " : "✓ ") + begin + what));
        }
        String restart = fileResult.stream()
                .filter(each -> each.isChange() && each.record().client().isPresent())
                .map(each -> each.record().label())
                .distinct()
                .collect(Collectors.joining(", "));
        if (!restart.isEmpty()) {
            output.out().println("Restart these clients: " + restart + ".");
        }
    }

    private static JsonWriter json(List<InitUndo.FileResult> fileResult) {
        JsonWriter json = new JsonWriter().beginObject().name("files").beginArray();
        for (InitUndo.FileResult each : fileResult) {
            json.beginObject()
                    .name("client")
                    .string(each.record().client().map(ClientFile::id).orElse(null));
            json.name("file").string(each.record().file().toString());
            json.name("result").string(each.result()).name("problem").string(each.detail());
            json.endObject();
        }
        return json.endArray().endObject();
    }
}
