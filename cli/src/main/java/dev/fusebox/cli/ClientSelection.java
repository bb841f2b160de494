package dev.fusebox.cli;

import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// The clients that a command means, and where they keep their files. Pure functions of the environment and the
/// disk.
final class ClientSelection {
    /// What clients call Fusebox.
    static final String NAME = "fusebox";

    private ClientSelection() {}

    static ClientFile.Place place(Platform platform) throws ServeOptions.Problem {
        String home = platform.environment().getOrDefault("HOME", "");
        if (home.isEmpty()) {
            throw new ServeOptions.Problem("HOME is not set; it is needed to find the files of clients");
        }
        boolean isMac =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
        return new ClientFile.Place(Path.of(home), platform.environment(), isMac);
    }

    /// Those that are named, or all that are here.
    static List<ClientFile> chosen(List<String> named, ClientFile.Place place) throws ServeOptions.Problem {
        return named.isEmpty()
                ? Stream.of(ClientFile.values())
                        .filter(client -> client.isHere(place))
                        .toList()
                : List.copyOf(named(named));
    }

    /// Clients by their names, each once.
    static Set<ClientFile> named(List<String> ids) throws ServeOptions.Problem {
        Set<ClientFile> clients = new LinkedHashSet<>();
        for (String id : ids) {
            clients.add(named(id));
        }
        return clients;
    }

    private static ClientFile named(String id) throws ServeOptions.Problem {
        List<String> known = Stream.of(ClientFile.values()).map(ClientFile::id).toList();
        return Stream.of(ClientFile.values())
                .filter(client -> client.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new ServeOptions.Problem("there is no client \"" + id + "\""
                        + SpellingSuggestion.nearest(id, known)
                                .map(near -> "; did you mean \"" + near + "\"?")
                                .orElse("; those that are known are " + String.join(", ", known))));
    }
}
