package dev.fusebox.cli;

import dev.fusebox.gateway.config.LiteralSecrets.Literal;
import dev.fusebox.gateway.config.ServerName;
import dev.fusebox.gateway.edit.ClientFile;
import dev.fusebox.gateway.edit.JsonText;
import dev.fusebox.gateway.edit.SafeFile;
import dev.fusebox.gateway.edit.Translation;
import dev.fusebox.gateway.edit.Unreadable;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The command `import`: takes servers out of clients' files into ours. The clients' files are only read. For one
/// thread; blocks as the disk does.
final class Importing {
    private static final Set<String> FLAGS = Set.of("--yes", "--json", EditedFile.PROJECT);

    private final World world;
    private final Listing listing;

    /// Has servers list their tools for the cache. Blocks until each has answered or failed, within a bound.
    @FunctionalInterface
    interface Listing {
        /// Has these servers list their tools.
        ///
        /// @param file that the servers stand in now
        void read(Path file, Set<String> servers, Screen screen);
    }

    Importing(World world, Listing listing) {
        this.world = world;
        this.listing = listing;
    }

    /// What became of one server of a client.
    ///
    /// @param what `new` (to be imported), `same` (is here already), `other`, `unusable`, `reserved`,
    /// `itself` (is Fusebox) or `unknown`
    private record Taken(ClientFile client, String server, String what) {
        boolean isNew() {
            return what.equals("new");
        }
    }

    Exit run(List<String> arguments, Screen screen) {
        try {
            Words words = Words.parse(
                    new Words.Grammar("import", FLAGS, Set.of("--from", "--config"), Integer.MAX_VALUE), arguments);
            if (!words.names().isEmpty()) {
                throw new ServeOptions.Problem("import takes no names; did you mean --from "
                        + words.names().getFirst() + "?");
            }
            return take(words, screen);
        } catch (ServeOptions.Problem | Unreadable problem) {
            screen.err().println("fusebox: " + problem.getMessage());
            return Exit.USAGE;
        } catch (IOException failed) {
            screen.err().println("fusebox: " + failed.getMessage());
            return Exit.FAILED;
        }
    }

    private Exit take(Words words, Screen screen) throws ServeOptions.Problem, Unreadable, IOException {
        ClientFile.Place place = Clients.place(world);
        EditedFile ours = EditedFile.open(EditedFile.path(words, world));
        LiteralCheck literals = new LiteralCheck(ours.workTree());
        ServerIntake itself = new ServerIntake(world, ours, Map.of());
        JsonText text = ours.text();
        Map<Path, String> unreadable = new LinkedHashMap<>();
        List<Taken> taken = new ArrayList<>();
        for (ClientFile client : Clients.chosen(words.value("--from"), place)) {
            for (Path file : client.present(place)) {
                try {
                    Into into = new Into(text, ours.servers(), literals, taken, itself);
                    text = take(client, SafeFile.read(file), into);
                } catch (Unreadable problem) {
                    unreadable.put(file, String.valueOf(problem.getMessage()));
                }
            }
        }
        boolean isWritten = words.has("--yes") && taken.stream().anyMatch(Taken::isNew);
        Path kept = isWritten ? ours.replace(text.bytes(), world, screen) : null;
        tell(new Told(ours.path(), taken, literals, unreadable, words.has("--yes"), kept), words, screen);
        for (Taken each : taken) {
            if (each.isNew()) {
                new Editing(world).warn(ours, ServerName.of(each.server()).id(), text, screen);
            }
        }
        if (isWritten) {
            listing.read(ours.path(), ids(taken), screen);
        }
        return unreadable.isEmpty() ? Exit.DONE : Exit.FAILED;
    }

    private static Set<String> ids(List<Taken> taken) {
        return taken.stream()
                .filter(Taken::isNew)
                .map(each -> ServerName.of(each.server()).id())
                .collect(Collectors.toSet());
    }

    /// Where servers go, and what is noted about each.
    private record Into(
            JsonText text, List<String> path, LiteralCheck literals, List<Taken> taken, ServerIntake itself) {}

