package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ContentCheck;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.approval.ConfigRejection;
import dev.fusebox.gateway.approval.ProjectConfig;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The configuration file that a command uses, and the project file that it does not use. Immutable; reading
/// blocks as the disk does.
///
/// @param isNamed whether the user named it with `--config`
/// @param project the same file if its content must be allowed; null otherwise
/// @param passedOver the `.mcp.json` of the current folder if it is not used; null if there is none
record ConfigPlace(
        Path file,
        boolean isNamed,
        @Nullable ProjectConfig project,
        @Nullable PassedOver passedOver) {
    /// A file of a project that is not used.
    record PassedOver(Path file, ConfigRejection configRejection) {
        /// On one line.
        @Override
        public String toString() {
            return ServerTable.plain("not using " + file + ", because it " + configRejection);
        }
    }

    /// The named file, or the first that exists and may be used.
    ///
    /// @throws ServeOptions.Problem if none was named and none may be used, with all places that were looked at
    static ConfigPlace find(@Nullable Path named, Platform platform) throws ServeOptions.Problem {
        if (named != null) {
            return new ConfigPlace(named, true, null, null);
        }
        Path here = Path.of(ConfigFile.PROJECT);
        PassedOver passedOver = null;
        if (Files.exists(here, LinkOption.NOFOLLOW_LINKS)) {
            ProjectConfig project = ProjectConfig.at(platform, here);
            Optional<ConfigRejection> configRejection = project.configRejection();
            if (configRejection.isEmpty()) {
                return new ConfigPlace(project.path(), false, project, null);
            }
            passedOver = new PassedOver(project.path(), configRejection.get());
        }
        Path home =
                ConfigFile.home(platform.environment()).filter(Files::exists).orElse(null);
        if (home == null) {
            throw new ServeOptions.Problem(none(passedOver, platform));
        }
        return new ConfigPlace(home, false, null, passedOver);
    }

    /// The same for a command that looks at what runs: without a named file, the one that all running gateways run
    /// by. A project's file is only that if it may be used without being named.
    ///
    /// @throws ServeOptions.Problem if none was named, gateways run by no file or by several, and there is none
    static ConfigPlace findRunning(@Nullable Path named, List<RunningGateways.InUse> running, Platform platform)
            throws ServeOptions.Problem {
        Optional<ConfigPlace> other = named != null
                ? Optional.empty()
                : RunningGateways.otherThan(usual(platform), running).flatMap(each -> inUse(each.file(), platform));
        return other.isPresent() ? other.get() : find(named, platform);
    }

    private static @Nullable Path usual(Platform platform) {
        try {
            return find(null, platform).file();
        } catch (ServeOptions.Problem none) {
            return null;
        }
    }

    private static Optional<ConfigPlace> inUse(Path file, Platform platform) {
        Optional<PassedOver> here = passedOver(platform);
        if (!Path.of(ConfigFile.PROJECT).equals(file.getFileName())) {
            return Optional.of(new ConfigPlace(file, false, null, here.orElse(null)));
        }
        ProjectConfig project = ProjectConfig.at(platform, file);
        return project.configRejection().isPresent()
                ? Optional.empty()
                : Optional.of(new ConfigPlace(project.path(), false, project, here.orElse(null)));
    }

    private static String none(@Nullable PassedOver passedOver, Platform platform) {
        String here = passedOver == null ? "there is no ./.mcp.json" : passedOver.toString();
        String home = ConfigFile.home(platform.environment())
                .map(Path::toString)
                .orElse("~/.fusebox/config.json, as neither HOME nor FUSEBOX_HOME is set");
        return "there is no configuration: none was named with --config FILE, " + here + ", and there is no " + home
                + "; `" + FuseboxCommand.of("init") + "` moves the servers of your clients to Fusebox, and `"
                + FuseboxCommand.of("help", "add") + "` shows how to add a server";
    }

    /// The project file of the current folder if a command that names no file does not use it; empty otherwise.
    static Optional<PassedOver> passedOver(Platform platform) {
        Path here = Path.of(ConfigFile.PROJECT);
        if (!Files.exists(here, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        ProjectConfig project = ProjectConfig.at(platform, here);
        return project.configRejection().map(configRejection -> new PassedOver(project.path(), configRejection));
    }

    /// The same, after the file that is used, and the one that is not, were named on standard error, unless the
    /// user named it.
    ConfigPlace told(CommandOutput output) {
        return told("", output);
    }

    /// @param why this one is used, as what follows its name
    ConfigPlace told(String why, CommandOutput output) {
        if (passedOver != null) {
            output.err().println("fusebox: " + passedOver);
        }
        if (!isNamed) {
            output.err().println("fusebox: using " + ServerTable.plain(file + why));
        }
        return this;
    }

    ReadResult read(Platform platform, Overrides overrides) {
        return ConfigFile.read(HostEnvironments.of(platform), file, overrides, check());
    }

    private ContentCheck check() {
        return project == null ? ContentCheck.NONE : project;
    }

    /// For a gateway that follows the file, by its name, as its folder may be replaced.
    ConfigReload.Source followed(Platform platform, Overrides overrides) {
        Path approval = project == null ? null : project.approvalRecord().orElse(null);
        return new ConfigReload.Source(platform, file.toAbsolutePath(), overrides, check(), approval);
    }
}
