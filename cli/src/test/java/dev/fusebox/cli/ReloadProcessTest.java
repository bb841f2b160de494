package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changing the configuration of a gateway that runs, as a process of its own with servers that are processes,
/// too.
@Tag("process")
@Timeout(120)
class ReloadProcessTest {
    private static final Platform PLATFORM = Platform.system();

    @TempDir
    private Path folder;

    @BeforeEach
    void begin() {
        assumeTrue(PLATFORM.processes().keepsSessions(), "skipped: this machine shows no sessions of processes");
    }

    @Test
    void reload_changes_only_changed_servers() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b", "c")) {
            String a = gateway.call("a", "who");
            String b = gateway.call("b", "who");
            String c = gateway.call("c", "who");
            eventually("15 tools are listed", () -> assertThat(gateway.tools()).hasSize(15));
            FutureTask<String> slow = gateway.calling("b", "slow");
            eventually(
                    "server b has begun slow",
                    () -> assertThat(gateway.sign("b", "slow")).exists());

            gateway.server("b", "2").server("d", "1").without("c").save();

            long begun = PLATFORM.ticker().nanos();
            gateway.eventuallySays("added d; changed b; removed c");
            System.out.printf(
                    "figures: a changed file was applied after %d ms%n",
                    Duration.ofNanos(PLATFORM.ticker().nanos() - begun).toMillis());
            assertThat(gateway.call("b", "who")).startsWith("2 ");
            assertThat(slow.get(60, TimeUnit.SECONDS)).isEqualTo(b);
            assertThat(gateway.call("c", "who")).isEqualTo("unknown_server");
            assertThat(gateway.call("d", "who")).startsWith("1 ");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.tools()).contains("a__who", "b__who", "d__who").noneMatch(name -> name.startsWith("c_"));
            eventually(
                    "the removed server has ended",
                    () -> gateway.children().stream().noneMatch(pid -> c.endsWith(" " + pid)));
            eventually(
                    "three server processes are running",
                    () -> assertThat(gateway.children()).hasSize(3));
        }
    }

    @Test
    void invalid_file_changes_nothing_and_is_reported_once() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            String good = gateway.text();
            gateway.save(good.replace("}},\n\"b\"", "}}\n\"b\""));
            gateway.eventuallySays("configuration rejected");
            assertThat(gateway.errorText()).containsPattern("config\\.json:3:1: the configuration is not JSON");
            gateway.server("b", "2").save(gateway.text().replace("\"VERSION\":\"2\"", "\"VERSION\":2"));
            gateway.eventuallySays("/mcpServers/b/env");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.call("b", "who")).startsWith("1 ");
            assertThat(gateway.errorText().split("configuration rejected", -1)).hasSize(3);
            gateway.save();
            eventually(
                    "version 2 of server b answers",
                    () -> assertThat(gateway.call("b", "who")).startsWith("2 "));
            assertThat(gateway.call("a", "who")).isEqualTo(a);
        }
    }

    /// F78
    @Test
    void equivalent_change_restarts_nothing() throws Exception {
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
                throughout("the same processes answer", Duration.ofMillis(500), () -> {
                    assertThat(gateway.call("a", "who")).isEqualTo(a);
                    assertThat(gateway.call("b", "who")).isEqualTo(b);
                });
            }
            gateway.server("c", "1").save();
            gateway.eventuallySays("configuration applied: added c");
            assertThat(gateway.errorText()).doesNotContain("changed a", "changed b", "configuration rejected");
            assertThat(gateway.starts("a")).hasSize(1);
            assertThat(gateway.starts("b")).hasSize(1);
        }
    }

    @Test
    void timeout_change_restarts_nothing() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            gateway.within(Duration.ofSeconds(7)).server("a", "1").save();
            gateway.eventuallySays("configuration applied: new settings for a");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.starts("a")).hasSize(1);
            assertThat(gateway.errorText()).doesNotContain("bug");
        }
    }

    @Test
    void repeated_error_after_valid_file_is_reported_again() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            String good = gateway.text();
            String wrong = good.replace("{\n\"a\"", "{\n\"a");
            for (int times = 1; times <= 2; times++) {
                int wanted = times + 1;
                gateway.save(wrong);
                eventually(
                        "every wrong file is reported",
                        () -> assertThat(gateway.errorText().split("configuration rejected", -1).length)
                                .isEqualTo(wanted));
                String next = "b" + times;
                gateway.server(next, "1").save();
                gateway.eventuallySays("added " + next);
            }
        }
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /// The breaker that a crash has opened is not forgotten because calls may take longer.
    @Test
    void timeout_change_keeps_breaker() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            gateway.with(",\"http\":{\"port\":0},\"breaker\":{\"failureThreshold\":1,\"cooldownMs\":600000}")
                    .save();
            gateway.eventuallySays("configuration applied: ");
            // A crash opens the breaker if a call was sent before the gateway noticed it.
            eventually("a call to server a ends with breaker_open", () -> {
                String answer = gateway.call("a", "who");
                if (answer.startsWith("1 ")) {
                    kill(Long.parseLong(answer.substring(2)));
                }
                assertThat(answer).isEqualTo("breaker_open");
            });
            gateway.within(Duration.ofSeconds(50)).server("a", "1").save();
            gateway.eventuallySays("new settings for a");
            assertThat(gateway.call("a", "who")).isEqualTo("breaker_open");
        }
    }

    @Test
    void sighup_reloads_file() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            String a = gateway.call("a", "who");
            gateway.signal("HUP");
            gateway.eventuallySays("rereading the configuration");
            gateway.server("b", "1").save();
            gateway.signal("HUP");
            gateway.eventuallySays("added b");
            gateway.signal("HUP");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.call("b", "who")).startsWith("1 ");
            assertThat(gateway.process().isAlive()).isTrue();
        }
    }

    /// `nohup` starts a program like that.
    @Test
    void ignored_sighup_is_reported_once_and_file_is_watched() throws Exception {
        List<String> nohup = List.of("sh", "-c", "trap '' HUP; exec \"$@\"", "sh");
        try (RunningGateway gateway = RunningGateway.withSignalsOf(nohup, folder, "a")) {
            String a = gateway.call("a", "who");
            gateway.eventuallySays("reload by SIGHUP is not available");
            gateway.signal("HUP");
            gateway.server("b", "1").save();
            gateway.eventuallySays("added b");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.errorText()).containsOnlyOnce("SIGHUP").doesNotContain("is read again");
        }
    }

    @Test
    void handled_sighup_is_not_reported() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            gateway.call("a", "who");
            assertThat(gateway.errorText()).doesNotContain("SIGHUP");
        }
    }

    @Test
    void startup_only_settings_are_reported() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            String a = gateway.call("a", "who");
            gateway.with(",\"http\":{\"port\":1,\"maxSessions\":7}").save();
            gateway.eventuallySays("after a restart http.port, http.maxSessions");
            assertThat(gateway.call("a", "who")).isEqualTo(a);
        }
    }

    @Test
    void log_level_changes_at_once() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a")) {
            gateway.with(",\"http\":{\"port\":0},\"telemetry\":{\"logLevel\":\"error\"}")
                    .save();
            gateway.call("a", "who");
            gateway.server("b", "1").save();
            eventually(
                    "version 1 of server b answers",
                    () -> assertThat(gateway.call("b", "who")).startsWith("1 "));
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
    void last_of_many_changes_wins() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            gateway.call("b", "who");
            gateway.server("b", "0").save();
            eventually(
                    "version 0 of server b answers",
                    () -> assertThat(gateway.call("b", "who")).startsWith("0 "));
            eventually(
                    "two server processes are running",
                    () -> assertThat(gateway.children()).hasSize(2));
            long files = count(gateway, "fd");
            for (int i = 1; i <= 400; i++) {
                gateway.server("b", "" + i).save();
                // Also paces the storm: a call takes some milliseconds.
                assertThat(gateway.call("a", "who")).isEqualTo(a);
            }
            eventually(
                    "version 400 of server b answers",
                    () -> assertThat(gateway.call("b", "who")).startsWith("400 "));
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            eventually(
                    "two server processes are running",
                    () -> assertThat(gateway.children()).hasSize(2));
            eventually(
                    "the files are closed again",
                    () -> assertThat(count(gateway, "fd")).isLessThanOrEqualTo(files + 2));
            // Seconds of it, and no slower than the machine: one for each 1.2 s, and the last.
            assertThat(gateway.starts("b")).hasSizeLessThan(200);
        }
    }

    @Test
    void unchanged_servers_keep_processes_across_reloads() throws Exception {
        try (RunningGateway gateway = RunningGateway.before(folder, "a", "b")) {
            String a = gateway.call("a", "who");
            for (int i = 0; i < 3; i++) {
                gateway.without("b").save();
                eventually(
                        "a call to server b ends with unknown_server",
                        () -> assertThat(gateway.call("b", "who")).isEqualTo("unknown_server"));
                gateway.server("b", "" + i).save();
                String version = i + " ";
                eventually(
                        "the new version of server b answers",
                        () -> assertThat(gateway.call("b", "who")).startsWith(version));
            }
            assertThat(gateway.call("a", "who")).isEqualTo(a);
            assertThat(gateway.starts("a")).isEqualTo(List.of("1"));
        }
    }
}
