package dev.fusebox.cli;

import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.Unreadable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A home with realistic client files: comments, tabs, Windows line ends, byte order marks, missing final line
/// ends and various permissions.
///
/// @param path of the home
record ClientHome(Path path) {
    private static final List<String> RIGHTS = List.of("rw-------", "rw-r--r--", "rw-rw----", "rwx------");

    private static final List<String> FORMS = List.of(
            "\uFEFF{\r\n\t// mine\r\n\t\"theme\": \"dark\",\r\n\t\"MEMBER\": {\r\n\t\t\"docs\": DOCS, /* about docs"
                    + " */\r\n\t\t\"OWN\": MINE,\r\n\t},\r\n\t\"last\": [1,2],\r\n}\r\n",
            "{\"MEMBER\":{\"docs\":DOCS,\"OWN\":MINE},\"theme\":\"dark\"}",
            """
            {
               "a" : 1 ,

                   "MEMBER" : {
                 "OWN" :   MINE
             , "docs":DOCS   }
            }


            """,
            """


            {
                "MEMBER": {
                    "docs": DOCS,
                    // the next one is mine
                    "OWN": MINE
                }
                // nothing else
            }\
            """);

    ClientFile.UserFolders userFolders() {
        boolean isMac = System.getProperty("os.name").startsWith("Mac");
        return new ClientFile.UserFolders(path, Map.of(), isMac);
    }

    Path file(ClientFile client) {
        return client.file(userFolders());
    }

    /// Each client's file, with servers of its own and one that all have.
    void fill() {
        for (ClientFile client : ClientFile.values()) {
            write(client, text(client));
            set(file(client), chosen(RIGHTS, client));
        }
    }

    /// One of the choices for each client, so that each choice is taken.
    private static String chosen(List<String> choices, ClientFile client) {
        return choices.get(List.of(ClientFile.values()).indexOf(client) % choices.size());
    }

    Path write(ClientFile client, String text) {
        Path file = file(client);
        Disk.write(file, text, false);
        return file;
    }

    static void set(Path file, String rights) {
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(ClientFile client) {
        String own = "own-" + client.id();
        if (client == ClientFile.CODEX) {
            return """
                    # my settings
                    model = "o" # mine

                    [mcp_servers.docs]
                    command = "npx"
                    args = ["-y", "docs"]

                      [mcp_servers.'%s']
                      command = "own"
                      args = []
                      env = { "MODE" = "codex" }

                    # about profiles
                    [profiles.fast]
                    model = "p\"""".formatted(own).replace("\n", "\r\n");
        }
        String docs = client == ClientFile.OPENCODE
                ? "{\"type\": \"local\", \"command\": [\"npx\", \"-y\", \"docs\"]}"
                : "{\"command\": \"npx\", \"args\": [\"-y\", \"docs\"]}";
        String mine = client == ClientFile.OPENCODE
                ? "{\"type\": \"local\", \"command\": [\"own\"], \"environment\": {\"MODE\": \"ID\"}}"
                : "{\"env\": {\"MODE\": \"ID\"}, \"command\": \"own\"}";
        String form = chosen(FORMS, client);
        return form.replace("MEMBER", member(client))
                .replace("OWN", own)
                .replace("MINE", mine.replace("ID", client.id()))
                .replace("DOCS", docs);
    }

    static String member(ClientFile client) {
        return switch (client) {
            case VS_CODE -> "servers";
            case ZED -> "context_servers";
            case OPENCODE -> "mcp";
            default -> "mcpServers";
        };
    }

    /// The names of the servers that a client sees.
    Set<String> servers(ClientFile client) {
        try {
            return client.servers(Files.readAllBytes(file(client))).keySet();
        } catch (IOException | Unreadable e) {
            throw new AssertionError(e);
        }
    }

    /// All files and folders with their rights and bytes, but for what is ours.
    Map<String, String> everything() {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(path)) {
            files.filter(each -> !each.startsWith(path.resolve(".fusebox")))
                    .forEach(each -> all.put(path.relativize(each).toString(), seen(each)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static String seen(Path file) {
        try {
            String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
            if (Files.isDirectory(file)) {
                return rights;
            }
            String link = Files.isSymbolicLink(file) ? " -> " + Files.readSymbolicLink(file) : "";
            return rights + link + " " + HexFormat.of().formatHex(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
