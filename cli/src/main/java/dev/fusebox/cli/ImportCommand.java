package dev.fusebox.cli;

import dev.fusebox.config.ServerName;
import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The command `import`, which copies servers from clients' files to Fusebox's configuration. The clients' files
/// are only read. For one thread; blocks on disk I/O.
final class ImportCommand {
    private static final Set<String> FLAGS = Set.of("--yes", "--json", EditedFile.PROJECT);

    private static final String FROM = "--from";

    private final Platform platform;
    private final Listing listing;

    /// Caches the tool lists of servers. Blocks until each has answered or failed, within a limit.
    @FunctionalInterface
    interface Listing {
        /// Lists the tools of these servers.
        ///
        /// @param file their configuration file
        void read(Path file, Set<String> servers, CommandOutput output);
    }

    ImportCommand(Platform platform, Listing listing) {
        this.platform = platform;
        this.listing = listing;
    }

    /// The result for one server of a client.
    ///
    /// @param file of the client
    private record ImportedServer(ClientFile client, Path file, MovedServer server) {
        boolean isNew() {
            return server.move() == MovedServer.Move.TAKEN;
        }

        /// The value in JSON: `new` (to be imported), `same` (already configured), `itself` (is Fusebox) or
        /// `stays`.
        String result() {
            return switch (server.move()) {
                case TAKEN -> "new";
                case MERGED -> "same";
                case ITSELF -> "itself";
                case STAYS -> "stays";
            };
        }
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            CommandArguments commandArguments = CommandArguments.parse(
                    new CommandArguments.Grammar(
                            "import",
                            FLAGS,
                            Set.of("--config"),
                            Set.of(FROM, ServerImporter.RENAME),
                            Integer.MAX_VALUE),
                    arguments);
            if (!commandArguments.names().isEmpty()) {
                throw new ServeOptions.Problem("unexpected argument; did you mean --from "
                        + commandArguments.names().getFirst() + "?");
            }
            return take(commandArguments, output);
        } catch (ServeOptions.Problem | Unreadable problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException failed) {
            output.err().println("fusebox: " + FileErrorText.text(failed));
            return ExitStatus.FAILED;
        }
    }

    private ExitStatus take(CommandArguments commandArguments, CommandOutput output)
            throws ServeOptions.Problem, Unreadable, IOException {
        ClientFile.UserFolders userFolders = ClientSelection.userFolders(platform);
        EditedFile ours = EditedFile.open(EditedFile.path(commandArguments, platform));
        ServerImporter importer = new ServerImporter(platform, ours, ServerImporter.renames(commandArguments));
        Map<Path, String> unreadable = new LinkedHashMap<>();
        List<ImportedServer> importedServer = new ArrayList<>();
        for (ClientFile client : ClientSelection.chosen(commandArguments.all(FROM), userFolders)) {
            for (Path file : client.present(userFolders)) {
                JsonEditor before = importer.text();
                try {
                    importedServer.addAll(take(client, file, importer));
                } catch (Unreadable problem) {
                    importer.backTo(before);
                    unreadable.put(file, String.valueOf(problem.getMessage()));
                } catch (IOException failed) {
                    unreadable.put(file, "cannot be read: " + FileErrorText.text(failed));
                }
            }
        }
        boolean isWritten =
                commandArguments.has("--yes") && importedServer.stream().anyMatch(ImportedServer::isNew);
        Path kept = isWritten ? ours.replace(importer.text().bytes(), platform, output) : null;
        print(
                new Summary(ours, importedServer, unreadable, commandArguments.has("--yes"), kept),
                commandArguments,
                output);
        warn(importedServer, ours, importer.text(), output);
        if (isWritten) {
            listing.read(ours.path(), ids(importedServer), output);
        }
        return unreadable.isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private void warn(List<ImportedServer> importedServer, EditedFile ours, JsonEditor text, CommandOutput output) {
        for (ImportedServer each : importedServer) {
            if (each.isNew()) {
                String from = each.client().label() + ", " + each.file();
                new EditCommands(platform)
                        .warnings(ours, each.server(), text, from)
                        .forEach(output.err()::println);
            }
        }
    }

    private static Set<String> ids(List<ImportedServer> importedServer) {
        return importedServer.stream()
                .filter(ImportedServer::isNew)
                .map(each -> ServerName.of(each.server().as()).id())
                .collect(Collectors.toSet());
    }

    private static List<ImportedServer> take(ClientFile client, Path file, ServerImporter importer)
            throws Unreadable, IOException {
        List<ImportedServer> importedServer = new ArrayList<>();
        Map<String, JsonView> written = client.servers(AtomicFile.read(file).content());
        for (Map.Entry<String, JsonView> each : written.entrySet()) {
            MovedServer server = importer.take(client, each.getKey(), each.getValue(), null);
            // The entry that init has written is not reported.
            boolean isOwnEntry =
                    server.move() == MovedServer.Move.ITSELF && server.name().equals(ClientSelection.NAME);
            if (!isOwnEntry) {
                importedServer.add(new ImportedServer(client, file, server));
            }
        }
        return importedServer;
    }

    /// @param isWritten whether `--yes` was given
    /// @param kept the backup; null if there is none
    private record Summary(
            EditedFile ours,
            List<ImportedServer> importedServer,
            Map<Path, String> unreadable,
            boolean isWritten,
            @Nullable Path kept) {
        long count() {
            return importedServer.stream().filter(ImportedServer::isNew).count();
        }

        Path file() {
            return ours.path();
        }
    }

    private static void print(Summary summary, CommandArguments commandArguments, CommandOutput output) {
        if (commandArguments.has("--json")) {
            output.out().println(json(summary));
            return;
        }
        summary.importedServer().stream().flatMap(each -> lines(summary, each)).forEach(output.out()::println);
        summary.unreadable().forEach((file, problem) -> output.out().println("✗ " + file + " " + problem));
        String servers = OutputText.counted(summary.count(), "server");
        String kept = summary.kept() == null ? "" : " (backup: " + summary.kept() + ")";
        output.out()
                .println(summary.file() + ": " + servers + (summary.isWritten() ? " imported" : " would be imported")
                        + kept);
        if (!summary.isWritten() && summary.count() > 0) {
            output.out()
                    .println("Dry run: nothing was written. `" + FuseboxCommand.of("import")
                            + commandArguments.typed(FROM, ServerImporter.RENAME, "--config", EditedFile.PROJECT)
                            + " --yes` applies the changes"
                            + (summary.ours().file().isThere() ? " and keeps a backup." : "."));
        }
    }

    private static Stream<String> lines(Summary summary, ImportedServer importedServer) {
        MovedServer server = importedServer.server();
        String as = server.as().equals(server.name()) ? "" : " as " + server.as();
        String what = switch (server.move()) {
            case TAKEN -> (summary.isWritten() ? "imported" : "would be imported") + as;
            case MERGED -> "already configured" + as;
            case ITSELF -> "not imported: " + server.reason();
            case STAYS -> "not imported: " + server.reason();
        };
        String line = "  " + server.name() + ", from " + importedServer.client().label() + ": " + what;
        Stream<String> variables = server.variables().stream()
                .map(literal ->
                        "    " + literal.place() + " looks like a secret and is replaced by ${" + literal.variable()
                                + "}: export " + literal.variable() + " with the value from "
                                + importedServer.client().label());
        return Stream.concat(Stream.of(line), variables).map(OutputText::plain);
    }

    private static JsonWriter json(Summary summary) {
        JsonWriter json = new JsonWriter()
                .beginObject()
                .name("file")
                .string(summary.file().toString());
        json.name("written").bool(summary.isWritten() && summary.count() > 0);
        json.name("backup")
                .string(summary.kept() == null ? null : summary.kept().toString())
                .name("servers")
                .beginArray();
        for (ImportedServer each : summary.importedServer()) {
            String what = each.isNew() && summary.isWritten() ? "imported" : each.result();
            json.beginObject().name("server").string(each.server().name());
            json.name("client").string(each.client().id()).name("result").string(what);
            json.name("as")
                    .string(each.server().as().isEmpty() ? null : each.server().as());
            json.name("reason")
                    .string(
                            each.server().reason().isEmpty()
                                    ? null
                                    : each.server().reason());
            json.name("variables").beginArray();
            each.server().variables().forEach(literal -> json.string(literal.variable()));
            json.endArray().endObject();
        }
        json.endArray().name("unreadable").beginArray();
        summary.unreadable()
                .forEach((file, problem) -> json.beginObject()
                        .name("file")
                        .string(file.toString())
                        .name("problem")
                        .string(problem)
                        .endObject());
        return json.endArray().endObject();
    }
}
