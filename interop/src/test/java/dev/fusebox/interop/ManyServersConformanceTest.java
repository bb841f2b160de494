package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.interop.Conformity.Revision;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The scenarios of the conformance suite in which a server asks its client, at one of many servers. Clients know
/// its tools under its own names, which a proxy changes into those that the gateway shows.
///
/// Over five seconds: it is dozens of scenarios, and the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class ManyServersConformanceTest {
    private static final Set<String> ASKING = Set.of(
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums");

    @TempDir
    private Path folder = Path.of("");

    private Path configuration(Era era) {
        Map<String, Served> servers = new LinkedHashMap<>();
        servers.put("other", Served.ofPackage("@modelcontextprotocol/server-everything", "stdio"));
        servers.put("peer", Served.fixture(era));
        servers.put("more", Served.fixture(Era.BOTH));
        return Configuration.ofSessions(folder, servers);
    }

    private Map<String, List<String>> verdicts(Revision revision, Set<String> scenarios, Era era) {
        Map<String, List<String>> found = new TreeMap<>();
        try (Gateway gateway = Gateway.ofMany(configuration(era));
                PrefixProxy proxy = PrefixProxy.before(gateway, "peer__")) {
            for (String scenario : scenarios) {
                found.put(scenario, revision.verdicts(scenario, proxy.url(), folder.resolve(scenario)));
            }
        }
        return found;
    }

    private static Map<String, List<String>> expected(Revision revision, Set<String> scenarios) {
        Map<String, List<String>> expected = new TreeMap<>(revision.expected());
        expected.keySet().retainAll(scenarios);
        assertThat(expected.keySet()).isEqualTo(scenarios);
        return expected;
    }

    @ParameterizedTest
    @EnumSource
    void session_client_receives_requests_of_one_of_many_servers(Era era) {
        assertThat(verdicts(Revision.SESSIONS, ASKING, era)).isEqualTo(expected(Revision.SESSIONS, ASKING));
    }

    @Test
    void session_client_receives_log_messages_of_one_of_many_servers() {
        Set<String> logging = Set.of("logging-set-level", "tools-call-with-logging");

        assertThat(verdicts(Revision.SESSIONS, logging, Era.BOTH)).isEqualTo(expected(Revision.SESSIONS, logging));
    }

    @Test
    void stateless_client_receives_requests_of_dual_era_server_among_many() {
        Set<String> asking = Revision.STATELESS.required().stream()
                .filter(scenario -> scenario.startsWith("input-required-result-"))
                .collect(Collectors.toSet());
        assertThat(asking).hasSizeGreaterThan(10);

        assertThat(verdicts(Revision.STATELESS, asking, Era.BOTH)).isEqualTo(expected(Revision.STATELESS, asking));
    }

    @Test
    void stateless_client_uses_tasks_of_one_of_many_servers() {
        Set<String> tasks = Revision.STATELESS.expected().keySet().stream()
                .filter(scenario -> scenario.startsWith("tasks-"))
                .collect(Collectors.toSet());
        assertThat(tasks).hasSize(10);
        assertThat(expected(Revision.STATELESS, tasks).values())
                .allSatisfy(checks -> assertThat(checks).noneMatch(check -> check.endsWith(" FAILURE")));

        assertThat(verdicts(Revision.STATELESS, tasks, Era.BOTH)).isEqualTo(expected(Revision.STATELESS, tasks));
    }
}
