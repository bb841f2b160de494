package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Launches that meet, and launches that are killed.
@Tag("process")
class LauncherLockTest {
    private static final int SIGINT = 2;

    private Checkout checkout;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
        checkout.jdk("25");
        checkout.withGate();
    }

    @ParameterizedTest(name = "with the lock of {0}")
    @ValueSource(strings = {"flock", "a link"})
    void concurrent_launches_build_once(String lock) {
        choose(lock);
        checkout.mavenDoes("echo waits; read -r _ <>\"$here/gate\"");
        try (Launch first = checkout.start("version")) {
            first.awaitErr("waits");
            try (Launch second = checkout.start("version")) {
                second.awaitErr("waiting for ");
                checkout.openGate();
                assertThat(first.finish().succeeds().out()).hasSize(1);
                assertThat(second.finish().succeeds().out()).hasSize(1);
            }
        }
        assertThat(checkout.mavenCalls()).hasSize(1);
        assertThat(checkout.litter()).isEmpty();
        assertThat(checkout.root.resolve("build/lock.link")).doesNotExist();
    }

    @ParameterizedTest(name = "with the lock of {0}")
    @ValueSource(strings = {"flock", "a link"})
    void terminated_launch_stops_build_and_next_one_builds(String lock) {
        choose(lock);
        checkout.mavenDoes("echo waits; read -r _ <>\"$here/gate\"");
        try (Launch first = checkout.start("version")) {
            long maven = Long.parseLong(first.awaitErr("mvn runs as "));
            first.awaitErr("waits");
            first.terminate();
            assertThat(first.finish().code()).isEqualTo(143);
            assertThat(ProcessHandle.of(maven).filter(ProcessHandle::isAlive)).isEmpty();
        }
        assertThat(checkout.litter()).isEmpty();
        checkout.mavenDoes("");
        assertThat(checkout.run("version").succeeds().out()).hasSize(1);
    }

    @Test
    void children_of_build_receive_interrupts() {
        assumeThat(Files.exists(Path.of("/proc/self/status"))).isTrue();
        checkout.mavenDoes("grep SigIgn /proc/self/status");
        try (Launch launch = checkout.start("version")) {
            long ignored = Long.parseUnsignedLong(launch.awaitErr("SigIgn:"), 16);
            assertThat(ignored & (1 << (SIGINT - 1))).isZero();
            launch.finish().succeeds();
        }
    }

    @Test
    void maven_that_outlives_launcher_keeps_lock() {
        assumeThat(Files.exists(checkout.folder.resolve("tools/flock"))).isTrue();
        checkout.mavenDoes("echo waits; read -r _ <>\"$here/gate\"");
        try (Launch first = checkout.start("version")) {
            first.awaitErr("waits");
            first.kill();
            checkout.mavenDoes("");
            try (Launch second = checkout.start("version")) {
                second.awaitErr("waiting for ");
                checkout.openGate();
                assertThat(second.finish().succeeds().out()).hasSize(1);
            }
        }
        assertThat(checkout.mavenCalls()).hasSize(2);
        assertThat(checkout.litter()).isEmpty();
    }

    @Test
    void killed_rebuild_leaves_previous_build() {
        checkout.run("version").succeeds();
        Path before = checkout.app();
        checkout.age().edit("pom.xml").mavenDoes("echo waits; kill -KILL $PPID; exit 1");
        try (Launch launch = checkout.start("version")) {
            assertThat(launch.finish().code()).isEqualTo(137);
        }
        assertThat(checkout.app()).isEqualTo(before);
        assertThat(checkout.run("serve").succeeds().out()).hasSize(1);
        checkout.mavenDoes("");
        checkout.run("version").succeeds();
        assertThat(checkout.litter()).isEmpty();
    }

    @ParameterizedTest(name = "with the lock of {0}")
    @ValueSource(strings = {"flock", "a link"})
    void serve_starts_stale_build_during_build(String lock) {
        choose(lock);
        checkout.run("serve").succeeds();
        checkout.age().edit("pom.xml").mavenDoes("echo waits; read -r _ <>\"$here/gate\"");
        try (Launch building = checkout.start("version")) {
            building.awaitErr("waits");
            Launch.Result served = checkout.run("serve").succeeds();
            assertThat(served.out()).singleElement().asString().endsWith(": serve");
            assertThat(served.err()).singleElement().asString().contains("older than its sources", "fusebox build");
            checkout.openGate();
            assertThat(building.finish().succeeds().out()).hasSize(1);
        }
        assertThat(checkout.run("serve").succeeds().err()).isEmpty();
        assertThat(checkout.mavenCalls()).hasSize(2);
    }

    @Test
    void stale_lock_link_is_ignored() throws Exception {
        checkout.without("flock");
        Process gone = new ProcessBuilder("true").start();
        assertThat(gone.waitFor()).isZero();
        Disk.link(checkout.root.resolve("build/lock.link"), Path.of(Long.toString(gone.pid())));
        assertThat(checkout.run("version").succeeds().out()).hasSize(1);
    }

    @ParameterizedTest(name = "with the lock of {0}")
    @ValueSource(strings = {"flock", "a link"})
    void lock_wait_times_out_with_owner(String lock) {
        choose(lock);
        checkout.mavenDoes("echo waits; read -r _ <>\"$here/gate\"");
        try (Launch first = checkout.start("version")) {
            first.awaitErr("waits");
            Launch.Result result = checkout.with("FUSEBOX_LOCK_WAIT", "0").run("version");
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.errText()).contains("after 0 s", "still holds " + checkout.root + "/build/lock");
        }
    }

    @Test
    void invalid_lock_wait_is_rejected() {
        Launch.Result result = checkout.with("FUSEBOX_LOCK_WAIT", "long").run("version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("FUSEBOX_LOCK_WAIT", "number of seconds", "\"long\"");
    }

    private void choose(String lock) {
        if (lock.equals("a link")) {
            checkout.without("flock");
        } else {
            assumeThat(Files.exists(checkout.folder.resolve("tools/flock"))).isTrue();
        }
    }
}
