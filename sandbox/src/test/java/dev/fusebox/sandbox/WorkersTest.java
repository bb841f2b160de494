package dev.fusebox.sandbox;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.sandbox.ScriptReport.Ended;
import dev.fusebox.sandbox.ScriptReport.Reason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the start and end of workers.
///
/// Takes over five seconds: a script fills 60 MB byte by byte, and workers are JVMs.
@Tag("process")
class WorkersTest {
    @Test
    void no_worker_is_started_before_the_first_script() {
        try (Bench bench = new Bench()) {
            assertThat(bench.workers()).isZero();
        }
    }

    @Test
    void one_worker_is_kept_for_the_next_script() throws InterruptedException {
        try (Bench bench = new Bench()) {
            bench.run("1");
            bench.run("2");
            assertThat(bench.workers()).isEqualTo(1);
        }
    }

    /// A class that is first used at the end of the stack can mostly not be used again.
    @Test
    void endless_recursion_is_reported_by_a_fresh_worker_and_breaks_none() throws InterruptedException {
        try (Bench bench = new Bench()) {
            assertThat(bench.run("function f() { return f() } f()").ended())
                    .isInstanceOfSatisfying(
                            Ended.Threw.class, threw -> assertThat(threw.kind()).isEqualTo("RangeError"));
            assertThat(bench.run("await servers.files.echo({a: 1})").ended()).hasToString("Finished[result={\"a\":1}]");
        }
    }