    private static JsonText take(ClientFile client, SafeFile file, Into into) throws Unreadable {
        JsonText text = into.text();
        for (Map.Entry<String, JsonView> each : client.servers(file.content()).entrySet()) {
            String name = each.getKey();
            String server = Translation.of(each.getValue(), client);
            JsonView known = text.at(List.of(into.path().getFirst(), name));
            if (into.itself().isItself(client, each.getValue())) {
                // The entry that init has written is no news.
                if (!name.equals(Clients.NAME)) {
                    into.taken().add(new Taken(client, name, "itself"));
                }
                continue;
            }
            if (server == null) {
                into.taken().add(new Taken(client, name, "unknown"));
                continue;
            }
            if (name.isEmpty() || ServerName.of(name).isUnusable()) {
                into.taken().add(new Taken(client, name, "unusable"));
                continue;
            }
            if (ServerName.of(name).isReserved()) {
                into.taken().add(new Taken(client, name, "reserved"));
                continue;
            }
            JsonText with = text.with(into.path(), name, into.literals().replaced(name, server));
            if (known == null) {
                text = with;
                into.taken().add(new Taken(client, name, "new"));
            } else {
                boolean isSame = Arrays.equals(text.bytes(), with.bytes());
                into.taken().add(new Taken(client, name, isSame ? "same" : "other"));
            }
        }
        return text;
    }

    // ---- Telling

    /// @param isWritten whether anything was to be written
    /// @param kept where the old content is; null if there was none
    private record Told(
            Path file,
            List<Taken> taken,
            LiteralCheck literals,
            Map<Path, String> unreadable,
            boolean isWritten,
            @Nullable Path kept) {
        long count() {
            return taken.stream().filter(Taken::isNew).count();
        }

        List<Literal> literals(Taken server) {
            return server.isNew() ? literals.of(server.server()) : List.of();
        }
    }

    private static void tell(Told told, Words words, Screen screen) {
        if (words.has("--json")) {
            screen.out().println(json(told));
            return;
        }
        told.taken().stream().flatMap(each -> lines(told, each)).forEach(screen.out()::println);
        told.unreadable().forEach((file, problem) -> screen.out().println("✗ " + file + " " + problem));
        String servers = told.count() + (told.count() == 1 ? " server" : " servers");
        String kept = told.kept() == null ? "" : " (before: " + told.kept() + ")";
        screen.out()
                .println(told.file() + ": " + servers + (told.isWritten() ? " imported" : " would be imported") + kept);
        if (!told.isWritten() && told.count() > 0) {
            screen.out()
                    .println("Nothing was written. `" + FuseboxCommand.of("import")
                            + words.typed("--from", "--config", EditedFile.PROJECT)
                            + " --yes` does it, and keeps what was there before.");
        }
    }

    private static Stream<String> lines(Told told, Taken server) {
        String what = switch (server.what()) {
            case "new" -> told.isWritten() ? "imported" : "would be imported";
            case "same" -> "is here already";
            case "other" -> "not imported, as another server of this name is here";
            case "unusable" -> "not imported, as its name is empty, holds a NUL or is longer than 255 characters";
            case "itself" -> "not imported, as it is Fusebox itself";
            case "reserved" -> "not imported, as this name means the gateway itself";
            default -> "not imported, as it is neither a command nor an address";
        };
        String line = "  " + server.server() + ", from " + server.client().label() + ": " + what;
        Stream<String> variables = told.literals(server).stream()
                .map(literal -> "    " + literal.place() + " looks like a secret and becomes ${" + literal.variable()
                        + "}: export " + literal.variable() + " with the value that "
                        + server.client().label() + " has");
        return Stream.concat(Stream.of(line), variables).map(ServerTable::plain);
    }

    private static JsonWriter json(Told told) {
        JsonWriter json =
                new JsonWriter().beginObject().name("file").string(told.file().toString());
        json.name("written").bool(told.isWritten() && told.count() > 0);
        json.name("backup")
                .string(told.kept() == null ? null : told.kept().toString())
                .name("servers")
                .beginArray();
        for (Taken each : told.taken()) {
            String what = each.isNew() && told.isWritten() ? "imported" : each.what();
            json.beginObject().name("server").string(each.server());
            json.name("client").string(each.client().id()).name("result").string(what);
            json.name("variables").beginArray();
            told.literals(each).forEach(literal -> json.string(literal.variable()));
            json.endArray().endObject();
        }
        json.endArray().name("unreadable").beginArray();
        told.unreadable()
                .forEach((file, problem) -> json.beginObject()
                        .name("file")
                        .string(file.toString())
                        .name("problem")
                        .string(problem)
                        .endObject());
        return json.endArray().endObject();
    }
}
