package dev.fusebox.cli;

import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.doctor.Check;
import dev.fusebox.gateway.doctor.CheckResults;
import dev.fusebox.gateway.doctor.DoctorTotals;
import dev.fusebox.gateway.doctor.Finding;
import dev.fusebox.gateway.doctor.HostChecks;
import dev.fusebox.gateway.doctor.PackageRunner;
import dev.fusebox.gateway.doctor.Severity;
import dev.fusebox.gateway.errors.ErrorId;
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

/// The command `doctor`: what is wrong with servers, and what mends it. For one thread; blocks until everything is
/// known, at most for its limit.
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

    private ExitStatus run(DoctorOptions words, CommandOutput output)
            throws ServeOptions.Problem, InterruptedException {
        long begun = platform.ticker().nanos();
        // A user who names a file does not mean what runs.
        List<RunningGateways.InUse> running = words.config() != null
                ? List.of()
                : RunningGateways.files(platform, words.limit().dividedBy(8));
        ConfigPlace place;
        try {
            place = ConfigPlace.findRunning(words.config(), running, platform);
        } catch (ServeOptions.Problem missing) {
            Finding none = Finding.fail(Check.CONFIG, ErrorId.CONFIG_MISSING, String.valueOf(missing.getMessage()));
            List<Finding> common = new ArrayList<>(passedOver(ConfigPlace.passedOver(platform)));
            common.add(none.mendedBy(
                    running.isEmpty()
                            ? "`" + FuseboxCommand.of("import") + "` copies the servers of your clients"
                            : looks(running)));
            print(new DoctorReport("", List.of(), common), words, output);
            return ExitStatus.USAGE;
        }
        Path file = place.file();
        place.told(reader(file, running), output);
        FuseboxCommand.uses(file);
        ReadResult readResult = place.read(platform, Overrides.NONE);
        DoctorRound round = round(words, begun, file, readResult);
        List<Finding> common = new ArrayList<>(passedOver(Optional.ofNullable(place.passedOver())));
        common.addAll(unread(file, running));
        common.addAll(warnings(readResult, round));
        common.addAll(new HostChecks(platform, words.has(DoctorOptions.Way.FIX)).look());
        return switch (readResult) {
            case ReadResult.Refused refused -> {
                refused.problems().forEach(problem -> common.add(refused(problem)));
                print(new DoctorReport(file.toString(), List.of(), common), words, output);
                yield ExitStatus.USAGE;
            }
            case ReadResult.Usable usable -> {
                List<CheckResults> resultses = examined(round, file, usable.configuration(), output);
                fillCache(round, new CacheFiller(platform, file, usable.configuration()), resultses, output);
                common.addAll(round.silentGateways());
                common.addAll(waiting(words, file, resultses));
                common.addAll(unpinned(usable.configuration(), resultses));
                common.addAll(DoctorTotals.of(platform, resultses));
                DoctorReport report = new DoctorReport(file.toString(), resultses, common);
                report = words.names().isEmpty() && resultses.size() > 1 ? report : report.inDetail();
                print(report.hiding(Endpoints.secrets(usable.configuration())), words, output);
                yield report.isHealthy() ? ExitStatus.DONE : ExitStatus.FAILED;
            }
        };
    }

    private DoctorRound round(DoctorOptions words, long begun, Path file, ReadResult readResult)
            throws ServeOptions.Problem {
        boolean mayDownload = readResult instanceof ReadResult.Usable usable
                && DoctorRound.named(words.names(), usable.configuration().servers()).stream()
                        .anyMatch(PackageRunner::starts);
        return new DoctorRound(platform, mayDownload ? words.forDownloads() : words, begun, file);
    }

    private List<CheckResults> examined(DoctorRound round, Path file, Configuration configuration, CommandOutput output)
            throws ServeOptions.Problem, InterruptedException {
        int count = round.named(configuration).size();
        if (round.hasTurns(configuration)) {
            output.err()
                    .println("fusebox: servers that may have to be downloaded are examined a few at a time, in "
                            + CacheFiller.minutes(round.limit(configuration)) + " at most");
        }
        try (Progress _ = Progress.of(platform, output, "examining " + ServerTable.counted(count, "server"))) {
            return round.examine(file, configuration);
        }
    }

    /// Servers that were just seen to list their tools do so once more for the cache, in the time that is left.
    private void fillCache(DoctorRound round, CacheFiller lists, List<CheckResults> resultses, CommandOutput output)
            throws ServeOptions.Problem {
        Set<String> well = resultses.stream()
                .filter(DoctorCommand::isGreeted)
                .map(CheckResults::server)
                .collect(Collectors.toSet());
        try {
            lists.noteSilent(resultses.stream()
                    .filter(DoctorCommand::isSilent)
                    .map(CheckResults::server)
                    .collect(Collectors.toSet()));
            lists.within(round.left()).read(well::contains, output);
        } catch (IOException nowhere) {
            output.err().println("fusebox: nothing can be cached: " + ServerTable.plain(nowhere.getMessage()));
        }
    }

    private static boolean isSilent(CheckResults results) {
        return results.findings().stream()
                .anyMatch(finding ->
                        finding.errorId() == ErrorId.HANDSHAKE_SILENT || finding.errorId() == ErrorId.TIME_OVER);
    }

    private static boolean isGreeted(CheckResults results) {
        return results.severity() != Severity.FAIL
                && results.findings().stream().anyMatch(finding -> finding.check() == Check.HANDSHAKE);
    }

    private static void print(DoctorReport report, DoctorOptions words, CommandOutput output) {
        if (words.has(DoctorOptions.Way.JSON)) {
            output.out().println(report.json());
        } else {
            report.lines(output).forEach(output.out()::println);
        }
    }

    /// An examination past the gateways sees variables that were set after their start.
    private List<Finding> waiting(DoctorOptions words, Path file, List<CheckResults> resultses) {
        if (!words.has(DoctorOptions.Way.FRESH)) {
            return List.of();
        }
        LiveGateways gateways = LiveGateways.of(platform, file, words.limit().dividedBy(8));
        return resultses.stream()
                .map(results -> gateways.waiting().get(results.server()))
                .filter(Objects::nonNull)
                .toList();
    }

    /// Most servers are documented to be started like that, so all of them are worth one line.
    private static List<Finding> unpinned(Configuration configuration, List<CheckResults> resultses) {
        Set<String> examined = resultses.stream().map(CheckResults::server).collect(Collectors.toSet());
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
                        each.getKey() + " takes the version that the registry offers for "
                                + String.join(", ", each.getValue()) + "; NAME@1.2.3 pins one"))
                .toList();
    }

    // ---- The file

    private static String reader(Path file, List<RunningGateways.InUse> running) {
        return running.stream()
                .filter(each -> each.is(file))
                .map(each -> ", which " + each.uses())
                .findFirst()
                .orElse("");
    }

    /// A warning if gateways run, and none of them uses the file that is checked.
    private static List<Finding> unread(Path file, List<RunningGateways.InUse> running) {
        if (running.isEmpty() || running.stream().anyMatch(each -> each.is(file))) {
            return List.of();
        }
        return List.of(Finding.warn(Check.GATEWAY, ErrorId.CONFIG_WARNING, "no running gateway uses " + file)
                .mendedBy(looks(running)));
    }

    private static String looks(List<RunningGateways.InUse> running) {
        return running.stream()
                .map(each -> "`"
                        + FuseboxCommand.of("doctor", "--config", each.file().toString())
                        + "` checks the file that " + each.uses())
                .collect(Collectors.joining("; "));
    }

    private static List<Finding> passedOver(Optional<ConfigPlace.PassedOver> passedOver) {
        return passedOver
                .map(file -> Finding.warn(
                                Check.CONFIG,
                                ErrorId.CONFIG_NOT_ALLOWED,
                                "not using " + file.file() + ", because it "
                                        + file.configRejection().cause())
                        .mendedBy(file.configRejection().remedy()))
                .stream()
                .toList();
    }

    /// Whoever asks for some servers hears nothing of the others.
    private static List<Finding> warnings(ReadResult readResult, DoctorRound round) throws ServeOptions.Problem {
        List<ServerConfig> meant =
                readResult instanceof ReadResult.Usable usable ? round.named(usable.configuration()) : List.of();
        return readResult.warnings().stream()
                .filter(warning -> readResult instanceof ReadResult.Refused || isMeant(warning, meant))
                .map(warning -> Finding.warn(Check.CONFIG, ErrorId.CONFIG_WARNING, what(warning))
                        .mendedBy(remedy(warning, readResult)))
                .toList();
    }

    private static String remedy(ConfigProblem warning, ReadResult readResult) {
        boolean isEmpty = readResult instanceof ReadResult.Usable usable
                && usable.configuration().servers().isEmpty();
        return isEmpty && warning.pointer().isEmpty()
                ? "`" + FuseboxCommand.of("init") + "` moves servers of your clients to Fusebox, and `"
                        + FuseboxCommand.of("help", "add") + "` shows how to add one"
                : place(warning) + ": change it unless it is meant so";
    }

    private static boolean isMeant(ConfigProblem warning, List<ServerConfig> meant) {
        String server = warning.server();
        return server == null
                || meant.stream()
                        .filter(each -> each.name().written().equals(server))
                        .anyMatch(each -> !isToldOf(each, warning));
    }

    /// What a server waits for is told where that server is told of.
    private static boolean isToldOf(ServerConfig server, ConfigProblem warning) {
        return server.state() instanceof ServerState.AwaitingConfig
                && warning.pointer().endsWith("/" + server.name().written());
    }

    private static Finding refused(ConfigProblem problem) {
        String guess = problem.guess() == null ? "correct it" : "did you mean \"" + problem.guess() + "\"?";
        return Finding.fail(Check.CONFIG, ErrorId.CONFIG_INVALID, what(problem))
                .mendedBy(place(problem) + ": " + guess);
    }

    private static String what(ConfigProblem problem) {
        return (problem.pointer().isEmpty() ? "the configuration" : problem.pointer()) + " " + problem.message();
    }

    private static String place(ConfigProblem problem) {
        return problem.line() == 0 ? problem.file() : problem.file() + ":" + problem.line() + ":" + problem.column();
    }
}
