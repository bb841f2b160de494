package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The scenarios of the conformance suite that test clients, with the gateway as the client: the suite's server is
/// behind it over HTTP, and an official client in front of it. Scenarios about authorization are in
/// [AuthorizationScenariosTest]; those about extensions of the protocol are left out.
///
/// Over five seconds: each scenario starts the suite, a client and a gateway, and the first test of the module
/// waits for npm.
@Tag("interop")
@Timeout(900)
class ClientScenariosTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern LISTED = Pattern.compile(" - ([\\w-]+) \\[([\\d,-]+)]");
    private static final List<String> REVISIONS = List.of("2025-11-25", "2026-07-28");

    /// Allows a stream to be taken up again 0.2 s late, which on a busy machine goes wrong now and then.
    private static final Set<String> RACES = Set.of("sse-retry");

    private static final int TRIES = 3;

    /// Of the suite with this version; one of them missing means that the list has not been read as it is written.
    private static final int KNOWN = 13;

    @TempDir
    private Path folder = Path.of("");

    static Stream<Arguments> scenarios() {
        List<Arguments> listed = LISTED.matcher(
                        suite("list", "--client").succeeds().out())
                .results()
                .flatMap(scenario -> Stream.of(scenario.group(2).split(",", -1))
                        .filter(REVISIONS::contains)
                        .map(revision -> Arguments.of(scenario.group(1), revision)))
                .toList();
        assertThat(listed).hasSizeGreaterThanOrEqualTo(KNOWN);
        return listed.stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void gateway_passes_client_scenarios(String scenario, String revision) throws IOException {
        int tries = RACES.contains(scenario) ? TRIES : 1;
        for (int number = 1; number <= tries; number++) {
            Path attempt = folder.resolve("try-" + number);
            Run run = run(scenario, revision, attempt);
            if (number == tries || (run.code() == 0 && Files.exists(done(attempt)))) {
                assertPassed(run, attempt);
                return;
            }
        }
    }

    private static Path done(Path attempt) {
        return attempt.resolve("servers.json.done");
    }

    private static void assertPassed(Run run, Path attempt) {
        run.succeeds();
        assertThat(done(attempt)).as("the client came to its end: %s", run).exists();
        List<String> verdicts =
                Suite.read(attempt.resolve("reports")).values().iterator().next();
        assertThat(verdicts).anyMatch(verdict -> verdict.endsWith(" SUCCESS"));
    }

    private static Run run(String scenario, String revision, Path attempt) throws IOException {
        Files.createDirectory(attempt);
        ProcessBuilder program = new ProcessBuilder(Suite.command(
                "client",
                "--command",
                // Taken apart at its spaces by the suite, so there must be none in it; it runs among the packages.
                "node_modules/node/bin/node scenario.mjs",
                "--scenario",
                scenario,
                "--spec-version",
                revision,
                "--timeout",
                Long.toString(LIMIT.toMillis()),
                "--expected-failures",
                Suite.EXPECTED_FAILURES.toString(),
                "-o",
                attempt.resolve("reports").toString()));
        String gateway = gateway(attempt.resolve("servers.json"));
        program.directory(Npm.home().toFile()).environment().put("PEERS_GATEWAY", gateway);
        return Run.of(program, LIMIT.plusSeconds(10));
    }

    private static String gateway(Path configuration) {
        JsonWriter gateway = new JsonWriter().beginObject();
        gateway.name("configuration")
                .string(configuration.toString())
                .name("command")
                .beginArray();
        Gateway.command(configuration).forEach(gateway::string);
        return gateway.endArray().endObject().toString();
    }

    private static Run suite(String... arguments) {
        return Run.of(new ProcessBuilder(Suite.command(arguments)), LIMIT);
    }
}
