package dev.fusebox.cli;

import dev.fusebox.client.ErrorId;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState;
import dev.fusebox.doctor.Check;
import dev.fusebox.doctor.CheckResults;
import dev.fusebox.doctor.DoctorTotals;
import dev.fusebox.doctor.Finding;
import dev.fusebox.doctor.HostChecks;
import dev.fusebox.doctor.PackageRunner;
import dev.fusebox.doctor.Severity;
import dev.fusebox.gateway.settings.Endpoints;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The command `doctor`, which diagnoses servers and prints remedies. For one thread; blocks until all checks are
/// done, at most until its limit.
final class DoctorCommand {
    private final Platform platform;

    DoctorCommand(Platform platform) {
        this.platform = platform;
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            return run(DoctorOptions.parse(arguments), output);
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private ExitStatus run(DoctorOptions options, CommandOutput output)
            throws ServeOptions.Problem, InterruptedException {
        long begun = platform.ticker().nanos();
        // With a named file, running gateways are not inspected.
        List<RunningGateways.InUse> running = options.config() != null
                ? List.of()
                : RunningGateways.files(platform, options.limit().dividedBy(8));
        ConfigPlace place;
        try {
            place = ConfigPlace.findRunning(options.config(), running, platform);
        } catch (ConfigPlace.Missing missing) {
            String remedy = running.isEmpty() ? missing.remedy() : runningNote(running);
            return withoutFile(missing.cause(), remedy, options, output);
        }
        Path file = place.file();
        place.printed(place.users(running), output);
        FuseboxCommand.uses(file);
        ReadResult readResult = place.read(platform, Overrides.NONE);
        DoctorRun round = round(options, begun, file, readResult);
        List<Finding> common = new ArrayList<>(unusedProject(Optional.ofNullable(place.unusedProject())));
        common.addAll(unread(file, running));
        common.addAll(warnings(readResult, round));
        common.addAll(new HostChecks(platform, options.has(DoctorOptions.Flag.FIX)).findings());
        return switch (readResult) {
            case ReadResult.Refused refused -> {
                refused.problems().forEach(problem -> common.add(refused(problem)));
                print(new DoctorReport(file.toString(), List.of(), common), options, output);
                yield ExitStatus.USAGE;
            }
            case ReadResult.Usable usable -> {
                List<CheckResults> results = examined(round, file, usable.configuration(), output);
                fillCache(round, new CacheFiller(platform, file, usable.configuration()), results, output);
                common.addAll(round.silentGateways());
                common.addAll(waiting(options, file, results));
                common.addAll(unpinned(usable.configuration(), results));
                common.addAll(DoctorTotals.of(platform, results));
                DoctorReport report = new DoctorReport(file.toString(), results, common);
                report = options.names().isEmpty() && results.size() > 1 ? report : report.inDetail();
                print(report.hiding(Endpoints.secrets(usable.configuration()).and(round.secrets())), options, output);
                yield report.isHealthy() ? ExitStatus.DONE : ExitStatus.FAILED;
            }
        };
    }

    /// Checks no server. What ended gateways have left is checked, and with `--fix` that may be all that is wanted.
    private ExitStatus withoutFile(String cause, String remedy, DoctorOptions options, CommandOutput output) {
        boolean isFix = options.has(DoctorOptions.Flag.FIX) && options.names().isEmpty();
        Finding missing = isFix
                ? Finding.warn(Check.CONFIG, ErrorId.CONFIG_MISSING, cause)
                : Finding.fail(Check.CONFIG, ErrorId.CONFIG_MISSING, cause);
        List<Finding> common = new ArrayList<>(unusedProject(ConfigPlace.unusedProject(platform)));
        common.add(missing.withRemedy(remedy));
        common.addAll(new HostChecks(platform, options.has(DoctorOptions.Flag.FIX)).findings());
        DoctorReport report = new DoctorReport("", List.of(), common);
        print(report, options, output);
        if (!isFix) {
            return ExitStatus.USAGE;
        }
        return report.isHealthy() ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private DoctorRun round(DoctorOptions options, long begun, Path file, ReadResult readResult)
            throws ServeOptions.Problem {
        boolean mayDownload = readResult instanceof ReadResult.Usable usable
                && DoctorRun.named(options.names(), usable.configuration().servers()).stream()
                        .anyMatch(PackageRunner::starts);
        return new DoctorRun(platform, mayDownload ? options.forDownloads() : options, begun, file);
    }

    private List<CheckResults> examined(DoctorRun round, Path file, Configuration configuration, CommandOutput output)
            throws ServeOptions.Problem, InterruptedException {
        int count = round.named(configuration).size();
        if (round.hasTurns(configuration)) {
            output.err()
                    .println("fusebox: servers that may need a download are checked a few at a time, for up to "
                            + CacheFiller.minutes(round.limit(configuration)));
        }
        try (Progress _ = Progress.of(platform, output, "checking " + OutputText.counted(count, "server"))) {
            return round.examine(file, configuration);
        }
    }

    /// Fills the cache with the tool lists of servers that passed the handshake, within the remaining time.
    private void fillCache(DoctorRun round, CacheFiller lists, List<CheckResults> results, CommandOutput output)
            throws ServeOptions.Problem {
        Set<String> well = results.stream()
                .filter(DoctorCommand::isGreeted)
                .map(CheckResults::server)
                .collect(Collectors.toSet());
        try {
            lists.noteSilent(results.stream()
                    .filter(DoctorCommand::isSilent)
                    .map(CheckResults::server)
                    .collect(Collectors.toSet()));
            lists.within(round.left()).read(well::contains, output);
        } catch (IOException nowhere) {
            output.err().println("fusebox: cannot cache tool lists: " + OutputText.plain(nowhere.getMessage()));
        }
    }

    private static boolean isSilent(CheckResults result) {
        return result.findings().stream()
                .anyMatch(finding ->
                        finding.errorId() == ErrorId.HANDSHAKE_SILENT || finding.errorId() == ErrorId.TIME_OVER);
    }

    private static boolean isGreeted(CheckResults result) {
        return result.severity() != Severity.FAIL
                && result.findings().stream().anyMatch(finding -> finding.check() == Check.HANDSHAKE);
    }

    private static void print(DoctorReport report, DoctorOptions options, CommandOutput output) {
        if (options.has(DoctorOptions.Flag.JSON)) {
            output.out().println(report.json());
        } else {
            report.lines(output).forEach(output.out()::println);
        }
    }

    /// Warnings about variables that a running gateway lacks: fresh checks see variables that were set after its
    /// start.
    private List<Finding> waiting(DoctorOptions options, Path file, List<CheckResults> results) {
        if (!options.has(DoctorOptions.Flag.FRESH)) {
            return List.of();
        }
        LiveGateways gateways = LiveGateways.of(platform, file, options.limit().dividedBy(8));
        return results.stream()
                .map(result -> gateways.waiting().get(result.server()))
                .filter(Objects::nonNull)
                .toList();
    }

    /// Unpinned versions are common, so each package runner gets one line for all its servers.
    private static List<Finding> unpinned(Configuration configuration, List<CheckResults> results) {
        Set<String> examined = results.stream().map(CheckResults::server).collect(Collectors.toSet());
        Map<String, List<String>> byRunner = new TreeMap<>();
        for (ServerConfig server : configuration.servers()) {
            String runner = PackageRunner.unpinned(server);
            if (runner != null && examined.contains(server.id())) {
                byRunner.computeIfAbsent(runner, each -> new ArrayList<>()).add(server.id());
            }
        }
        return byRunner.entrySet().stream()
                .map(each -> Finding.ok(
                        Check.LAUNCH,
                        each.getKey() + " starts the latest version in the registry for "
                                + String.join(", ", each.getValue()) + "; NAME@1.2.3 pins a version"))
                .toList();
    }

    // ---- The file

    /// A warning if gateways are running and none of them uses the checked file.
    private static List<Finding> unread(Path file, List<RunningGateways.InUse> running) {
        if (running.isEmpty() || running.stream().anyMatch(each -> each.is(file))) {
            return List.of();
        }
        return List.of(Finding.warn(Check.GATEWAY, ErrorId.CONFIG_WARNING, "no running gateway uses " + file)
                .withRemedy(runningNote(running)));
    }

    private static String runningNote(List<RunningGateways.InUse> running) {
        return running.stream()
                .map(each -> "`"
                        + FuseboxCommand.of("doctor", "--config", each.file().toString())
                        + "` checks the file that " + each.uses())
                .collect(Collectors.joining("; "));
    }

    private static List<Finding> unusedProject(Optional<ConfigPlace.UnusedProject> unusedProject) {
        return unusedProject
                .map(file -> Finding.warn(
                                Check.CONFIG,
                                ErrorId.CONFIG_NOT_ALLOWED,
                                "not using " + file.file() + ", because it "
                                        + file.configRejection().cause())
                        .withRemedy(file.configRejection().remedy()))
                .stream()
                .toList();
    }

    /// With named servers, warnings about other servers are left out.
    private static List<Finding> warnings(ReadResult readResult, DoctorRun round) throws ServeOptions.Problem {
        List<ServerConfig> meant =
                readResult instanceof ReadResult.Usable usable ? round.named(usable.configuration()) : List.of();
        return readResult.warnings().stream()
                .filter(warning -> readResult instanceof ReadResult.Refused || isMeant(warning, meant))
                .map(warning -> Finding.warn(Check.CONFIG, ErrorId.CONFIG_WARNING, what(warning))
                        .withRemedy(remedy(warning, readResult)))
                .toList();
    }

    private static String remedy(ConfigProblem warning, ReadResult readResult) {
        boolean isEmpty = readResult instanceof ReadResult.Usable usable
                && usable.configuration().servers().isEmpty();
        return isEmpty && warning.pointer().isEmpty()
                ? "`" + FuseboxCommand.of("init") + "` moves your clients' servers to Fusebox, and `"
                        + FuseboxCommand.of("help", "add") + "` shows how to add one"
                : place(warning) + ": change it unless this is intended";
    }

    private static boolean isMeant(ConfigProblem warning, List<ServerConfig> meant) {
        String server = warning.server();
        return server == null
                || meant.stream()
                        .filter(each -> each.name().written().equals(server))
                        .anyMatch(each -> !isReported(each, warning));
    }

    /// Missing variables are reported with their server.
    private static boolean isReported(ServerConfig server, ConfigProblem warning) {
        return server.state() instanceof ServerState.AwaitingConfig
                && warning.pointer().endsWith("/" + server.name().written());
    }

    private static Finding refused(ConfigProblem problem) {
        String guess = problem.guess() == null ? "fix it" : "did you mean \"" + problem.guess() + "\"?";
        return Finding.fail(Check.CONFIG, ErrorId.CONFIG_INVALID, what(problem))
                .withRemedy(place(problem) + ": " + guess);
    }

    private static String what(ConfigProblem problem) {
        return (problem.pointer().isEmpty() ? "the configuration" : problem.pointer()) + " " + problem.message();
    }

    private static String place(ConfigProblem problem) {
        return problem.line() == 0 ? problem.file() : problem.file() + ":" + problem.line() + ":" + problem.column();
    }
}
