package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The launcher compares the jars that are not ours with the committed checksums, before it puts an application in
/// place.
@Tag("process")
@Timeout(60)
class LauncherJarsTest {
    private static final String LIST = "third-party.sha256";

    @TempDir
    private Path folder;

    private Checkout checkout;

    @BeforeEach
    void lay_out() {
        checkout = new Checkout(folder);
        checkout.jdk("25.0.1");
    }

    private void mavenPuts(String text) {
        checkout.mavenDoes("mkdir -p cli/target/app/lib; echo " + text + " >cli/target/app/lib/other-1.0.jar");
    }

    private void accept() {
        mavenPuts("known");
        checkout.with("FUSEBOX_ACCEPT_JARS", "yes").run("build").succeeds();
        checkout.with("FUSEBOX_ACCEPT_JARS", "");
    }

    @Test
    void accepted_jars_are_installed() {
        accept();
        assertThat(Disk.read(checkout.root.resolve(LIST))).matches("[0-9a-f]{64}  lib/other-1\\.0\\.jar\n");
        checkout.run("build").succeeds();
    }

    @Test
    void unlisted_jar_is_rejected() {
        mavenPuts("unknown");
        Launch.Result result = checkout.run("version");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .anyMatch(line -> line.contains("found:") && line.contains("lib/other-1.0.jar"))
                .anyMatch(line -> line.contains("FUSEBOX_ACCEPT_JARS=yes"));
        assertThat(checkout.litter()).isEmpty();
    }

    @Test
    void changed_jar_is_rejected_and_previous_build_stays() {
        accept();
        mavenPuts("changed");
        Launch.Result result = checkout.run("build");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).anyMatch(line -> line.contains("found:")).anyMatch(line -> line.contains("expected:"));
        checkout.run("serve").succeeds();
    }

    @Test
    void missing_jar_is_rejected() {
        accept();
        checkout.mavenDoes("");
        Launch.Result result = checkout.run("build");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).anyMatch(line -> line.contains("expected:") && line.contains("lib/other-1.0.jar"));
    }
}
