package dev.fusebox.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.server.Era;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The conformance suite as a client of either era before servers of either era, as docs/eras.md tells it.
///
/// Over five seconds: it is the whole suite, five times, and the first test of the module waits for npm.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class EraMatrixTest {
    private static final String SESSIONS = "2025-11-25";
    private static final String STATELESS = "2026-07-28";

    /// What a client of the stateless era cannot have from a server of the session era. That server gives its
    /// questions no keys, asks one thing after the other, and refuses a client that lacks a capability in words of
    /// its own.
    private static final Map<String, List<String>> LOST = Map.of(
            "input-required-result-basic-elicitation", List.of("sep-2322-elicitation-incomplete FAILURE"),
            "input-required-result-ignore-extra-params", List.of("sep-2322-ignore-unexpected-params WARNING"),
            "input-required-result-multiple-input-requests", List.of("sep-2322-multiple-inputs-incomplete FAILURE"),
            "server-stateless",
                    List.of(
                            "sep-2575-server-rejects-undeclared-capability FAILURE",
                            "sep-2575-missing-capability-http-400 FAILURE"));

    @TempDir
    private Path folder = Path.of("");

    private Map<String, List<String>> direct = Map.of();

    @BeforeAll
    void look(@TempDir Path reports) {
        direct = Suite.direct(STATELESS).checks(reports.resolve("direct"));
        assertThat(direct).hasSizeGreaterThanOrEqualTo(37);
    }

    @ParameterizedTest
    @EnumSource(
            value = Era.class,
            names = {"MODERN", "BOTH"})
    void a_stateless_client_sees_no_difference_before_a_server_that_knows_its_era(Era era) {
        try (Gateway gateway = Gateway.overHttp(Served.fixture(era).configuration(folder))) {
            Map<String, List<String>> through =
                    Suite.at(STATELESS, gateway.url()).checks(folder.resolve("through"));
            assertThat(through).isEqualTo(direct);
        }
    }

    @Test
    void a_stateless_client_before_a_session_server_misses_what_that_era_does_not_have_and_nothing_else() {
        Map<String, List<String>> through;
        try (Gateway gateway = Gateway.overHttp(Served.fixture(Era.LEGACY).configuration(folder))) {
            through = Suite.at(STATELESS, gateway.url()).verdicts(folder.resolve("through"));
        }
        Map<String, List<String>> different = new TreeMap<>();
        through.forEach((scenario, verdicts) -> {
            List<String> expected = direct.getOrDefault(scenario, List.of());
            if (!verdicts.equals(expected)) {
                different.put(
                        scenario,
                        verdicts.stream()
                                .filter(verdict -> !expected.contains(verdict))
                                .toList());
            }
        });
        assertThat(through.keySet()).isEqualTo(direct.keySet());
        assertThat(different).isEqualTo(LOST);
    }

    @Test
    void a_session_client_sees_no_difference_before_a_stateless_server() {
        Map<String, List<String>> before;
        try (Gateway gateway = Gateway.overHttp(Served.fixture(Era.LEGACY).configuration(folder))) {
            before = Suite.at(SESSIONS, gateway.url()).checks(folder.resolve("before"));
        }
        try (Gateway gateway = Gateway.overHttp(Served.fixture(Era.MODERN).configuration(folder))) {
            Map<String, List<String>> after = Suite.at(SESSIONS, gateway.url()).checks(folder.resolve("after"));
            assertThat(after).hasSizeGreaterThanOrEqualTo(30).isEqualTo(before);
        }
    }
}
