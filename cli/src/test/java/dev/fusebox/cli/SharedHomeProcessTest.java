package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F70, F73: what gateways keep in the home of their user, who may run several, and may take the right to read it
/// away.
///
/// Over five seconds: some gateways start one after the other.
@Tag("process")
@Timeout(120)
class SharedHomeProcessTest {
    @TempDir
    private Path folder;

    private List<String> home(String... wrapper) {
        List<String> all = new ArrayList<>(List.of(wrapper));
        all.addAll(List.of("env", "FUSEBOX_HOME=" + folder.resolve("home")));
        return all;
    }

    private List<Path> cache() {
        Path cache = folder.resolve("home").resolve("cache");
        if (!Files.isDirectory(cache)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cache)) {
            return files.filter(file -> file.toString().endsWith(".json")).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void concurrent_gateways_share_cache_of_one_home() throws Exception {
        String[] servers = IntStream.range(0, 12).mapToObj(i -> "s" + i).toArray(String[]::new);
        for (int round = 0; round < 2; round++) {
            try (RunningGateway one = RunningGateway.by(home(), folder, servers);
                    RunningGateway two = RunningGateway.by(home(), folder, servers)) {
                Thread listing = Thread.ofVirtual().start(one::tools);
                for (RunningGateway gateway : List.of(one, two)) {
                    eventually(
                            "the tools of all servers are listed",
                            () -> assertThat(gateway.tools()).hasSize(5 * servers.length));
                }
                listing.join();
                eventually(
                        "the catalogs of all servers are cached",
                        () -> assertThat(cache()).hasSize(servers.length));
            }
        }
        int starts = startsOf(servers);
        try (RunningGateway next = RunningGateway.by(home(), folder, servers)) {
            assertThat(next.tools()).hasSize(5 * servers.length);
            assertThat(next.errorText()).doesNotContain("WARN", "ERROR");
        }
        assertThat(startsOf(servers)).as("who is known need not be started").isEqualTo(starts);
    }

    /// As a laptop that is closed does with those that are in it.
    @Test
    void suspended_gateway_is_reported_and_hides_no_other() throws Exception {
        try (RunningGateway stopped = RunningGateway.by(home(), folder, "a");
                RunningGateway well = RunningGateway.by(home(), folder, "a")) {
            stopped.signal("STOP");
            List<String> status = home();
            status.addAll(Launched.command("status"));
            Process asking =
                    new ProcessBuilder(status).redirectErrorStream(true).start();
            String said = new String(asking.getInputStream().readAllBytes(), UTF_8);
            assertThat(asking.waitFor()).as(said).isEqualTo(1);
            assertThat(said)
                    .contains("gateway " + stopped.process().pid() + " is not responding")
                    .contains("gateway " + well.process().pid() + ", ");
        }
    }

    @Test
    void requests_to_suspended_gateway_fail_within_seconds() throws Exception {
        try (RunningGateway stopped = RunningGateway.by(home(), folder, "a")) {
            stopped.signal("STOP");
            List<Process> asking = new ArrayList<>();
            for (List<String> words : List.of(
                    List.of("tools"), List.of("call", "a/echo", "x=1", "--timeout", "1000"), List.of("restart", "a"))) {
                List<String> command = home();
                command.addAll(Launched.command(words.toArray(String[]::new)));
                asking.add(new ProcessBuilder(command).redirectErrorStream(true).start());
            }
            for (Process each : asking) {
                boolean hasEnded = each.waitFor(30, TimeUnit.SECONDS);
                if (!hasEnded) {
                    each.destroyForcibly();
                }
                String said = new String(each.getInputStream().readAllBytes(), UTF_8);
                assertThat(hasEnded).as("has ended within 30 s: " + said).isTrue();
                assertThat(said).contains("gateway " + stopped.process().pid() + " is not responding");
            }
        }
    }

    private int startsOf(String... servers) throws IOException {
        int starts = 0;
        for (String server : servers) {
            starts += Files.readAllLines(folder.resolve(server + ".starts")).size();
        }
        return starts;
    }

    @Test
    void unreadable_cache_is_reported_once_and_rewritten() throws Exception {
        try (RunningGateway gateway = RunningGateway.by(home(), folder, "a")) {
            eventually("5 tools are listed", () -> assertThat(gateway.tools()).hasSize(5));
            eventually("one catalog is cached", () -> assertThat(cache()).hasSize(1));
        }
        Path file = cache().getFirst();
        Files.setPosixFilePermissions(file, Set.of());
        try (RunningGateway gateway = RunningGateway.by(home(unprivileged()), folder, "a")) {
            eventually("5 tools are listed", () -> assertThat(gateway.tools()).hasSize(5));
            eventually(
                    "the file is private again", () -> assertThat(rights(file)).isEqualTo("rw-------"));
            assertThat(gateway.call("a", "who")).startsWith("1 ");
            assertThat(gateway.errorText().lines().filter(line -> line.contains("WARN")))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("cache");
        }
    }

    private static String rights(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// For the first user, who may read everything by two rights that can be taken away.
    private static String[] unprivileged() throws IOException {
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            return new String[0];
        }
        String[] without = {"setpriv", "--bounding-set=-dac_override,-dac_read_search"};
        List<String> tried = new ArrayList<>(List.of(without));
        tried.add("true");
        assumeTrue(Tried.succeeds(tried), "skipped: setpriv does not work here");
        return without;
    }
}
