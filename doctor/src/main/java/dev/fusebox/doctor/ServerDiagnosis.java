package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.MissingVariables;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
        if (problem.isOfKeyring()) {
            results.add(keyring(problem, place));
            return;
        }
        results.add(Finding.fail(Check.CONFIG, ErrorId.SERVER_INVALID, problem.pointer() + " " + parts[0])
                .withRemedy(place + ": " + guess));
    }

    private static Finding keyring(ConfigProblem problem, String place) {
        return Finding.fail(Check.AUTH, ErrorId.KEYRING_LOCKED, problem.pointer() + " " + problem.message())
                .withRemedy("unlock the keyring, then `" + FuseboxCommand.onFile("secret", "list")
                        + "` reads it; or write \"credentials\": {\"store\": \"file\"}, and store the secret of "
                        + place
                        + " again");
    }

    private void ready(ServerEndpoint endpoint) {
        switch (endpoint) {
            case ServerEndpoint.Stdio spec -> {
                StaticChecks staticChecks = new StaticChecks(platform, server, spec);
                staticChecks.shapes().forEach(results::add);
                Finding command = staticChecks.command();
                results.add(command);
                if (command.severity() != Severity.FAIL) {
                    visit(staticChecks.file(), null);
                    unexpanded(spec);
                }
            }
            case ServerEndpoint.Http _, ServerEndpoint.Sse _, ServerEndpoint.WebSocket _ -> remote();
            case ServerEndpoint.Tcp _, ServerEndpoint.Unix _ -> visit("", null);
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

    private void remote() {
        switch (server.credentials()) {
            case DiagnosedServer.Credentials.Given(String text) -> {
                results.add(Finding.ok(Check.AUTH, text));
                visit("", null);
            }
            case DiagnosedServer.Credentials.OfLogin login ->
                visit("", new LoginChecks(platform, server, login, limitOfLogin()));
        }
    }

    /// Half of the time, so that the connection has the other half.
    private Duration limitOfLogin() {
        Duration half = Duration.ofNanos(Math.max(0, (end - platform.ticker().nanos()) / 2));
        return half.compareTo(LoginChecks.LIMIT) < 0 ? half : LoginChecks.LIMIT;
    }

    // ---- Connection

    /// @param loginChecks null for a server that uses no login
    private void visit(String command, @Nullable LoginChecks loginChecks) {
        switch (server.access()) {
            case DiagnosedServer.Access.None none -> {
                if (loginChecks != null) {
                    results.add(loginChecks.stored());
                }
            }
            case DiagnosedServer.Access.Fresh(Supplier<FrontTarget> way) -> {
                if (isLoginUsable(loginChecks)) {
                    checkLive(way.get(), command, loginChecks);
                }
            }
            case DiagnosedServer.Access.ThroughGateway(
                    Supplier<DiagnosedServer.GatewayReport> told,
                    Supplier<FrontTarget> way) -> {
                results.step("the running gateway");
                DiagnosedServer.GatewayReport answer = told.get();
                answer.findings().forEach(results::add);
                if (loginChecks != null) {
                    results.addAll(loginChecks.missing(answer.missingScopes()));
                }
                boolean isUsable = answer.isHeld() || isLoginUsable(loginChecks);
                if (answer.mayVisit() && isUsable) {
                    checkLive(way.get(), command, loginChecks);
                }
            }
        }
    }

    /// Checks the login. With one that cannot be used, a connection would only fail for the same reason.
    private boolean isLoginUsable(@Nullable LoginChecks loginChecks) {
        if (loginChecks == null) {
            return true;
        }
        results.step("the authorization server");
        List<Finding> findings = loginChecks.run();
        results.addAll(findings);
        return findings.stream().noneMatch(finding -> finding.severity() == Severity.FAIL);
    }

    private void checkLive(FrontTarget frontTarget, String command, @Nullable LoginChecks loginChecks) {
        FailureDiagnosis failureDiagnosis = new FailureDiagnosis(server, command);
        try (LiveChecks liveChecks =
                new LiveChecks(platform, frontTarget, failureDiagnosis, new LiveChecks.Notes(results, end))) {
            liveChecks.run();
        } finally {
            noise();
        }
        if (loginChecks != null) {
            results.findings().stream()
                    .filter(finding -> finding.errorId() == ErrorId.LOGIN_REQUIRED && finding.check() == Check.AUTH)
                    .forEach(finding -> results.replace(finding, loginChecks.explained(finding)));
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
