package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.edit.AtomicFile;
import dev.fusebox.config.edit.JsonEditor;
import dev.fusebox.config.edit.Unreadable;
import dev.fusebox.config.edit.WorkTree;
import dev.fusebox.gateway.approval.ProjectConfig;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The configuration file that a command edits. Immutable; blocks on disk I/O.
///
/// @param servers the member that contains the servers, as a path
record EditedFile(AtomicFile file, JsonEditor text, List<String> servers) {
    /// The option that selects the project file of the current folder.
    static final String PROJECT = "--project";

    /// The file of `--config`, the project file with `--project`, otherwise the user's own.
    static Path path(CommandArguments commandArguments, Platform platform) throws ServeOptions.Problem {
        String named = commandArguments.value("--config");
        if (named != null && commandArguments.has(PROJECT)) {
            throw new ServeOptions.Problem("--config and --project cannot be combined");
        }
        if (commandArguments.has(PROJECT)) {
            return Path.of(ConfigFile.PROJECT).toAbsolutePath();
        }
        return named == null ? home(platform) : ConfigCommand.path(named);
    }

    private static Path home(Platform platform) throws ServeOptions.Problem {
        return ConfigFile.home(platform.environment())
                .orElseThrow(() -> new ServeOptions.Problem(
                        "cannot locate ~/.fusebox/config.json: neither HOME nor FUSEBOX_HOME is set;"
                                + " use --config FILE"));
    }

    static EditedFile open(Path path) throws IOException, Unreadable {
        AtomicFile file = AtomicFile.read(path);
        try {
            JsonEditor text = JsonEditor.parse(file.content());
            boolean saysServers = text.at(List.of("mcpServers")) == null && text.at(List.of("servers")) != null;
            return new EditedFile(file, text, List.of(saysServers ? "servers" : "mcpServers"));
        } catch (Unreadable unreadable) {
            throw new Unreadable(path + " " + unreadable.getMessage() + "; file not changed");
        }
    }

    Path path() {
        return file.path();
    }

    @Nullable
    JsonView server(String name) {
        return text.at(List.of(servers.getFirst(), name));
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        JsonView all = text.at(servers);
        if (all != null) {
            all.forEachMember((name, server) -> names.add(name));
        }
        return names;
    }

    boolean isChangedBy(byte[] after) {
        return !Arrays.equals(file.content(), after);
    }

    /// The root of the work tree that contains the file; empty if there is none. A project file always counts as
    /// part of one.
    Optional<Path> workTree() {
        Path path = path();
        Optional<Path> found = WorkTree.of(path);
        return isProject() && found.isEmpty()
                ? Optional.of(path.toAbsolutePath().resolveSibling(""))
                : found;
    }

    private boolean isProject() {
        return Path.of(ConfigFile.PROJECT).equals(path().getFileName());
    }

    /// Replaces the content. A project file stays allowed if it was allowed, and is allowed if it is new: its
    /// owner has just made the change.
    ///
    /// @return the backup; null if there was no file
    @Nullable
    Path replace(byte[] after, Platform platform, CommandOutput output) throws IOException {
        return replace(after, platform, output, () -> exchange(after, platform));
    }

    private @Nullable Path replace(byte[] after, Platform platform, CommandOutput output, Exchange exchange)
            throws IOException {
        if (!isProject()) {
            return exchange.make();
        }
        ProjectConfig before = ProjectConfig.at(platform, path());
        boolean isNew = !Files.exists(path(), LinkOption.NOFOLLOW_LINKS);
        boolean mayRun = isNew || before.problem(file.content()).isEmpty();
        Path kept = exchange.make();
        ProjectConfig project = ProjectConfig.at(platform, path());
        if (mayRun) {
            allow(project, after, output);
        }
        project.configRejection()
                .ifPresent(configRejection -> output.err()
                        .println("fusebox: "
                                + OutputText.plain(
                                        project.path() + " is only used with --config: it " + configRejection)));
        return kept;
    }

    /// Keeps backups out of work trees, from which they might be published: ignore rules for the file need not
    /// match the name of its backup.
    private @Nullable Path exchange(byte[] after, Platform platform) throws IOException {
        if (workTree().isEmpty()) {
            return file.replace(after);
        }
        Optional<Path> copies = file.isThere() ? ChangeRecords.copies(platform) : Optional.empty();
        if (copies.isPresent()) {
            return file.replace(after, copies.get());
        }
        file.replaceWithoutCopy(after);
        return null;
    }

    /// Like [#replace], for a change whose original content is in a change record: in a work tree no backup is
    /// made at all.
    @Nullable
    Path replaceRecorded(byte[] after, Platform platform, CommandOutput output) throws IOException {
        return replace(after, platform, output, () -> {
            if (workTree().isEmpty()) {
                return file.replace(after);
            }
            file.replaceWithoutCopy(after);
            return null;
        });
    }

    /// Writes the file and returns the backup.
    @FunctionalInterface
    private interface Exchange {
        @Nullable
        Path make() throws IOException;
    }

    private static void allow(ProjectConfig project, byte[] content, CommandOutput output) {
        try {
            project.allow(content);
        } catch (IOException unkept) {
            output.err()
                    .println("fusebox: cannot record the approval of " + project.path() + ": "
                            + OutputText.plain(FileErrorText.text(unkept)));
        }
    }
}
