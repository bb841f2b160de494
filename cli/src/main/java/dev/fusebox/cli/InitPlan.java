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

/// What `init` is going to change, before it changes anything: which servers of which files come into our
/// configuration, and what each file is to say. Immutable; making one reads the files.
///
/// @param ours our configuration as it is
/// @param text what it is to say
/// @param moves one for each file of a client
record InitPlan(EditedFile ours, JsonEditor text, List<ClientChange> moves) {
    InitPlan {
        moves = List.copyOf(moves);
    }

    /// A file that is looked at.
    ///
    /// @param project whose file it is; null for one of the user
    record Target(ClientFile client, Path file, @Nullable Path project) {}

    /// What is the same for all files.
    ///
    /// @param command that clients start, in the words of each
    /// @param wanted names that servers are to get, by those that clients have for them
    record Aim(EditedFile ours, List<String> command, Map<String, String> wanted) {
        String entry(ClientFile client) {
            return client.entry(command.getFirst(), command.subList(1, command.size()));
        }
    }

    static InitPlan of(Platform platform, Aim aim, List<Target> targets) throws Unreadable {
        ServerImporter intake = new ServerImporter(platform, aim.ours(), aim.wanted());
        Set<Path> seen = new LinkedHashSet<>();
        List<ClientChange> moves = new ArrayList<>();
        for (Target target : targets) {
            moves.add(
                    seen.add(real(target.file()))
                            ? move(target, intake, aim)
                            : ClientChange.shared(target.client(), target.file()));
        }
        return new InitPlan(aim.ours(), intake.text(), moves);
    }

    /// Where a file is, behind all links.
    static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException notThere) {
            return file.toAbsolutePath().normalize();
        }
    }

    private static ClientChange move(Target target, ServerImporter intake, Aim aim) {
        JsonEditor before = intake.text();
        try {
            return move(target, AtomicFile.read(target.file()), intake, aim);
        } catch (Unreadable unreadable) {
            intake.backTo(before);
            return ClientChange.refused(target.client(), target.file(), "it " + unreadable.getMessage());
        } catch (IOException failed) {
            intake.backTo(before);
            return ClientChange.refused(target.client(), target.file(), FileErrorText.text(failed));
        }
    }

    private static ClientChange move(Target target, AtomicFile file, ServerImporter intake, Aim aim) throws Unreadable {
        ClientFile client = target.client();
        byte[] text = file.content();
        Map<String, JsonView> written = client.servers(text);
        JsonView named = written.get(ClientSelection.NAME);
        boolean isThere = named != null && intake.isItself(client, named);
        List<MovedServer> servers = new ArrayList<>();
        for (Map.Entry<String, JsonView> each : written.entrySet()) {
            if (isThere && each.getKey().equals(ClientSelection.NAME)) {
                continue;
            }
            MovedServer server = intake.take(client, each.getKey(), each.getValue(), target.project());
            servers.add(server);
            text = server.leaves() ? client.without(text, each.getKey()) : text;
        }
        if (client.servers(text).containsKey(ClientSelection.NAME) && !isThere) {
            throw new Unreadable(
                    "has a server \"" + ClientSelection.NAME + "\" that is not Fusebox and cannot be moved");
        }
        byte[] after = client.with(text, ClientSelection.NAME, aim.entry(client));
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

    /// Whether a file is changed that is there.
    boolean changesContent() {
        return (ours.file().isThere() && ours.isChangedBy(text.bytes()))
                || moves.stream()
                        .filter(ClientChange::isChange)
                        .map(ClientChange::file)
                        .anyMatch(file -> file != null && file.isThere());
    }

    /// The names of servers that come into our configuration.
    List<String> taken() {
        return moves.stream()
                .flatMap(move -> move.servers().stream())
                .filter(server -> server.move() == MovedServer.Move.TAKEN)
                .map(MovedServer::as)
                .toList();
    }

    /// Packages that our configuration has under several names and starts in the same way, with these names.
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
