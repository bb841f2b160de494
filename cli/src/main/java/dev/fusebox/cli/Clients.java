package dev.fusebox.cli;

import dev.fusebox.gateway.config.Spelling;
import dev.fusebox.gateway.edit.ClientFile;
import dev.fusebox.gateway.edit.SafeFile;
import dev.fusebox.gateway.edit.Unreadable;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The command `init`: writes Fusebox into the files of clients, after it has shown what it would write. For one
/// thread; blocks as the disk does.
final class Clients {
    /// What clients call it.
    static final String NAME = "fusebox";

    private static final byte[] NO_SERVERS = "{\n  \"mcpServers\": {}\n}\n".getBytes(StandardCharsets.UTF_8);

    private final World world;
    private final @Nullable String launcher;

    /// @param launcher the path of `./fusebox`; null if something else started us
    Clients(World world, @Nullable String launcher) {
        this.world = world;
        this.launcher = launcher;
    }

    static Clients of(World world) {
        return new Clients(world, System.getProperty("fusebox.launcher"));
    }

    /// What is, or would be, done to one client's file.
    ///
    /// @param change `none`, `add`, `replace` or `refused`
    /// @param entry as the client writes it
    /// @param detail where the old content is, or why it was refused; null if there is nothing to say
    private record Result(
            ClientFile client,
            Path file,
            String change,
            String entry,
            @Nullable String detail) {}

    Exit init(List<String> arguments, Screen screen) {
        try {
            Words words = Words.parse(
                    new Words.Grammar(
                            "init", Set.of("--yes", "--json"), Set.of("--client", "--config"), Integer.MAX_VALUE),
                    arguments);
            if (!words.names().isEmpty()) {
                throw new ServeOptions.Problem("init takes no names; did you mean --client "
                        + words.names().getFirst() + "?");
            }
            return init(words, screen);
        } catch (ServeOptions.Problem problem) {
            screen.err().println("fusebox: " + problem.getMessage());
            return Exit.USAGE;
        } catch (IOException failed) {
            screen.err().println("fusebox: " + failed.getMessage());
            return Exit.FAILED;
        }
    }

    private Exit init(Words words, Screen screen) throws ServeOptions.Problem, IOException {
        boolean isWritten = words.has("--yes");
        Path config = EditedFile.path(words, world).toAbsolutePath();
        if (launcher == null) {
            throw new ServeOptions.Problem("init is typed after ./fusebox, whose path clients need");
        }
        List<String> args = List.of("serve", "--config", config.toString());
        boolean isNew = !Files.exists(config);
        if (isNew && isWritten) {
            SafeFile.read(config).replace(NO_SERVERS);
        }
        List<Result> results = new ArrayList<>();
        for (ClientFile client : chosen(words.value("--client"), place(world))) {
            results.add(written(client, client.entry(launcher, args), isWritten));
        }
        Told told = new Told(config, isNew, isWritten, results);
        if (words.has("--json")) {
            screen.out().println(json(told));
        } else {
            print(told, words, screen);
        }
        return results.stream().anyMatch(result -> result.change().equals("refused")) ? Exit.FAILED : Exit.DONE;
    }

    static ClientFile.Place place(World world) throws ServeOptions.Problem {
        String home = world.environment().getOrDefault("HOME", "");
        if (home.isEmpty()) {
            throw new ServeOptions.Problem("HOME is not set; it is needed to find the files of clients");
        }
        boolean isMac =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
        return new ClientFile.Place(Path.of(home), world.environment(), isMac);
    }

    /// The one that is named, or all that are here.
    static List<ClientFile> chosen(@Nullable String named, ClientFile.Place place) throws ServeOptions.Problem {
        Stream<ClientFile> all = Stream.of(ClientFile.values());
        if (named == null) {
            return all.filter(client -> client.isHere(place)).toList();
        }
        List<String> ids = Stream.of(ClientFile.values()).map(ClientFile::id).toList();
        return List.of(all.filter(client -> client.id().equals(named))
                .findFirst()
                .orElseThrow(() -> new ServeOptions.Problem("there is no client \"" + named + "\""
                        + Spelling.nearest(named, ids)
                                .map(near -> "; did you mean \"" + near + "\"?")
                                .orElse("; those that are known are " + String.join(", ", ids)))));
    }

