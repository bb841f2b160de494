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

/// The clients that a command works on, and the locations of their files. Stateless; reads the environment and the
/// disk.
final class ClientSelection {
    /// The name of Fusebox's entry in clients' files.
    static final String NAME = "fusebox";

    private ClientSelection() {}

    static ClientFile.UserFolders userFolders(Platform platform) throws ServeOptions.Problem {
        String home = platform.environment().getOrDefault("HOME", "");
        if (home.isEmpty()) {
            throw new ServeOptions.Problem("HOME is not set; it is needed to find the clients' files");
        }
        boolean isMac =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac");
        return new ClientFile.UserFolders(Path.of(home), platform.environment(), isMac);
    }

    /// The named clients, or all that are installed.
    static List<ClientFile> chosen(List<String> named, ClientFile.UserFolders userFolders) throws ServeOptions.Problem {
        return named.isEmpty()
                ? Stream.of(ClientFile.values())
                        .filter(client -> client.isHere(userFolders))
                        .toList()
                : List.copyOf(named(named));
    }

    /// The clients with these ids, without duplicates.
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
                .orElseThrow(() -> new ServeOptions.Problem("unknown client \"" + id + "\""
                        + SpellingSuggestion.nearest(id, known)
                                .map(near -> "; did you mean \"" + near + "\"?")
                                .orElse("; known clients: " + String.join(", ", known))));
    }
}
