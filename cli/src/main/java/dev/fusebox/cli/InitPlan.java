package dev.fusebox.cli;

import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.ServerEntry;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The planned changes of `init`: which servers are added to Fusebox's configuration, and the new content of each
/// file. Immutable; creating a plan reads the files.
///
/// @param ours Fusebox's current configuration
/// @param text its new content
/// @param moves one for each file of a client
record InitPlan(EditedFile ours, JsonEditor text, List<ClientChange> moves) {
    InitPlan {
        moves = List.copyOf(moves);
    }

    /// A client's file that is examined.
    ///
    /// @param project the project of the file; null for a file of the user
    record Target(ClientFile client, Path file, @Nullable Path project) {}

    /// The settings that are the same for all files.
    ///
    /// @param registration how clients reach Fusebox
    /// @param wanted new names of servers, by their names in clients
    record CommonSettings(EditedFile ours, GatewayEntry registration, Map<String, String> wanted) {}

    static InitPlan of(Platform platform, CommonSettings commonSettings, List<Target> targets) throws Unreadable {
        ServerImporter importer = new ServerImporter(platform, commonSettings.ours(), commonSettings.wanted());
        Set<Path> seen = new LinkedHashSet<>();
        List<ClientChange> moves = new ArrayList<>();
        for (Target target : targets) {
            moves.add(
                    seen.add(real(target.file()))
                            ? move(target, importer, commonSettings)
                            : ClientChange.shared(target.client(), target.file()));
        }
        return new InitPlan(commonSettings.ours(), importer.text(), moves);
    }

    /// The file behind all links.
    static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException notThere) {
            return file.toAbsolutePath().normalize();
        }
    }

    private static ClientChange move(Target target, ServerImporter importer, CommonSettings commonSettings) {
        JsonEditor before = importer.text();
        try {
            return move(target, AtomicFile.read(target.file()), importer, commonSettings);
        } catch (Unreadable unreadable) {
            importer.backTo(before);
            return ClientChange.refused(target.client(), target.file(), "it " + unreadable.getMessage());
        } catch (IOException failed) {
            importer.backTo(before);
            return ClientChange.refused(target.client(), target.file(), FileErrorText.text(failed));
        }
    }

    private static ClientChange move(
            Target target, AtomicFile file, ServerImporter importer, CommonSettings commonSettings) throws Unreadable {
        ClientFile client = target.client();
        String entry = commonSettings.registration().entry(client, target.file());
        byte[] text = file.content();
        Map<String, JsonView> written = client.servers(text);
        JsonView named = written.get(ClientSelection.NAME);
        boolean isThere = named != null && importer.isItself(client, named);
        List<MovedServer> servers = new ArrayList<>();
        for (Map.Entry<String, JsonView> each : written.entrySet()) {
            if (isThere && each.getKey().equals(ClientSelection.NAME)) {
                continue;
            }
            MovedServer server = importer.take(client, each.getKey(), each.getValue(), target.project());
            servers.add(server);
            text = server.leaves() ? client.without(text, each.getKey()) : text;
        }
        if (client.servers(text).containsKey(ClientSelection.NAME) && !isThere) {
            throw new Unreadable(
                    "has a server \"" + ClientSelection.NAME + "\" that is not Fusebox and cannot be moved");
        }
        byte[] after = client.with(text, ClientSelection.NAME, entry);
        boolean isSame = Arrays.equals(file.content(), after);
        String change = isSame ? "none" : !isThere ? "add" : Arrays.equals(text, after) ? "remove" : "replace";
        return new ClientChange(client, target.file(), file, after, change, servers, null);
    }

    boolean changesOurs() {
        return !ours.file().isThere() || ours.isChangedBy(text.bytes());
    }

    boolean isOpen() {
        return changesOurs() || moves.stream().anyMatch(ClientChange::isChange);
    }

    /// Whether an existing file is changed.
    boolean changesContent() {
        return (ours.file().isThere() && ours.isChangedBy(text.bytes()))
                || moves.stream()
                        .filter(ClientChange::isChange)
                        .map(ClientChange::file)
                        .anyMatch(file -> file != null && file.isThere());
    }

    /// The names of servers that are added to Fusebox's configuration.
    List<String> taken() {
        return moves.stream()
                .flatMap(move -> move.servers().stream())
                .filter(server -> server.move() == MovedServer.Move.TAKEN)
                .map(MovedServer::as)
                .toList();
    }

    /// Packages that are configured under several names with the same launch command, with these names.
    Map<String, List<String>> packages() {
        Map<ServerEntry.Launch, List<String>> names = new LinkedHashMap<>();
        JsonView servers = text.at(ours.servers());
        if (servers != null && servers.isObject()) {
            servers.forEachMember((name, entry) -> {
                if (entry.isObject()) {
                    new ServerEntry(entry)
                            .launch()
                            .ifPresent(of -> names.computeIfAbsent(of, first -> new ArrayList<>())
                                    .add(name));
                }
            });
        }
        names.values().removeIf(all -> all.size() < 2);
        Map<String, List<String>> packages = new LinkedHashMap<>();
        names.forEach((launch, all) -> packages.putIfAbsent(launch.name(), all));
        return packages;
    }
}