    @Test
    void idle_worker_ends() throws InterruptedException {
        try (Bench bench = new Bench(SandboxLimits.defaults().withKept(Duration.ofMillis(1)))) {
            bench.run("1");
            eventually("no worker is running", () -> assertThat(bench.workers()).isEqualTo(0));
            assertThat(bench.run("2").ended()).isInstanceOf(Ended.Finished.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2_048, 4_096})
    void small_response_is_accepted_with_any_memory_limit(int memoryMb) throws InterruptedException {
        try (Bench bench = new Bench(SandboxLimits.defaults().withMemoryMb(memoryMb))) {
            ScriptReport report = bench.run("await servers.files.echo({ a: 1 })");
            assertThat(report.ended()).isInstanceOf(Ended.Finished.class);
        }
    }

    @Test
    void cancelled_script_ends_with_its_calls_and_its_worker() throws InterruptedException {
        try (Bench bench = new Bench()) {
            Deadline deadline = Bench.deadline(Bench.LONG);
            Thread canceller = Thread.ofVirtual().start(() -> {
                eventually(
                        "one call is under way",
                        () -> assertThat(bench.underWay.get()).isEqualTo(1));
                deadline.giveUp();
            });
            ScriptReport report = bench.run("await servers.files.hang()", deadline);
            canceller.join();
            assertThat(((Ended.Stopped) report.ended()).reason()).isEqualTo(Reason.CANCELLED);
            eventually(
                    "no worker is running and no call is under way",
                    () -> bench.workers() == 0 && bench.underWay.get() == 0);
        }
    }

    @Test
    void late_response_does_not_reach_the_next_script() throws InterruptedException {
        try (Bench bench = new Bench()) {
            for (int i = 0; i < 20; i++) {
                bench.run("servers.files.hang(); return 1");
                assertThat(bench.run("await servers.files.echo({a: 1})").ended())
                        .hasToString("Finished[result={\"a\":1}]");
            }
            assertThat(bench.workers()).isEqualTo(1);
        }
    }

    @Test
    void script_over_the_limit_of_concurrent_scripts_waits() throws InterruptedException {
        try (Bench bench = new Bench(SandboxLimits.defaults().withRunsAtOnce(1))) {
            Deadline first = Bench.deadline(Bench.LONG);
            Thread busy = Thread.ofVirtual().start(() -> {
                try {
                    bench.run("await servers.files.hang()", first);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
            eventually(
                    "one call is under way",
                    () -> assertThat(bench.underWay.get()).isEqualTo(1));
            ScriptReport late = bench.run("1", Duration.ofMillis(50));
            assertThat(((Ended.Stopped) late.ended()).reason()).isEqualTo(Reason.TIME);
            first.giveUp();
            busy.join();
            assertThat(bench.run("2").ended()).isInstanceOf(Ended.Finished.class);
        }
    }

    /// Starts a script of this client on a thread of its own.
    private static Thread start(Bench bench, String client, List<String> ended, Deadline deadline) {
        return Thread.ofVirtual().start(() -> {
            try {
                ScriptReport report = bench.runFor(client, "await servers.files.hang()", deadline);
                ended.add(client + " " + report.ended());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void script_of_another_client_waits_for_only_one_script_of_a_busy_client() throws Exception {
        try (Bench bench = new Bench(SandboxLimits.defaults().withRunsAtOnce(1))) {
            List<String> ended = new CopyOnWriteArrayList<>();
            List<Thread> threads = new ArrayList<>();
            Deadline first = Bench.deadline(Bench.LONG);
            threads.add(start(bench, "busy", ended, first));
            eventually("one script runs", () -> bench.underWay.get() == 1);
            List<Deadline> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(Bench.deadline(Bench.LONG));
                threads.add(start(bench, "busy", ended, waiting.getLast()));
                int expected = i + 1;
                eventually("it waits", () -> bench.sandbox().waiting() == expected);
            }
            Deadline other = Bench.deadline(Bench.LONG);
            threads.add(start(bench, "other", ended, other));
            eventually("it waits", () -> bench.sandbox().waiting() == 6);

            first.giveUp();
            eventually("the second of the busy client runs", () -> bench.served.size() == 2);
            waiting.getFirst().giveUp();
            eventually("the next runs", () -> bench.served.size() == 3);
            assertThat(bench.served).containsExactly("busy", "busy", "other");
            other.giveUp();
            waiting.forEach(Deadline::giveUp);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void scripts_of_one_client_are_limited_and_others_still_run() throws Exception {
        try (Bench bench = new Bench(SandboxLimits.defaults().withRunsAtOnce(2))) {
            List<String> ended = new CopyOnWriteArrayList<>();
            List<Thread> threads = new ArrayList<>();
            Deadline deadline = Bench.deadline(Bench.LONG);
            for (int i = 0; i < 22; i++) {
                threads.add(start(bench, "busy", ended, deadline));
            }
            eventually("twenty wait", () -> bench.sandbox().waiting() == 20);
            ScriptReport refused = bench.runFor("busy", "1", Bench.deadline(Bench.LONG));
            assertThat(((Ended.Stopped) refused.ended()).reason()).isEqualTo(Reason.BUSY);
            assertThat(((Ended.Stopped) refused.ended()).message()).contains("22 scripts of this client");
            threads.add(start(bench, "other", ended, deadline));
            eventually("another client's waits, too", () -> bench.sandbox().waiting() == 21);
            deadline.giveUp();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(bench.runFor("busy", "1", Bench.deadline(Bench.LONG)).ended())
                    .isInstanceOf(Ended.Finished.class);
        }
    }

    @Test
    void failure_to_start_a_worker_is_reported_with_its_cause() throws InterruptedException {
        try (Bench bench = new Bench();
                Sandbox nowhere = nowhere()) {
            ScriptReport report = nowhere.run("1", bench, Bench.deadline(Bench.LONG));
            assertThat(report.ended()).isInstanceOf(Ended.Stopped.class);
            assertThat(((Ended.Stopped) report.ended()).reason()).isEqualTo(Reason.BUSY);
            assertThat(((Ended.Stopped) report.ended()).message()).contains("worker");
        }
    }

    private static Sandbox nowhere() {
        WorkerProgram none = new WorkerProgram(Path.of("nowhere", "java"), List.of(), null);
        return new Sandbox(Bench.PLATFORM, ChildProcesses.open(Bench.PLATFORM), none, SandboxLimits.defaults());
    }

    @Test
    void script_can_use_its_whole_memory_limit() throws InterruptedException {
        try (Bench bench = new Bench()) {
            String code = "const all = []; for (let i = 0; i < 60; i++) all.push(new Uint8Array(1 << 20).fill(1));"
                    + " all.reduce((sum, a) => sum + a.length, 0) >> 20";
            assertThat(bench.run(code).ended()).hasToString("Finished[result=60]");
        }
    }

    @Test
    void closing_the_sandbox_ends_running_scripts() throws InterruptedException {
        try (Bench bench = new Bench()) {
            Thread closer = Thread.ofVirtual().start(() -> {
                eventually(
                        "one call is under way",
                        () -> assertThat(bench.underWay.get()).isEqualTo(1));
                bench.sandbox().close();
            });
            ScriptReport report = bench.run("await servers.files.hang()");
            closer.join();
            assertThat(report.ended()).isInstanceOf(Ended.Stopped.class);
        }
    }
}
