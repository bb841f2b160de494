package dev.fusebox.cli;

import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The report of `init`, as text and JSON. Immutable.
///
/// @param registration how clients reach Fusebox, without its secret
/// @param outcomes of the written files, by path; empty for a dry run
/// @param unread files that are not changed
record InitReport(
        InitPlan plan,
        GatewayEntry registration,
        boolean isWritten,
        Map<Path, Outcome> outcomes,
        List<UnreadClients.Note> unread) {
    /// The outcome of writing a file.
    ///
    /// @param copy the backup beside the file; null if there is none
    /// @param isRestricted whether other users could read the file before, and cannot now
    /// @param problem why it was not written; null if it was
    record Outcome(
            @Nullable Path copy,
            boolean isRestricted,
            @Nullable String problem) {}

    boolean hasFailed() {
        return plan.moves().stream().anyMatch(move -> problem(move) != null)
                || outcomes.values().stream().anyMatch(outcome -> outcome.problem() != null);
    }

    private @Nullable String problem(ClientChange move) {
        Outcome outcome = outcomes.get(move.path());
        return move.problem() != null || outcome == null ? move.problem() : outcome.problem();
    }

    private boolean isDone(ClientChange move) {
        return isWritten && move.isChange() && problem(move) == null;
    }

    void print(CommandArguments commandArguments, CommandOutput output) {
        Stream.of(
                        ours(),
                        entry(),
                        plan.moves().stream().flatMap(this::lines),
                        Stream.of("No client was found; --client NAME creates the file of a new client: "
                                        + Stream.of(ClientFile.values())
                                                .map(ClientFile::id)
                                                .sorted()
                                                .collect(Collectors.joining(", ")))
                                .filter(none -> plan.moves().isEmpty()),
                        packages(commandArguments),
                        unread.stream().map(note -> "⚠ " + note.client() + ", " + note.file() + " " + note.why()),
                        end(commandArguments))
                .flatMap(lines -> lines)
                .map(OutputText::plain)
                .forEach(output.out()::println);
    }

    private Stream<String> ours() {
        int count = plan.taken().size();
        String servers = OutputText.counted(count, "server");
        String file = plan.ours().path().toAbsolutePath().toString();
        if (!plan.ours().file().isThere()) {
            String what = isWritten ? "created" : "would be created";
            return Stream.of(file + ": " + what + " with " + (count == 0 ? "no servers" : servers));
        }
        String what = isWritten ? " added" : " would be added";
        return count == 0 ? Stream.empty() : Stream.of(file + ": " + servers + what);
    }

    /// What Fusebox's entry says, which is the same for all clients.
    private Stream<String> entry() {
        boolean isNew = plan.moves().stream().anyMatch(ClientChange::isNewEntry);
        return isNew ? Stream.of(registration.described()) : Stream.empty();
    }

    private Stream<String> lines(ClientChange move) {
        String begin = move.client().label() + ", " + move.path() + ": ";
        String problem = problem(move);
        if (problem != null) {
            return Stream.of("✗ " + begin + "not changed: " + problem);
        }
        if (move.isShared()) {
            return Stream.of("  " + begin + "is a link to " + InitPlan.real(move.path()) + ", which is already listed");
        }
        Stream<String> servers = move.servers().stream().flatMap(this::lines);
        if (!move.isChange()) {
            return Stream.concat(Stream.of("✓ " + begin + "already uses Fusebox"), servers);
        }
        Outcome outcome = outcomes.get(move.path());
        String kept = outcome == null || outcome.copy() == null ? "" : " (backup: " + outcome.copy() + ")";
        Stream<String> restricted = outcome != null && outcome.isRestricted()
                ? Stream.of("      only you can read the file now (mode 0600), because it contains the token")
                : Stream.empty();
        return Stream.concat(
                Stream.of((isWritten ? "✓ " : "  ") + begin + done(move) + kept), Stream.concat(restricted, servers));
    }

    private String done(ClientChange move) {
        return switch (move.change()) {
            case "add" -> isWritten ? "added Fusebox" : "would add Fusebox";
            case "replace" -> isWritten ? "replaced the Fusebox entry" : "would replace the Fusebox entry";
            default -> taken(move);
        };
    }

    /// For a file that already contains Fusebox.
    private String taken(ClientChange move) {
        boolean isMoved =
                move.servers().stream().anyMatch(server -> server.leaves() && server.move() != MovedServer.Move.ITSELF);
        if (isMoved) {
            return isWritten ? "moved servers to Fusebox" : "would move servers to Fusebox";
        }
        return isWritten ? "removed a duplicate Fusebox entry" : "would remove a duplicate Fusebox entry";
    }

    private Stream<String> lines(MovedServer server) {
        String would = isWritten ? "" : "would be ";
        String line = server.name() + ": "
                + switch (server.move()) {
                    case TAKEN -> would + "moved to Fusebox" + renamed(server) + more(server);
                    case MERGED -> would + "removed, already in Fusebox" + renamed(server) + more(server);
                    case ITSELF -> would + "removed: " + server.reason();
                    case STAYS -> "not moved: " + server.reason();
                };
        Stream<String> variables = server.variables().stream()
                .map(literal -> "        " + literal.place() + " looks like a secret and is replaced by ${"
                        + literal.variable() + "}: export " + literal.variable() + " with the original value");
        return Stream.concat(Stream.of("      " + line), variables);
    }

    private static String more(MovedServer server) {
        return server.reason().isEmpty() ? "" : "; " + server.reason();
    }

    private static String renamed(MovedServer server) {
        return server.as().equals(server.name()) ? "" : " as " + server.as();
    }

    private Stream<String> packages(CommandArguments commandArguments) {
        return plan.packages().entrySet().stream()
                .map(each -> "⚠ " + each.getKey() + " is configured under several names: "
                        + String.join(", ", each.getValue())
                        + removal(each.getValue().getLast(), commandArguments));
    }

    /// After a dry run, `remove` would not find the server.
    private String removal(String name, CommandArguments commandArguments) {
        return isWritten
                ? "; `" + FuseboxCommand.of("remove", name) + commandArguments.typed("--config") + "` removes one"
                : "";
    }

    private Stream<String> end(CommandArguments commandArguments) {
        if (!isWritten) {
            return Stream.of("Dry run: nothing was written. `" + FuseboxCommand.of("init")
                            + commandArguments.typed(
                                    "--client",
                                    "--config",
                                    "--rename",
                                    InitCommand.PROFILE,
                                    InitCommand.TRANSPORT,
                                    InitCommand.PROJECT_FILES)
                            + " --yes` applies the changes" + (plan.changesContent() ? " and keeps a backup." : "."))
                    .filter(line -> plan.isOpen());
        }
        String restart = plan.moves().stream()
                .filter(this::isDone)
                .map(move -> move.client().label())
                .distinct()
                .collect(Collectors.joining(", "));
        return restart.isEmpty()
                ? Stream.empty()
                : Stream.of(
                        "Restart these clients: " + restart + ".",
                        "`" + FuseboxCommand.of("init", "--undo") + "` restores all files.");
    }

    JsonWriter json() {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("config").string(plan.ours().path().toAbsolutePath().toString());
        json.name("configIsNew").bool(!plan.ours().file().isThere());
        json.name("written").bool(isWritten).name("clients").beginArray();
        plan.moves().forEach(move -> json(move, json));
        json.endArray().name("packages").beginArray();
        plan.packages().forEach((name, servers) -> {
            json.beginObject().name("package").string(name).name("servers").beginArray();
            servers.forEach(json::string);
            json.endArray().endObject();
        });
        json.endArray().name("notRead").beginArray();
        unread.forEach(note -> json.beginObject()
                .name("client")
                .string(note.client())
                .name("file")
                .string(note.file().toString())
                .name("reason")
                .string(note.why())
                .endObject());
        json.endArray().name("restart").beginArray();
        plan.moves().stream()
                .filter(this::isDone)
                .map(move -> move.client().id())
                .distinct()
                .forEach(json::string);
        return json.endArray().endObject();
    }

    private void json(ClientChange move, JsonWriter json) {
        Outcome outcome = outcomes.get(move.path());
        String problem = problem(move);
        Path copy = outcome == null ? null : outcome.copy();
        json.beginObject().name("client").string(move.client().id());
        json.name("file").string(move.path().toString());
        json.name("change").string(problem == null ? move.change() : "refused");
        json.name("entry").raw(String.valueOf(registration.entry(move.client(), move.path())));
        json.name("backup").string(copy == null ? null : copy.toString());
        json.name("problem").string(problem).name("servers").beginArray();
        for (MovedServer server : move.servers()) {
            json.beginObject().name("server").string(server.name());
            json.name("result").string(server.result());
            json.name("as").string(server.as().isEmpty() ? null : server.as());
            json.name("reason").string(server.reason().isEmpty() ? null : server.reason());
            json.name("variables").beginArray();
            server.variables().forEach(literal -> json.string(literal.variable()));
            json.endArray().endObject();
        }
        json.endArray().endObject();
    }
}
