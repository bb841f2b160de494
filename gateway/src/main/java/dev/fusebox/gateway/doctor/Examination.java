package dev.fusebox.gateway.doctor;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.config.ConfigProblem;
import dev.fusebox.gateway.config.MissingVariables;
import dev.fusebox.gateway.config.ServerEndpoint;
import dev.fusebox.gateway.config.ServerState;
import dev.fusebox.gateway.errors.ErrorId;
import dev.fusebox.gateway.served.Served;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.World;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// The examination of one server: what stands on paper first, then the server itself. For one thread; blocks for
/// as long as the server takes, but not past its end.
final class Examination {
    private final World world;
    private final Patient patient;
    private final Chart chart;
    private final long end;

    /// @param end by the monotonic clock
    Examination(World world, Patient patient, Chart chart, long end) {
        this.world = world;
        this.patient = patient;
        this.chart = chart;
        this.end = end;
    }

    void run() {
        switch (patient.server().state()) {
            case ServerState.Disabled disabled -> disabled();
            case ServerState.AwaitingConfig(List<String> missing) -> awaiting(missing);
            case ServerState.Faulty(List<ConfigProblem> problems) -> problems.forEach(this::faulty);
            case ServerState.Replicated(List<String> replicas) ->
                chart.add(Finding.ok(Check.CONFIG, "stands for " + String.join(", ", replicas)));
            case ServerState.Ready(ServerEndpoint endpoint) -> ready(endpoint);
        }
    }

    // ---- What the configuration tells

    private void disabled() {
        chart.add(Finding.warn(Check.CONFIG, ErrorId.SERVER_DISABLED, "disabled in the configuration")
                .mendedBy("`" + FuseboxCommand.onFile("enable", patient.server().id()) + "` enables it"));
    }

    private void awaiting(List<String> missing) {
        String names = String.join(", ", missing);
        String cause = (missing.size() == 1 ? "a variable is not set: " : "variables are not set: ") + names;
        chart.add(Finding.fail(Check.ENVIRONMENT, ErrorId.VARIABLE_MISSING, cause)
                .mendedBy(patient.place() + ": " + new MissingVariables(missing).remedy()));
    }

    private void faulty(ConfigProblem problem) {
        // Messages say what is wrong, and behind a semicolon what to do.
        String[] parts = problem.message().split("; ", problem.guess() == null ? 2 : 1);
        String otherwise = parts.length == 2 ? parts[1] : "correct it";
        String guess = problem.guess() == null ? otherwise : "did you mean \"" + problem.guess() + "\"?";
        String place = problem.line() == 0 ? problem.file() : problem.file() + ":" + problem.line();
        chart.add(Finding.fail(Check.CONFIG, ErrorId.SERVER_INVALID, problem.pointer() + " " + parts[0])
                .mendedBy(place + ": " + guess));
    }

    private void ready(ServerEndpoint endpoint) {
        switch (endpoint) {
            case ServerEndpoint.Stdio(var spec) -> {
                Paperwork paperwork = new Paperwork(world, patient, spec);
                paperwork.shapes().forEach(chart::add);
                Finding command = paperwork.command();
                chart.add(command);
                if (command.severity() != Severity.FAIL) {
                    visit(paperwork.file());
                    unexpanded(spec);
                }
            }
            case ServerEndpoint.Http(HttpTarget target) -> elsewhere(target);
            case ServerEndpoint.Sse(HttpTarget target) -> elsewhere(target);
        }
    }

    /// Some programs make the home folder of `~` themselves: a server that works needs no warning.
    private void unexpanded(ChildSpec spec) {
        boolean isTold = chart.findings().stream().anyMatch(each -> each.errorId() == ErrorId.HOME_NOT_EXPANDED);
        if (!isTold && (chart.severity() == Severity.FAIL || patient.visit() instanceof Patient.Visit.None)) {
            HomePaths.in(spec).distinct().forEach(path -> chart.add(HomePaths.finding(Severity.WARN, path, patient)));
        }
    }

    private void elsewhere(HttpTarget target) {
        boolean isKnown = target.headers().keySet().stream()
                .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals("authorization"));
        chart.add(Finding.ok(Check.AUTH, isKnown ? "sends an Authorization header" : "sends no credentials"));
        visit("");
    }

    // ---- The server itself

    private void visit(String command) {
        switch (patient.visit()) {
            case Patient.Visit.None none -> {}
            case Patient.Visit.Fresh(Supplier<Served> way) -> interview(way.get(), command);
            case Patient.Visit.Asked(Supplier<Patient.Told> told, Supplier<Served> way) -> {
                chart.step("the running gateway");
                Patient.Told answer = told.get();
                answer.findings().forEach(chart::add);
                if (answer.mayVisit()) {
                    interview(way.get(), command);
                }
            }
        }
    }

    private void interview(Served served, String command) {
        Diagnosis diagnosis = new Diagnosis(patient, command);
        try (Interview interview = new Interview(world, served, diagnosis, new Interview.Notes(chart, end))) {
            interview.run();
        } finally {
            noise();
        }
    }

    private void noise() {
        Overheard overheard = patient.overheard();
        if (overheard.noisy() > 0) {
            long lines = overheard.noisy();
            String cause = lines == 1
                    ? "1 line on standard output is no message of the protocol"
                    : lines + " lines on standard output are no messages of the protocol";
            chart.add(Finding.warn(Check.SPAWN, ErrorId.OUTPUT_NOISE, cause)
                    .shownBy(overheard.noise())
                    .mendedBy(patient.place() + ": let the server print on standard error"));
        }
    }
}
