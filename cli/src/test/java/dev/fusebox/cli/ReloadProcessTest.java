package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changing the configuration of a gateway that runs, as a process of its own with servers that are processes,
/// too.
@Timeout(120)
class ReloadProcessTest {
    private static final World WORLD = World.system();

    @TempDir
    private Path folder;

    @BeforeEach
    void begin() {
        assumeTrue(WORLD.processes().keepsSessions(), "skipped: this machine shows no sessions of processes");
    }

    private static boolean isSoon(BooleanSupplier what) {
        return Configured.isSoon(what);
    }

    @Test
    void only_what_was_changed_changes() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b", "c")) {
            String a = gateway.call("a", "who");
            String b = gateway.call("b", "who");
            String c = gateway.call("c", "who");
            assertThat(isSoon(() -> gateway.tools().size() == 15)).isTrue();
            FutureTask<String> slow = gateway.calling("b", "slow");
            assertThat(isSoon(() -> Files.exists(gateway.sign("b", "slow")))).isTrue();

            gateway.server("b", "2").server("d", "1").without("c").save();

            long begun = WORLD.ticker().nanos();
            assertThat(gateway.isSaid("added d; changed b; removed c")).isTrue();
            System.out.printf(
                    "figures: a changed file was applied after %d ms%n",
                    Duration.ofNanos(WORLD.ticker().nanos() - begun).toMillis());
            assertThat(gateway.call("b", "who")).startsWith("2 ");
            assertThat(slow.get(60, TimeUnit.SECONDS)).isEqualTo(b);
            assertThat(gateway.call("c", "who")).isEqualTo("unknown_server");
            assertThat(gateway.call("d", "who")).startsWith("1 ");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.tools()).contains("a__who", "b__who", "d__who").noneMatch(name -> name.startsWith("c_"));
            assertThat(isSoon(() -> gateway.children().stream().noneMatch(pid -> c.endsWith(" " + pid))))
                    .isTrue();
            assertThat(isSoon(() -> gateway.children().size() == 3)).isTrue();
        }
    }

    @Test
    void a_file_that_is_wrong_changes_nothing_and_is_told_once_with_its_place() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            String good = gateway.text();
            gateway.save(good.replace("}},\n\"b\"", "}}\n\"b\""));
            assertThat(gateway.isSaid("is not applied")).isTrue();
            assertThat(gateway.errorText()).containsPattern("config\\.json:3:1: the configuration is not JSON");
            gateway.server("b", "2").save(gateway.text().replace("\"VERSION\":\"2\"", "\"VERSION\":2"));
            assertThat(gateway.isSaid("/mcpServers/b/env")).isTrue();
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.call("b", "who")).startsWith("1 ");
            assertThat(gateway.errorText().split("is not applied", -1)).hasSize(3);
            gateway.save();
            assertThat(isSoon(() -> gateway.call("b", "who").startsWith("2 "))).isTrue();
            assertThat(gateway.call("a", "who")).isEqualTo(a);
        }
    }

    /// F78
    @Test
    void what_means_the_same_restarts_nothing() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            String b = gateway.call("b", "who");
            String text = gateway.text();
            String turned = gateway.without("a").server("a", "1").text();
            assertThat(turned).isNotEqualTo(text);
            for (String same : List.of(
                    turned,
                    text.replace(",", " ,\n\t"),
                    text.replace("\"era\":\"legacy\",", "")
                            .replace("\"timeoutMs\"", "\"era\":\"legacy\",\"timeoutMs\""),
                    text.replace("\n", "\r\n"))) {
                gateway.save(same);
                gateway.signal("HUP");
                Configured.rest(Duration.ofMillis(500));
                assertThat(gateway.call("a", "who")).isEqualTo(a);
                assertThat(gateway.call("b", "who")).isEqualTo(b);
            }
            gateway.server("c", "1").save();
            assertThat(gateway.isSaid("is applied: added c")).isTrue();
            assertThat(gateway.errorText()).doesNotContain("changed a", "changed b", "is not applied");
            assertThat(gateway.starts("a")).hasSize(1);
            assertThat(gateway.starts("b")).hasSize(1);
        }
    }

    @Test
    void a_file_that_is_wrong_again_after_a_good_one_is_told_again() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            String good = gateway.text();
            String wrong = good.replace("{\n\"a\"", "{\n\"a");
            for (int times = 1; times <= 2; times++) {
                int wanted = times + 1;
                gateway.save(wrong);
                assertThat(isSoon(() -> gateway.errorText().split("is not applied", -1).length == wanted))
                        .isTrue();
                String next = "b" + times;
                gateway.server(next, "1").save();
                assertThat(gateway.isSaid("added " + next)).isTrue();
            }
        }
    }

    /// The breaker that a crash has opened is not forgotten because calls may take longer.
    @Test
    void another_time_for_calls_keeps_the_breaker() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            gateway.with(",\"http\":{\"port\":0},\"breaker\":{\"failureThreshold\":1,\"cooldownMs\":600000}")
                    .save();
            assertThat(gateway.isSaid("is applied: ")).isTrue();
            String a = gateway.call("a", "who");
            ProcessHandle.of(Long.parseLong(a.substring(2))).orElseThrow().destroyForcibly();
            assertThat(isSoon(() -> gateway.call("a", "who").equals("breaker_open")))
                    .isTrue();
            gateway.within(Duration.ofSeconds(50)).server("a", "1").save();
            assertThat(gateway.isSaid("other rules for a")).isTrue();
            assertThat(gateway.call("a", "who")).isEqualTo("breaker_open");
        }
    }

    @Test
    void a_hangup_reads_the_file_again_and_ends_nothing() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            String a = gateway.call("a", "who");
            gateway.signal("HUP");
            assertThat(gateway.isSaid("is read again")).isTrue();
            gateway.server("b", "1").save();
            gateway.signal("HUP");
            assertThat(gateway.isSaid("added b")).isTrue();
            gateway.signal("HUP");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.call("b", "who")).startsWith("1 ");
            assertThat(gateway.process().isAlive()).isTrue();
        }
    }

    @Test
    void what_only_the_start_can_change_is_named() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            String a = gateway.call("a", "who");
            gateway.with(",\"http\":{\"port\":1,\"maxSessions\":7}").save();
            assertThat(gateway.isSaid("only at the next start http.port, http.maxSessions"))
                    .isTrue();
            assertThat(gateway.call("a", "who")).isEqualTo(a);
        }
    }

    @Test
    void the_log_level_changes_at_once() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            gateway.with(",\"http\":{\"port\":0},\"telemetry\":{\"logLevel\":\"error\"}")
                    .save();
            gateway.call("a", "who");
            gateway.server("b", "1").save();
            assertThat(isSoon(() -> gateway.call("b", "who").startsWith("1 "))).isTrue();
            assertThat(gateway.errorText()).doesNotContain("added b");
        }
    }

    private static long count(RunningGateway gateway, String what) {
        try (Stream<Path> entries =
                Files.list(Path.of("/proc", "" + gateway.process().pid(), what))) {
            return entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void of_a_storm_of_changes_the_last_wins_and_nothing_is_left_over() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            gateway.call("b", "who");
            gateway.server("b", "0").save();
            assertThat(isSoon(() -> gateway.call("b", "who").startsWith("0 "))).isTrue();
            assertThat(isSoon(() -> gateway.children().size() == 2)).isTrue();
            long files = count(gateway, "fd");
            for (int i = 1; i <= 400; i++) {
                gateway.server("b", "" + i).save();
                Configured.rest(Duration.ofMillis(10));
            }
            assertThat(isSoon(() -> gateway.call("b", "who").startsWith("400 ")))
                    .isTrue();
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(isSoon(() -> gateway.children().size() == 2)).isTrue();
            assertThat(isSoon(() -> count(gateway, "fd") <= files + 2))
                    .as("%d open files, before %d", count(gateway, "fd"), files)
                    .isTrue();
            // Four seconds of it, and no slower than the machine: one for each 1.2 s, and the last.
            assertThat(gateway.starts("b")).hasSizeLessThan(200);
        }
    }

    @Test
    void servers_that_were_not_touched_keep_their_processes_when_others_go_and_come_back() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            for (int i = 0; i < 3; i++) {
                gateway.without("b").save();
                assertThat(isSoon(() -> gateway.call("b", "who").equals("unknown_server")))
                        .isTrue();
                gateway.server("b", "" + i).save();
                String version = i + " ";
                assertThat(isSoon(() -> gateway.call("b", "who").startsWith(version)))
                        .isTrue();
            }
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.starts("a")).isEqualTo(List.of("1"));
        }
    }
}
