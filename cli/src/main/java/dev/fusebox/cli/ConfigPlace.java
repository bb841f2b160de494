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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The configuration file that a command uses, and the project file that it ignores. Immutable; reading blocks on
/// disk I/O.
///
/// @param isNamed whether the user named it with `--config`
/// @param project the same file if its content needs approval; null otherwise
/// @param unusedProject the `.mcp.json` of the current folder if it is not used; null if there is none
record ConfigPlace(
        Path file,
        boolean isNamed,
        @Nullable ProjectConfig project,
        @Nullable UnusedProject unusedProject) {
    /// A project file that is not used.
    record UnusedProject(Path file, ConfigRejection configRejection) {
        /// One line.
        @Override
        public String toString() {
            return OutputText.plain("not using " + file + ", because it " + configRejection);
        }
    }

    /// There is no configuration file, or it cannot be known which one is meant.
    static final class Missing extends ServeOptions.Problem {
        private static final long serialVersionUID = 1;

        private final String cause;
        private final String remedy;

        private Missing(String cause, String remedy) {
            super(cause + "; " + remedy);
            this.cause = cause;
            this.remedy = remedy;
        }

        String cause() {
            return cause;
        }

        String remedy() {
            return remedy;
        }
    }

    /// The named file, or the first usable file in the search order.
    ///
    /// @throws Missing if there is none, with all searched locations
    static ConfigPlace find(@Nullable Path named, Platform platform) throws Missing {
        return find(named, platform, "no configuration found: --config FILE is not given; ", "");
    }

    /// The same for a command that asks running gateways and found none.
    static ConfigPlace findWithoutGateway(Platform platform) throws Missing {
        return find(
                null,
                platform,
                "no gateway is running, and no configuration found: ",
                "`" + FuseboxCommand.of("help", "serve") + "` shows how to start one; ");
    }

    /// @param problem the beginning of the message if there is none
    /// @param remedy the beginning of its remedy
    private static ConfigPlace find(@Nullable Path named, Platform platform, String problem, String remedy)
            throws Missing {
        if (named != null) {
            return new ConfigPlace(named, true, null, null);
        }
        Path here = Path.of(ConfigFile.PROJECT);
        UnusedProject unusedProject = null;
        if (Files.exists(here, LinkOption.NOFOLLOW_LINKS)) {
            ProjectConfig project = ProjectConfig.at(platform, here);
            Optional<ConfigRejection> configRejection = project.configRejection();
            if (configRejection.isEmpty()) {
                return new ConfigPlace(project.path(), false, project, null);
            }
            unusedProject = new UnusedProject(project.path(), configRejection.get());
        }
        Path home =
                ConfigFile.home(platform.environment()).filter(Files::exists).orElse(null);
        if (home == null) {
            throw new Missing(problem + searched(unusedProject, platform), remedy + remedy());
        }
        return new ConfigPlace(home, false, null, unusedProject);
    }

    /// A project file, which is used only with contents that the user has allowed.
    ///
    /// @throws ServeOptions.Problem if its present content is not allowed
    static ConfigPlace ofProject(Path file, Platform platform) throws ServeOptions.Problem {
        ProjectConfig project = ProjectConfig.at(platform, file);
        Optional<ConfigRejection> rejection = project.configRejection();
        if (rejection.isPresent()) {
            throw new ServeOptions.Problem(new UnusedProject(project.path(), rejection.get()).toString());
        }
        return new ConfigPlace(project.path(), false, project, null);
    }

    /// The same for a command that inspects running gateways: without a named file, the one that all running
    /// gateways use. A project file counts only if it is allowed.
    ///
    /// @throws Missing if no file is named, the gateways do not share one, and there is no default
    static ConfigPlace findRunning(@Nullable Path named, List<RunningGateways.InUse> running, Platform platform)
            throws Missing {
        Optional<ConfigPlace> other = named != null
                ? Optional.empty()
                : RunningGateways.otherThan(usual(platform), running).flatMap(each -> inUse(each.file(), platform));
        if (other.isPresent()) {
            return other.get();
        }
        try {
            return find(named, platform);
        } catch (Missing none) {
            throw running.size() > 1 ? severalInUse(running) : none;
        }
    }

    private static Missing severalInUse(List<RunningGateways.InUse> running) {
        String users = running.stream()
                .map(each -> each.uses() + " " + OutputText.plain(each.file().toString()))
                .collect(Collectors.joining("; "));
        return new Missing(
                "the running gateways use different configuration files: " + users, "select one with --config FILE");
    }

    /// The same, with a line on standard error that names the file, and the gateway that uses it.
    static ConfigPlace findRunning(@Nullable Path named, Platform platform, CommandOutput output)
            throws ServeOptions.Problem {
        List<RunningGateways.InUse> running = named == null ? RunningGateways.files(platform) : List.of();
        ConfigPlace place = findRunning(named, running, platform);
        return place.printed(place.users(running), output);
    }

    /// Which running gateway uses the file, for a message that names it; empty if none does.
    String users(List<RunningGateways.InUse> running) {
        return running.stream()
                .filter(each -> each.is(file))
                .map(each -> ", which " + each.uses())
                .findFirst()
                .orElse("");
    }

    private static @Nullable Path usual(Platform platform) {
        try {
            return find(null, platform).file();
        } catch (ServeOptions.Problem none) {
            return null;
        }
    }

    private static Optional<ConfigPlace> inUse(Path file, Platform platform) {
        Optional<UnusedProject> here = unusedProject(platform);
        if (!Path.of(ConfigFile.PROJECT).equals(file.getFileName())) {
            return Optional.of(new ConfigPlace(file, false, null, here.orElse(null)));
        }
        ProjectConfig project = ProjectConfig.at(platform, file);
        return project.configRejection().isPresent()
                ? Optional.empty()
                : Optional.of(new ConfigPlace(project.path(), false, project, here.orElse(null)));
    }

    private static String searched(@Nullable UnusedProject unusedProject, Platform platform) {
        String here = unusedProject == null ? "./.mcp.json does not exist" : unusedProject.toString();
        String home = ConfigFile.home(platform.environment())
                .map(Path::toString)
                .orElse("~/.fusebox/config.json (neither HOME nor FUSEBOX_HOME is set)");
        return here + "; " + home + " does not exist";
    }

    private static String remedy() {
        return "`" + FuseboxCommand.of("init") + "` moves your clients' servers to Fusebox, and `"
                + FuseboxCommand.of("help", "add") + "` shows how to add a server";
    }

    /// The project file of the current folder if commands without `--config` ignore it; empty otherwise.
    static Optional<UnusedProject> unusedProject(Platform platform) {
        Path here = Path.of(ConfigFile.PROJECT);
        if (!Files.exists(here, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        ProjectConfig project = ProjectConfig.at(platform, here);
        return project.configRejection().map(configRejection -> new UnusedProject(project.path(), configRejection));
    }

    /// Prints the used and the ignored file on standard error, unless the user named the file.
    ConfigPlace printed(CommandOutput output) {
        return printed("", output);
    }

    /// @param why the reason for using it, appended to its name
    ConfigPlace printed(String why, CommandOutput output) {
        if (unusedProject != null) {
            output.err().println("fusebox: " + unusedProject);
        }
        if (!isNamed) {
            output.err().println("fusebox: using " + OutputText.plain(file + why));
        }
        return this;
    }

    /// Prints on standard error which file is used, even if the command names it: the user of a client may not know
    /// its command.
    void announce(CommandOutput output) {
        printed(output);
        if (isNamed) {
            output.err().println("fusebox: using " + OutputText.plain(file.toString()));
        }
    }

    /// The bytes of the file as characters; empty if it cannot be read.
    Optional<String> text() {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    ReadResult read(Platform platform, Overrides overrides) {
        return ConfigFile.read(HostEnvironments.of(platform), file, overrides, check());
    }

    /// Reads the file without its secrets, so that each server that needs some names them.
    ReadResult readWithoutSecrets(Platform platform) {
        return readWithoutSecrets(platform, Overrides.NONE);
    }

    ReadResult readWithoutSecrets(Platform platform, Overrides overrides) {
        return ConfigFile.read(HostEnvironments.withoutSecrets(platform), file, overrides, check());
    }

    private ContentCheck check() {
        return project == null ? ContentCheck.NONE : project;
    }

    /// The source that a gateway watches, by path, because the folder may be replaced.
    ConfigReload.Source followed(Platform platform, Overrides overrides) {
        Path approval = project == null ? null : project.approvalRecord().orElse(null);
        return new ConfigReload.Source(platform, file.toAbsolutePath(), overrides, check(), approval);
    }
}
