package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a build shows of itself, and what it keeps in its log.
@Tag("process")
class LauncherProgressTest {
    private static final String SECOND_OF_THREE = """
            echo '[INFO] Scanning for projects...'
            echo '[INFO] Building Fusebox client 0.1.0-SNAPSHOT                [2/3]'
            """;

    private static final String WAITS_AT_GATE = "read -r _ <>\"$here/gate\"\n";

    private Checkout checkout;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
        checkout.jdk("25");
    }

    /// Over five seconds: shorter builds show no progress outside of a terminal.
    @Test
    void long_build_shows_modules_and_seconds() {
        checkout.withGate().mavenDoes(SECOND_OF_THREE + WAITS_AT_GATE);
        try (Launch launch = checkout.start("version")) {
            assertThat(launch.awaitErr("building module 2 of 3 (client), ")).matches("\\d+ s");
            checkout.openGate();
            assertThat(launch.finish().succeeds().out()).hasSize(1);
        }
    }

    @Test
    void short_build_shows_no_progress_outside_of_terminal() {
        Launch.Result result =
                checkout.mavenDoes(SECOND_OF_THREE).run("version").succeeds();

        assertThat(result.errText()).contains("building in ").doesNotContain("building module", "[INFO]");
    }

    @Test
    void terminal_shows_module_on_rewritten_line() throws Exception {
        checkout.withGate().mavenDoes(SECOND_OF_THREE + "echo '[INFO] Downloaded from central: x'\n" + WAITS_AT_GATE);
        List<String> command = List.of(checkout.root.resolve("fusebox").toString(), "version");
        try (Terminal terminal = Terminal.run(checkout.environment(), command)) {
            String shown = "\r\033\\[Kfusebox: building module 2 of 3 \\(client\\), \\d s, files downloaded: 1";
            eventually(
                    "the module is shown", () -> assertThat(terminal.written()).containsPattern(shown));
            checkout.openGate();
            assertThat(terminal.finish()).as(terminal.written()).isZero();
            assertThat(terminal.written()).containsPattern("\r\033\\[Kjava 25 in ");
        }
    }

    @Test
    void failed_build_shows_errors_and_keeps_log() {
        checkout.mavenDoes(SECOND_OF_THREE + """
                echo '[WARNING] a warning'
                echo 'that goes on'
                echo '[ERROR] Main.java:[3,4] missing return'
                echo 'said by a plugin'
                printf 'cut off'
                exit 7
                """);

        Launch.Result result = checkout.run("version");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .contains("[ERROR] Main.java:[3,4] missing return", "said by a plugin", "cut off")
                .noneMatch(line -> line.contains("[INFO]") || line.contains("warning") || line.contains("goes on"));
        Path log = checkout.root.resolve("build/build.log");
        assertThat(result.errText()).contains("the full output in " + log);
        assertThat(Disk.read(log)).contains("[2/3]", "a warning\nthat goes on\n", "cut off");
    }
}
