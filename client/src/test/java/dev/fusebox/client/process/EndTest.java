package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.client.process.Machine.SOON;
import static dev.fusebox.client.process.Machine.isAlive;
import static dev.fusebox.client.process.Machine.needsPython;
import static dev.fusebox.client.process.Machine.needsSessions;
import static dev.fusebox.client.process.Machine.pids;
import static dev.fusebox.client.process.Machine.python;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Termination of process trees.
@Tag("process")
class EndTest {
    private static final long MILLISECOND = 1_000_000;

    /// A daemon: leaves the session, loses its parents, holds the pipes, and ignores SIGTERM.
    private static final String DAEMON = """
            import os, signal, sys, time
            def daemon(file):
                if os.fork():
                    return
                os.setsid()
                if os.fork():
                    os._exit(0)
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                with open(file, 'a') as f:
                    f.write('%d\\n' % os.getpid())
                time.sleep(1000)
                os._exit(0)
            """;

    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final Recorder received = new Recorder();

    @TempDir
    private Path directory;

    @AfterEach
    void closeChildren() {
        children.close();
    }

    @Test
    void child_that_exits_when_stdin_closes_is_never_signalled() throws InterruptedException {
        ChildProcess child = started(children, sh("cat; exit 7"), received);
        child.send(Machine.bytes("up"));
        eventually("cat runs", () -> assertThat(received.lines).isEqualTo(List.of("up")));
        child.stop();
        ChildExit exit = child.exit(SOON).orElseThrow();
        assertThat(exit.code()).isEqualTo(7);
        assertThat(exit.stopped()).isTrue();
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(children.live()).isEmpty();
    }

    @Test
    void child_that_ignores_the_end_of_stdin_gets_sigterm() throws InterruptedException {
        ChildProcess child = started(children, sh("exec sleep 1000"), received);
        child.stop();
        assertThat(child.exit(SOON).orElseThrow().signal()).isEqualTo("SIGTERM");
    }

    @Test
    void child_that_ignores_sigterm_is_killed_after_1550_ms() throws InterruptedException {
        ChildProcess child = started(children, sh("trap '' TERM; echo up; while :; do sleep 1; done"), received);
        eventually("one line is read", () -> assertThat(received.lines).hasSize(1));
        long start = PLATFORM.ticker().nanos();
        child.stop();
        assertThat(child.exit(SOON).orElseThrow().signal()).isEqualTo("SIGKILL");
        // Ten times that on a busy machine.
        assertThat(PLATFORM.ticker().nanos() - start).isBetween(1_500 * MILLISECOND, 15_500 * MILLISECOND);
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(isAlive(child.pid())).isFalse();
    }

    @Test
    void twenty_children_that_ignore_sigterm_are_killed_in_parallel() throws InterruptedException {
        List<ChildProcess> stubborn = IntStream.range(0, 20)
                .mapToObj(i -> start(sh("trap '' TERM; echo up; while :; do sleep 1; done")))
                .toList();
        eventually("20 lines are read", () -> assertThat(received.lines).hasSize(20));
        long start = PLATFORM.ticker().nanos();
        children.close();
        // In sequence they would take 31 s; 2.5 s are usual.
        assertThat(PLATFORM.ticker().nanos() - start).isLessThan(15_500 * MILLISECOND);
        assertThat(stubborn).noneMatch(child -> isAlive(child.pid()));
        eventually("20 exits are reported", () -> assertThat(received.exits).hasSize(20));
    }

    @Test
    void kill_skips_sigterm() throws InterruptedException {
        assertThat(quickest(stubborn -> {
                    stubborn.kill();
                    assertThat(stubborn.live()).isEmpty();
                }))
                .isLessThan(1_000 * MILLISECOND);
    }

    @Test
    void kill_during_close_skips_sigterm() throws InterruptedException {
        assertThat(quickest(stubborn -> {
                    Thread closing = Thread.startVirtualThread(stubborn::close);
                    stubborn.kill();
                    assertThat(closing.join(SOON)).isTrue();
                }))
                .isLessThan(1_200 * MILLISECOND);
    }

    @FunctionalInterface
    private interface Ending {
        void of(ChildProcesses stubborn) throws InterruptedException;
    }

