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

/// The configuration file that a command changes, as it was read. Immutable; blocks as the disk does.
///
/// @param servers the path of names to the servers in it
record EditedFile(AtomicFile file, JsonEditor text, List<String> servers) {
    /// The option that means the file of the current folder.
    static final String PROJECT = "--project";

    /// The file that `--config` names, that of the project with `--project`, else the user's own.
    static Path path(CommandArguments commandArguments, Platform platform) throws ServeOptions.Problem {
        String named = commandArguments.value("--config");
        if (named != null && commandArguments.has(PROJECT)) {
            throw new ServeOptions.Problem("--config FILE and --project name two files; leave one out");
        }
        if (commandArguments.has(PROJECT)) {
            return Path.of(ConfigFile.PROJECT).toAbsolutePath();
        }
        return named == null ? home(platform) : ConfigCommand.path(named);
    }

    private static Path home(Platform platform) throws ServeOptions.Problem {
        return ConfigFile.home(platform.environment())
                .orElseThrow(() -> new ServeOptions.Problem("neither HOME nor FUSEBOX_HOME is set, so there is no"
                        + " ~/.fusebox/config.json to change; --config FILE names another file"));
    }

    static EditedFile open(Path path) throws IOException, Unreadable {
        AtomicFile file = AtomicFile.read(path);
        try {
            JsonEditor text = JsonEditor.parse(file.content());
            boolean saysServers = text.at(List.of("mcpServers")) == null && text.at(List.of("servers")) != null;
            return new EditedFile(file, text, List.of(saysServers ? "servers" : "mcpServers"));
        } catch (Unreadable unreadable) {
            throw new Unreadable(path + " " + unreadable.getMessage() + "; it is left as it is");
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

    /// The root of the work tree from which the file may be published; empty if it is in none.
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

    /// Replaces the content. A project's file stays allowed if it was allowed before, and is allowed if it is new:
    /// its owner has just made the change.
    ///
    /// @return where the old content is kept; null if there was none
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
        boolean mayRun = isNew || before.objection(file.content()).isEmpty();
        Path kept = exchange.make();
        ProjectConfig project = ProjectConfig.at(platform, path());
        if (mayRun) {
            allow(project, after, output);
        }
        project.configRejection()
                .ifPresent(configRejection -> output.err()
                        .println("fusebox: "
                                + ServerTable.plain(
                                        project.path() + " is not used unless it is named: it " + configRejection)));
        return kept;
    }

    /// Leaves no copy in a work tree, from which it might be published: the rules that keep the file out of the
    /// repository need not match the name of the copy.
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

    /// The same as [#replace] for a change whose old content is recorded: a work tree gets no copy of it, nor does
    /// any other folder then.
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

    /// Writes, and says where the old content is.
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
                    .println("fusebox: cannot record that " + project.path() + " may run: "
                            + ServerTable.plain(FileErrorText.text(unkept)));
        }
    }
}
