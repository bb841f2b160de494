package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.MissingVariables;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// The diagnosis of one server: static checks first, then the server itself. For one thread; blocks for as long as
/// the server takes, until its end time at most.
final class ServerDiagnosis {
    private final Platform platform;
    private final DiagnosedServer server;
    private final CheckResults results;
    private final long end;

    /// @param end by the monotonic clock
    ServerDiagnosis(Platform platform, DiagnosedServer server, CheckResults results, long end) {
        this.platform = platform;
        this.server = server;
        this.results = results;
        this.end = end;
    }

    void run() {
        switch (server.server().state()) {
            case ServerState.Disabled disabled -> disabled();
            case ServerState.AwaitingConfig(List<String> missing) -> awaiting(missing);
            case ServerState.Faulty(List<ConfigProblem> problems) -> problems.forEach(this::invalid);
            case ServerState.Replicated(List<String> replicas) ->
                results.add(Finding.ok(Check.CONFIG, "replica set of " + String.join(", ", replicas)));
            case ServerState.Ready(ServerEndpoint endpoint) -> ready(endpoint);
        }
    }

    // ---- Configuration

    private void disabled() {
        results.add(Finding.warn(Check.CONFIG, ErrorId.SERVER_DISABLED, "disabled in the configuration")
                .withRemedy(
                        "`" + FuseboxCommand.onFile("enable", server.server().id()) + "` enables it"));
    }

    private void awaiting(List<String> missing) {
        MissingVariables variables = new MissingVariables(missing);
        results.add(Finding.fail(Check.ENVIRONMENT, ErrorId.VARIABLE_MISSING, variables.problem())
                .withRemedy(server.place() + ": " + variables.remedy()));
    }

    private void invalid(ConfigProblem problem) {
        // Messages name the problem, and after a semicolon the remedy.
        String[] parts = problem.message().split("; ", problem.guess() == null ? 2 : 1);
        String otherwise = parts.length == 2 ? parts[1] : "correct it";
        String guess = problem.guess() == null ? otherwise : "did you mean \"" + problem.guess() + "\"?";
        String place = problem.line() == 0 ? problem.file() : problem.file() + ":" + problem.line();
        results.add(Finding.fail(Check.CONFIG, ErrorId.SERVER_INVALID, problem.pointer() + " " + parts[0])
                .withRemedy(place + ": " + guess));
    }

    private void ready(ServerEndpoint endpoint) {
        switch (endpoint) {
            case ServerEndpoint.Stdio spec -> {
                StaticChecks staticChecks = new StaticChecks(platform, server, spec);
                staticChecks.shapes().forEach(results::add);
                Finding command = staticChecks.command();
                results.add(command);
                if (command.severity() != Severity.FAIL) {
                    visit(staticChecks.file());
                    unexpanded(spec);
                }
            }
            case ServerEndpoint.Http(var address) -> remote(address);
            case ServerEndpoint.Sse(var address) -> remote(address);
        }
    }

    /// Some programs expand `~` themselves, so a working server gets no warning.
    private void unexpanded(ServerEndpoint.Stdio spec) {
        boolean isTold = results.findings().stream().anyMatch(each -> each.errorId() == ErrorId.HOME_NOT_EXPANDED);
        if (!isTold
                && (results.severity() == Severity.FAIL || server.access() instanceof DiagnosedServer.Access.None)) {
            HomePaths.in(spec).distinct().forEach(path -> results.add(HomePaths.finding(Severity.WARN, path, server)));
        }
    }

    private void remote(ServerEndpoint.Remote remote) {
        boolean isKnown = remote.headers().keySet().stream()
                .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals("authorization"));
        results.add(Finding.ok(Check.AUTH, isKnown ? "sends an Authorization header" : "sends no credentials"));
        visit("");
    }

    // ---- Connection

    private void visit(String command) {
        switch (server.access()) {
            case DiagnosedServer.Access.None none -> {}
            case DiagnosedServer.Access.Fresh(Supplier<FrontTarget> way) -> checkLive(way.get(), command);
            case DiagnosedServer.Access.ThroughGateway(
                    Supplier<DiagnosedServer.GatewayReport> told,
                    Supplier<FrontTarget> way) -> {
                results.step("the running gateway");
                DiagnosedServer.GatewayReport answer = told.get();
                answer.findings().forEach(results::add);
                if (answer.mayVisit()) {
                    checkLive(way.get(), command);
                }
            }
        }
    }

    private void checkLive(FrontTarget frontTarget, String command) {
        FailureDiagnosis failureDiagnosis = new FailureDiagnosis(server, command);
        try (LiveChecks liveChecks =
                new LiveChecks(platform, frontTarget, failureDiagnosis, new LiveChecks.Notes(results, end))) {
            liveChecks.run();
        } finally {
            noise();
        }
    }

    private void noise() {
        CapturedStderr capturedStderr = server.capturedStderr();
        if (capturedStderr.noisy() > 0) {
            long lines = capturedStderr.noisy();
            String cause = lines == 1
                    ? "1 line on standard output is not a protocol message"
                    : lines + " lines on standard output are not protocol messages";
            results.add(Finding.warn(Check.SPAWN, ErrorId.OUTPUT_NOISE, cause)
                    .shownBy(capturedStderr.noise())
                    .withRemedy(server.place() + ": change the server to print to standard error"));
        }
    }
}
