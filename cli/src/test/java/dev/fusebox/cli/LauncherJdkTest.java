package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which JDK the launcher takes, and what it says when there is none.
@Tag("process")
class LauncherJdkTest {
    private Checkout checkout;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
    }

    @Test
    void default_java_17_is_ignored() {
        checkout.onPath(checkout.jdk("17.0.15"));
        checkout.jdk("25.0.3");
        Launch.Result result = checkout.run("version").succeeds();
        assertThat(result.out()).containsExactly("java 25.0.3 in " + checkout.folder + ": version");
        assertThat(result.err()).contains("mvn on jdk 25.0.3");
    }

    @Test
    void java_home_of_17_is_ignored_silently() {
        checkout.with("JAVA_HOME", checkout.jdk("17.0.15")).jdk("25");
        Launch.Result result = checkout.run("version").succeeds();
        assertThat(result.out().getFirst()).startsWith("java 25 ");
        assertThat(result.errText()).doesNotContain("17.0.15");
    }

    @Test
    void fusebox_java_home_has_precedence() {
        checkout.with("JAVA_HOME", checkout.jdk("25"))
                .onPath(checkout.jdk("26"))
                .with("FUSEBOX_JAVA_HOME", checkout.jdk("27"));
        assertThat(checkout.run("version").succeeds().out().getFirst()).startsWith("java 27 ");
        checkout.with("FUSEBOX_JAVA_HOME", "");
        assertThat(checkout.run("version").succeeds().out().getFirst()).startsWith("java 25 ");
        checkout.with("JAVA_HOME", "");
        assertThat(checkout.run("version").succeeds().out().getFirst()).startsWith("java 26 ");
    }

    @Test
    void unusable_fusebox_java_home_is_reported_once() {
        checkout.with("FUSEBOX_JAVA_HOME", checkout.jdk("21.0.1")).jdk("25");
        Launch.Result result = checkout.run("version").succeeds();
        assertThat(result.out().getFirst()).startsWith("java 25 ");
        assertThat(result.err().stream().filter(line -> line.contains("FUSEBOX_JAVA_HOME=")))
                .hasSize(1);
    }

    @Test
    void missing_jdk_is_reported_with_found_versions_and_exit_code_2() {
        checkout.with("JAVA_HOME", "/nowhere/at all").onPath(checkout.jdk("17.0.15"));
        Launch.Result result = checkout.run("version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.errText())
                .contains("no JDK 25 or newer", "FUSEBOX_JAVA_HOME, JAVA_HOME, java on the PATH", "java homes")
                .contains("/nowhere/at all: not a JDK", "jdk 17.0.15: version 17.0.15")
                .contains("adoptium.net");
    }

    @Test
    void missing_jdk_without_candidates_is_reported() {
        Launch.Result result = checkout.with("FUSEBOX_JDK_FOLDERS", "").run("version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("and the folders in no folder. Found:\n  nothing\n");
    }

    @Test
    void jdk_without_release_file_is_asked_for_version() {
        checkout.with("JAVA_HOME", checkout.homeWithoutRelease("17.0.1"));
        checkout.homeWithoutRelease("25.0.9");
        assertThat(checkout.run("version").succeeds().out().getFirst()).startsWith("java 25.0.9 ");
    }

    @Test
    void jre_runs_but_does_not_build() {
        Path home = checkout.jdk("25");
        checkout.run("version").succeeds();
        Disk.delete(home.resolve("bin/javac"));
        assertThat(checkout.run("version").succeeds().out().getFirst()).startsWith("java 25 ");
        Launch.Result result = checkout.run("build");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("version 25, but without bin/javac");
    }

    @Test
    void jdk_command_prints_home_in_use() {
        Path home = checkout.jdk("25");
        assertThat(checkout.run("jdk").succeeds().out()).containsExactly(home.toString());
    }

    @Test
    void missing_maven_is_reported_with_exit_code_2() {
        checkout.without("mvn").jdk("25");
        Launch.Result result = checkout.run("version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.errText()).contains("no mvn on the PATH").contains("apt-get install maven");
    }
}
