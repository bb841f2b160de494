package dev.fusebox.cli;

import dev.fusebox.gateway.config.Spelling;
import dev.fusebox.gateway.edit.ClientFile;
import dev.fusebox.world.World;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The clients that a command means, and where they keep their files. Pure functions of the environment and the disk.
final class Clients {
    /// What clients call Fusebox.
    static final String NAME = "fusebox";

    private Clients() {}

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
}