    private static Result written(ClientFile client, String entry, boolean isWritten, Path path) {
        try {
            SafeFile file = SafeFile.read(path);
            byte[] before = file.content();
            boolean isThere = client.servers(before).containsKey(NAME);
            byte[] after = client.with(before, NAME, entry);
            if (Arrays.equals(before, after)) {
                return new Result(client, path, "none", entry, null);
            }
            Path kept = isWritten ? file.replace(after) : null;
            return new Result(client, path, isThere ? "replace" : "add", entry, kept == null ? null : kept.toString());
        } catch (Unreadable unreadable) {
            return new Result(client, path, "refused", entry, "it " + unreadable.getMessage());
        } catch (IOException failed) {
            return new Result(client, path, "refused", entry, String.valueOf(failed.getMessage()));
        }
    }

    private Result written(ClientFile client, String entry, boolean isWritten) throws ServeOptions.Problem {
        return written(client, entry, isWritten, client.file(place(world)));
    }

    // ---- Telling

    /// What is told.
    ///
    /// @param isNew whether our own file was not there
    /// @param isWritten whether anything was to be written
    private record Told(Path config, boolean isNew, boolean isWritten, List<Result> results) {
        boolean isOpen() {
            return isNew || results.stream().map(Result::change).anyMatch(Set.of("add", "replace")::contains);
        }
    }

    private static void print(Told told, Words words, Screen screen) {
        if (told.isNew()) {
            String what = told.isWritten() ? "made" : "would be made";
            screen.out().println(told.config() + ": " + what + ", with no servers yet");
        }
        if (told.results().isEmpty()) {
            screen.out().println("No client was found; --client NAME writes the file of one that was never started.");
        }
        told.results().stream()
                .flatMap(result -> line(result, told.isWritten()))
                .forEach(screen.out()::println);
        if (told.isOpen() && !told.isWritten()) {
            screen.out()
                    .println("Nothing was written. `" + FuseboxCommand.of("init") + words.typed("--client", "--config")
                            + " --yes` does it, and keeps what was there before.");
        }
    }

    private static Stream<String> line(Result result, boolean isWritten) {
        String begin = result.client().label() + ", " + result.file() + ": ";
        return switch (result.change()) {
            case "none" -> Stream.of("✓ " + begin + "Fusebox stands there already");
            case "refused" -> Stream.of("✗ " + begin + "left as it is: " + result.detail());
            default -> {
                String what = result.change().equals("add") ? "add" : "exchange";
                String done = isWritten ? what + (what.endsWith("e") ? "d" : "ed") : "would " + what;
                String kept = result.detail() == null ? "" : " (before: " + result.detail() + ")";
                yield Stream.of(
                        (isWritten ? "✓ " : "  ") + begin + done + kept, "      " + NAME + ": " + result.entry());
            }
        };
    }

    private static JsonWriter json(Told told) {
        JsonWriter json = new JsonWriter()
                .beginObject()
                .name("config")
                .string(told.config().toString());
        json.name("configIsNew").bool(told.isNew()).name("written").bool(told.isWritten());
        json.name("clients").beginArray();
        for (Result result : told.results()) {
            boolean isRefused = result.change().equals("refused");
            json.beginObject().name("client").string(result.client().id());
            json.name("file").string(result.file().toString()).name("change").string(result.change());
            json.name("entry").raw(result.entry());
            json.name("backup").string(isRefused ? null : result.detail());
            json.name("problem").string(isRefused ? result.detail() : null).endObject();
        }
        return json.endArray().endObject();
    }
}