    /// The shortest of five times that it takes to end a child that ignores SIGTERM, in nanoseconds. The full
    /// sequence takes 1,550 ms every time; a busy machine adds delays now and then.
    private static long quickest(Ending ending) throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            Recorder up = new Recorder();
            try (ChildProcesses stubborn = ChildProcesses.open(PLATFORM)) {
                started(stubborn, sh("trap '' TERM; echo up; while :; do sleep 1; done"), up);
                eventually("one line is read", () -> assertThat(up.lines).hasSize(1));
                long start = PLATFORM.ticker().nanos();
                ending.of(stubborn);
                least = Math.min(least, PLATFORM.ticker().nanos() - start);
            }
        }
        return least;
    }

    @Test
    void grandchildren_in_the_session_end_with_the_child() throws InterruptedException {
        Path file = directory.resolve("pids");
        ChildProcess child = started(children, sh("sleep 1000 & echo $! >>" + file + "; cat"), received);
        eventually(
                "the pid of one process is written",
                () -> assertThat(pids(file)).hasSize(1));
        child.stop();
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(pids(file)).noneMatch(Machine::isAlive);
    }

    @Test
    void daemons_that_left_the_session_end_with_the_child() throws InterruptedException {
        needsPython();
        needsSessions();
        Path file = directory.resolve("pids");
        ChildProcess child = started(children, python(DAEMON + """
                for i in range(3):
                    daemon('%s')
                sys.stdin.read()
                """.formatted(file)), received);
        eventually(
                "the pids of three processes are written",
                () -> assertThat(pids(file)).hasSize(3));
        child.stop();
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(pids(file)).noneMatch(Machine::isAlive);
    }

    @Test
    void daemons_end_when_the_child_exits_by_itself() throws InterruptedException {
        needsPython();
        needsSessions();
        Path file = directory.resolve("pids");
        ChildProcess child = started(children, python(DAEMON + """
                daemon('%s')
                while not os.path.exists('%s') or not os.path.getsize('%s'):
                    time.sleep(0.01)
                print('bye'); sys.stdout.flush()
                """.formatted(file, file, file)), received);
        assertThat(child.exit(SOON).orElseThrow().code()).isEqualTo(0);
        assertThat(received.lines).containsExactly("bye");
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(pids(file)).hasSize(1).noneMatch(Machine::isAlive);
    }

    @Test
    void termination_of_a_wrapper_also_ends_its_server() throws InterruptedException {
        Path file = directory.resolve("pids");
        ChildProcess child = started(children, sh("sh -c 'echo $$ >>" + file + "; cat; sleep 1000'; true"), received);
        eventually(
                "the pid of one process is written",
                () -> assertThat(pids(file)).hasSize(1));
        child.stop();
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(pids(file)).noneMatch(Machine::isAlive);
    }

    @Test
    void exit_is_noticed_while_a_grandchild_holds_the_pipes() throws InterruptedException {
        needsSessions();
        started(children, sh("exit 0"), new Recorder()).exit(SOON);
        var spec = sh("trap '' TERM; sleep 1000 & echo up; read -r line; echo \"$line\"; kill -9 $$");
        ChildProcess child = started(children, spec, received);
        eventually("one line is read", () -> assertThat(received.lines).hasSize(1));
        child.send(Machine.bytes("last"));
        eventually("the child has ended", () -> !isAlive(child.pid()));
        long start = PLATFORM.ticker().nanos();
        ChildExit exit = child.exit(SOON).orElseThrow();
        // Waiting for the end of the pipes would take 1,000 s; 0.1 s are usual.
        assertThat(PLATFORM.ticker().nanos() - start).isLessThan(10_000 * MILLISECOND);
        assertThat(exit.signal()).isEqualTo("SIGKILL");
        assertThat(received.lines).containsExactly("up", "last");
        eventually(
                "the threads of the child have ended",
                () -> assertThat(Machine.childThreads()).isEqualTo(0));
        assertThat(child.awaitGone(SOON)).isTrue();
    }

    @Test
    void stop_is_idempotent() throws InterruptedException {
        ChildProcess child = started(children, ChildSpec.of("cat"), received);
        child.stop();
        child.stop();
        child.kill();
        assertThat(child.awaitGone(SOON)).isTrue();
        child.stop();
        assertThat(child.send(Machine.bytes("late"))).isFalse();
        eventually("the exit is reported", () -> assertThat(received.exits).isNotEmpty());
        assertThat(received.exits).hasSize(1);
    }

    @Test
    void termination_of_one_tree_does_not_affect_another() throws InterruptedException {
        var other = new Recorder();
        ChildProcess neighbour = started(children, ChildSpec.of("cat"), other);
        ChildProcess child = started(children, sh("sleep 1000 & cat"), received);
        child.kill();
        assertThat(child.awaitGone(SOON)).isTrue();
        neighbour.send(Machine.bytes("alive"));
        eventually("the line 'alive' is read", () -> assertThat(other.lines).isEqualTo(List.of("alive")));
    }

    @Test
    void exited_orphans_are_reaped_while_their_server_runs() throws Exception {
        needsSessions();
        Path file = directory.resolve("pids");
        String orphan = "echo $$ >>" + file + "; while [ ! -e " + file + ".end ]; do sleep 0.01; done";
        started(children, sh("(sh -c '" + orphan + "' & ); cat"), received);
        // Only then it is a child of this process.
        eventually(
                "the grandchild is our child",
                () -> pids(file).size() == 1 && Machine.isOurs(pids(file).getFirst()));
        Files.createFile(directory.resolve("pids.end"));
        eventually(
                "the grandchild is not our child any more",
                () -> !Machine.isOurs(pids(file).getFirst()));
        assertThat(received.exits).isEmpty();
    }

    @Test
    void starts_are_rejected_during_close() throws InterruptedException {
        Thread closing = Thread.startVirtualThread(children::close);
        int begun = 0;
        while (children.startResult(sh("cat"), received) instanceof StartResult.Started) {
            begun++;
        }
        assertThat(closing.join(SOON)).isTrue();
        int expected = begun;
        eventually("every exit is reported", () -> assertThat(received.exits).hasSize(expected));
        assertThat(children.live()).isEmpty();
    }

    private ChildProcess start(ChildSpec spec) {
        try {
            return started(children, spec, received);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
