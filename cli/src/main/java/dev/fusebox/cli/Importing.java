package dev.fusebox.cli;

import dev.fusebox.gateway.config.ServerName;
import dev.fusebox.gateway.edit.ClientFile;
import dev.fusebox.gateway.edit.JsonText;
import dev.fusebox.gateway.edit.SafeFile;
import dev.fusebox.gateway.edit.Translation;
import dev.fusebox.gateway.edit.Unreadable;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The command `import`: takes servers out of clients' files into ours. The clients' files are only read. For one
/// thread; blocks as the disk does.
final class Importing {
    private final World world;

    Importing(World world) {
        this.world = world;
    }

    /// What became of one server of a client.
    ///
    /// @param what `imported`, `same` (it is here already), `other` (another of its name is here), or `unknown`
    private record Taken(ClientFile client, String server, String what) {}

    Exit run(List<String> arguments, Screen screen) {
        try {
            Words words = Words.parse(
                    new Words.Grammar("import", Set.of("--json"), Set.of("--from", "--config"), Integer.MAX_VALUE),
                    arguments);
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
        Editing.Opened ours = Editing.open(Editing.file(words.value("--config"), world));
        JsonText text = ours.text();
        Map<Path, String> unreadable = new LinkedHashMap<>();
        List<Taken> taken = new ArrayList<>();
        for (ClientFile client : Clients.chosen(words.value("--from"), place)) {
            try {
                text = take(client, SafeFile.read(client.file(place)), new Into(text, ours.servers(), taken));
            } catch (Unreadable problem) {
                unreadable.put(client.file(place), String.valueOf(problem.getMessage()));
            }
        }
        boolean isChanged = !Arrays.equals(text.bytes(), ours.file().content());
        Path kept = isChanged && taken.stream().anyMatch(each -> each.what().equals("imported"))
                ? ours.file().replace(text.bytes())
                : null;
        tell(new Told(ours.file().path(), taken, unreadable, kept), words.has("--json"), screen);
        for (Taken each : taken) {
            if (each.what().equals("imported")) {
                new Editing(world).warn(ours, ServerName.of(each.server()).id(), text, screen);
            }
        }
        return unreadable.isEmpty() ? Exit.DONE : Exit.FAILED;
    }

    /// Where servers go, and what is noted about each.
    private record Into(JsonText text, List<String> path, List<Taken> taken) {}

    private static JsonText take(ClientFile client, SafeFile file, Into into) throws Unreadable {
        JsonText text = into.text();
        for (Map.Entry<String, JsonView> each : client.servers(file.content()).entrySet()) {
            String name = each.getKey();
            String server = Translation.of(each.getValue(), client);
            JsonView known = text.at(List.of(into.path().getFirst(), name));
            if (isUs(name, server)) {
                continue;
            }
            if (server == null) {
                into.taken().add(new Taken(client, name, "unknown"));
            } else if (known == null) {
                text = text.with(into.path(), name, server);
                into.taken().add(new Taken(client, name, "imported"));
            } else {
                boolean isSame = Arrays.equals(
                        text.bytes(), text.with(into.path(), name, server).bytes());
                into.taken().add(new Taken(client, name, isSame ? "same" : "other"));
            }
        }
        return text;
    }

    /// A gateway that starts itself would never end doing so.
    private static boolean isUs(String name, @Nullable String server) {
        return name.equals(Clients.NAME) && server != null && server.contains("\"serve\"");
    }

    // ---- Telling

    private record Told(
            Path file,
            List<Taken> taken,
            Map<Path, String> unreadable,
            @Nullable Path kept) {}

    private static void tell(Told told, boolean asJson, Screen screen) {
        if (asJson) {
            screen.out().println(json(told));
            return;
        }
        told.taken()
                .forEach(each -> screen.out()
                        .println(
                                "  " + each.server() + ", from " + each.client().label() + ": "
                                        + switch (each.what()) {
                                            case "imported" -> "imported";
                                            case "same" -> "is here already";
                                            case "other" -> "not imported, as another server of this name is here";
                                            default -> "not imported, as it is neither a command nor an address";
                                        }));
        told.unreadable().forEach((file, problem) -> screen.out().println("✗ " + file + " " + problem));
        long count = told.taken().stream()
                .filter(each -> each.what().equals("imported"))
                .count();
        screen.out()
                .println(told.file() + ": " + count + (count == 1 ? " server" : " servers") + " imported"
                        + (told.kept() == null ? "" : " (before: " + told.kept() + ")"));
    }

    private static JsonWriter json(Told told) {
        JsonWriter json =
                new JsonWriter().beginObject().name("file").string(told.file().toString());
        json.name("backup")
                .string(told.kept() == null ? null : told.kept().toString())
                .name("servers")
                .beginArray();
        for (Taken each : told.taken()) {
            json.beginObject().name("server").string(each.server());
            json.name("client")
                    .string(each.client().id())
                    .name("result")
                    .string(each.what())
                    .endObject();
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
