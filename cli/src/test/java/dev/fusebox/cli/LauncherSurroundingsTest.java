package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher in unusual environments.
@Tag("process")
class LauncherSurroundingsTest {
    private Checkout checkout;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
    }

    /// Five seconds: that long a JVM may take to tell its version.
    @Test
    void hanging_java_is_skipped() {
        checkout.withGate();
        Path hangs = checkout.folder.resolve("hanging");
        Disk.write(
                hangs.resolve("bin/java"), "#!/usr/bin/env bash\nread -r _ <>'" + checkout.folder + "/gate'\n", true);
        checkout.onPath(hangs).jdk("25");

        Launch.Result result = checkout.run("version").succeeds();

        assertThat(result.out().getFirst()).startsWith("java 25 ");
        assertThat(result.err().stream().filter(line -> line.contains("does not report its version")))
                .hasSize(1);
    }

    @ParameterizedTest(name = "with {0}")
    @ValueSource(strings = {"flock", "a link"})
    void read_only_tree_is_reported_with_exit_code_2(String lock) {
        checkout.jdk("25");
        if (lock.equals("a link")) {
            checkout.without("flock");
        }
        Disk.delete(checkout.root.resolve("build"));
        Disk.write(checkout.root.resolve("build"), "in the way", false);

        Launch.Result result = checkout.run("version");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("cannot write to " + checkout.root + "/build");
    }

    @Test
    void start_from_deleted_folder_runs_in_checkout() {
        checkout.jdk("25");
        String fromNowhere = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" version";
        List<String> command = List.of(
                "bash", "-c", fromNowhere, checkout.root.resolve("fusebox").toString());

        try (Launch launch = checkout.start(checkout.folder, command, "")) {
            assertThat(launch.finish().succeeds().out())
                    .containsExactly("java 25 in " + checkout.root.toString() + ": version");
        }
    }

    @ParameterizedTest(name = "LC_ALL={0}")
    @ValueSource(strings = {"", "C", "POSIX", "xx_YY.UTF-8"})
    void non_ascii_characters_work_in_every_locale(String locale) {
        checkout.jdk("25");
        checkout.mavenDoes("letter=$'\\xe2\\x82\\xac' && echo \"${#letter} letter\"");

        Launch.Result result = checkout.with("LC_ALL", locale).run("version").succeeds();

        assertThat(result.err()).contains("1 letter");
    }

    @ParameterizedTest(name = "TERM={0} NO_COLOR={1}")
    @CsvSource({
        "xterm, '', '-Dfusebox.color=true -Dfusebox.progress=true -Dfusebox.terminal=true'",
        "xterm, 1, '-Dfusebox.progress=true -Dfusebox.terminal=true'",
        "dumb, '', ''"
    })
    void terminal_capabilities_are_detected(String term, String noColor, String expected) throws Exception {
        checkout.jdk("25");
        checkout.run("version").succeeds();
        Map<String, String> environment = new HashMap<>(checkout.environment());
        environment.putAll(Map.of("TERM", term, "NO_COLOR", noColor));

        try (Terminal terminal = Terminal.run(
                environment, List.of(checkout.root.resolve("fusebox").toString(), "version"))) {
            assertThat(terminal.finish()).as(terminal.written()).isZero();
        }

        String atTerminal = checkout.javaCalls().getLast();
        assertThat(Stream.of(atTerminal.split(" ", -1))
                        .filter(word -> word.matches("-Dfusebox.(color|progress|terminal)=.*"))
                        .sorted())
                .containsExactlyElementsOf(expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1)));
        assertThat(checkout.javaCalls().get(checkout.javaCalls().size() - 2))
                .as("into a pipe")
                .doesNotContain("fusebox.color", "fusebox.progress", "fusebox.terminal");
    }

    @ParameterizedTest(name = "FUSEBOX_ALLOW_INSPECTION={0}")
    @CsvSource({"yes, true", "no, false", "'', false"})
    void attaching_is_denied_unless_allowed(String value, boolean isAllowed) {
        checkout.jdk("25");

        Launch.Result result =
                checkout.with("FUSEBOX_ALLOW_INSPECTION", value).run("version").succeeds();

        List<String> words = List.of(checkout.javaCalls().getLast().split(" ", -1));
        assertThat(words).contains("-XX:+DisableAttachMechanism");
        assertThat(words.indexOf("-XX:-DisableAttachMechanism") > words.indexOf("-XX:+DisableAttachMechanism"))
                .isEqualTo(isAllowed);
        assertThat(words.contains("-Dfusebox.inspection=allow")).isEqualTo(isAllowed);
        assertThat(String.join(" ", result.err()).contains("read its memory")).isEqualTo(isAllowed);
    }
}
