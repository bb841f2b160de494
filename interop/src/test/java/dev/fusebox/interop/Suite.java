package dev.fusebox.interop;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The MCP conformance suite for one revision and one server. Immutable; a run blocks until all scenarios are
/// done.
///
/// @param revision whose requirements are checked
/// @param url of the server; none for our own, alone
record Suite(String revision, List<String> url) {
    private static final Path HOME = Path.of("").toAbsolutePath().resolveSibling("conformance");
    private static final Path SCRIPT = HOME.resolve("run");

    /// Scenarios and checks that may fail, with their reasons, and the only place where they stand.
    static final Path EXPECTED_FAILURES = HOME.resolve("expected-failures.yml");

    private static final Duration LIMIT = Duration.ofMinutes(6);

    /// The suite as a command, with arguments of its own.
    static List<String> command(String... arguments) {
        var command =
                new ArrayList<>(List.of(Npm.node(), Npm.file("@modelcontextprotocol/conformance", "dist/index.js")));
        command.addAll(List.of(arguments));
        return command;
    }

    /// The scenarios that a revision requires of servers, as the suite has them.
    static Set<String> required(String revision) {
        try {
            return Files.readAllLines(Path.of(
                            Npm.file("@modelcontextprotocol/conformance", "requirements/" + revision + ".yaml")))
                    .stream()
                    .dropWhile(line -> !line.equals("server:"))
                    .skip(1)
                    .takeWhile(line -> line.startsWith("  - "))
                    .map(line -> line.substring("  - ".length()).strip())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Against our own server, for both eras, with nothing in between.
    static Suite direct(String revision) {
        return new Suite(revision, List.of());
    }

    static Suite at(String revision, String url) {
        return new Suite(revision, List.of(url));
    }

    /// The checks of each scenario with their verdicts, none of which is an unexpected failure.
    Map<String, List<String>> checks(Path output) {
        run(output).succeeds();
        return read(output);
    }

    /// The same, whatever the verdicts are.
    Map<String, List<String>> verdicts(Path output) {
        run(output);
        return read(output);
    }

    /// The verdicts of a single scenario. `--force` includes those of extensions, which belong to no revision.
    List<String> scenario(String name, Path output) {
        List<String> command = command("server", "--url", url.getFirst(), "--scenario", name, "--force");
        command.addAll(List.of("--spec-version", revision, "-o", "" + output));
        Run.of(new ProcessBuilder(command), LIMIT);
        return read(output).getOrDefault(name, List.of());
    }

    private Run run(Path output) {
        var command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(url);
        // There `npx` finds what it needs.
        ProcessBuilder suite = new ProcessBuilder(command).directory(Npm.home().toFile());
        suite.environment().put("OUTPUT", output.toString());
        suite.environment().put("REQUIREMENTS", revision);
        suite.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return Run.of(suite, LIMIT);
    }

    /// The checks of each scenario with their verdicts, as the suite has reported them.
    static Map<String, List<String>> read(Path output) {
        Map<String, List<String>> checks = new TreeMap<>();
        try (Stream<Path> scenarios = Files.list(output)) {
            scenarios.forEach(scenario -> checks.put(nameOf(scenario), verdictsIn(scenario.resolve("checks.json"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return checks;
    }

    /// The suite puts its kind before the name and the time behind it.
    private static String nameOf(Path scenario) {
        return scenario.getFileName()
                .toString()
                .replaceFirst("^server-", "")
                .replaceFirst("-20\\d\\d-\\d\\d-\\d\\dT.*$", "");
    }

    private static List<String> verdictsIn(Path report) {
        try {
            return JsonView.parse(Files.readAllBytes(report)).elements().stream()
                    .map(check -> check.string("id") + " " + check.string("status"))
                    .toList();
        } catch (IOException | JsonSyntaxError e) {
            throw new AssertionError(report + " is no report", e);
        }
    }
}
