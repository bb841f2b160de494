package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.interop.Conformity.Revision;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The conformance suite at one server, while another server of the same gateway process repeatedly crashes during
/// calls and hangs.
///
/// Over five seconds: it is the whole suite, twice, and the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class ConformanceUnderFaultTest {
    /// Some for each second that the suite takes; fewer, and there was no trouble to speak of.
    private static final int ENOUGH = 5;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void faulty_server_does_not_affect_clients_of_another() throws Exception {
        for (Revision revision : Revision.values()) {
            assertThat(revision.expected())
                    .as("what is found before the trouble begins")
                    .isNotEmpty();
        }
        Path good = Served.fixture(Era.BOTH).configuration(folder);
        Path bad = new Served(List.of(Npm.node(), Npm.script("faulty.mjs")), Map.of()).configuration(folder);
        var command = new ProcessBuilder(JavaProgram.of(TwoFronts.class, good.toString(), bad.toString()));
        Map<Revision, Map<String, List<String>>> found = new EnumMap<>(Revision.class);

        try (Program gateway = Program.start("gateway", command, "front 1 on ", "front 2 on ")) {
            Conformity.callAbleToBeAsked(gateway.said(0));
            try (Trouble trouble = Trouble.at(gateway.said(1))) {
                for (Revision revision : Revision.values()) {
                    found.put(revision, revision.settled(gateway.said(0), folder.resolve(revision.toString())));
                    assertThat(trouble.surprises().stream().limit(3)).isEmpty();
                }
                assertThat(trouble.crashes()).isGreaterThan(ENOUGH);
                assertThat(trouble.hangs()).isGreaterThan(ENOUGH);
            }
        }

        found.forEach((revision, verdicts) -> assertThat(verdicts).isEqualTo(revision.expected()));
        assertThat(found).hasSize(Revision.values().length);
    }
}
