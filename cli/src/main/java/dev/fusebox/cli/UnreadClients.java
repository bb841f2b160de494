package dev.fusebox.cli;

import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.ClientFile;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The clients and files that `init` finds and does not change, with instructions for doing it by hand. Stateless;
/// blocks on disk I/O.
final class UnreadClients {
    private UnreadClients() {}

    /// A client's file that is not changed.
    ///
    /// @param why it is not changed, and what to do
    record Note(String client, Path file, String why) {}

    /// The user's files.
    ///
    /// @param registration how clients reach Fusebox
    static List<Note> of(ClientFile.UserFolders userFolders, GatewayEntry registration) {
        String byHand = "is not supported; add a server that " + registration.byHand() + " and remove the others in ";
        List<Note> notes = new ArrayList<>();
        Path home = userFolders.home();
        add(
                notes,
                "Goose",
                userFolders.configured().resolve("goose/config.yaml"),
                "is YAML and " + byHand + "goose configure");
        add(notes, "Continue", home.resolve(".continue/config.yaml"), "is YAML and " + byHand + "this file");
        add(notes, "Continue", home.resolve(".continue/mcpServers"), byHand + "the files of this folder");
        add(
                notes,
                "JetBrains AI Assistant",
                userFolders.application().resolve("JetBrains"),
                byHand + "Settings | Tools | AI Assistant | Model Context Protocol (MCP)");
        notes.addAll(claudeProjects(ClientFile.CLAUDE_CODE.file(userFolders)));
        return notes;
    }

    private static void add(List<Note> notes, String client, Path file, String why) {
        if (Files.exists(file)) {
            notes.add(new Note(client, file, why));
        }
    }

    /// Claude Code stores a user's servers for one project in the user's file.
    private static List<Note> claudeProjects(Path file) {
        Map<String, String> servers = new LinkedHashMap<>();
        JsonView projects = projects(file);
        if (projects != null && projects.isObject()) {
            projects.forEachMember((folder, project) -> servers.put(folder, namesIn(project)));
        }
        servers.values().removeIf(String::isEmpty);
        List<Note> notes = new ArrayList<>();
        servers.forEach((folder, names) -> notes.add(new Note(
                ClientFile.CLAUDE_CODE.label(),
                file,
                "has servers of the project " + folder + " only, which are not moved: " + names
                        + "; in that folder, claude mcp remove NAME removes one")));
        return notes;
    }

    /// Null if there are none or the file is unreadable, which is reported for the file as a whole.
    private static @Nullable JsonView projects(Path file) {
        try {
            return JsonEditor.parse(AtomicFile.read(file).content()).root().member("projects");
        } catch (IOException | Unreadable unreadable) {
            return null;
        }
    }

    private static String namesIn(JsonView project) {
        JsonView own = project.isObject() ? project.member("mcpServers") : null;
        return own == null || !own.isObject() ? "" : names(own);
    }

    private static String names(JsonView servers) {
        List<String> names = new ArrayList<>();
        servers.forEachMember((name, server) -> names.add(name));
        names.remove(ClientSelection.NAME);
        return String.join(", ", names);
    }

    /// Project files, which other people may use as well.
    ///
    /// @param targets the project files
    /// @param option that includes them
    static List<Note> ofProject(List<InitPlan.Target> targets, String option) {
        List<Note> notes = new ArrayList<>();
        for (InitPlan.Target target : targets) {
            names(target)
                    .ifPresent(names -> notes.add(new Note(
                            target.client().label(),
                            target.file(),
                            "belongs to the project in this folder and is not changed (" + names + "); " + option
                                    + " moves it as well")));
        }
        return notes;
    }

    private static Optional<String> names(InitPlan.Target target) {
        try {
            List<String> names = new ArrayList<>(target.client()
                    .servers(AtomicFile.read(target.file()).content())
                    .keySet());
            names.remove(ClientSelection.NAME);
            return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names));
        } catch (IOException | Unreadable unreadable) {
            return Optional.of("it cannot be read: " + unreadable.getMessage());
        }
    }
}
