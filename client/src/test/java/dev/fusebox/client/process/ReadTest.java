package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.client.process.Machine.SOON;
import static dev.fusebox.client.process.Machine.bytes;
import static dev.fusebox.client.process.Machine.needsPython;
import static dev.fusebox.client.process.Machine.python;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Output of children, and input that they do not read.
@Tag("process")
class ReadTest {
    private static final int KIBIBYTE = 1 << 10;
    private static final int MEBIBYTE = 1 << 20;
    private static final String HELLO = "hello";

    private final ChildProcesses children = ChildProcesses.open(PLATFORM);
    private final Recorder received = new Recorder();

    @AfterEach
    void closeChildren() {
        children.close();
    }

    @Test
    void frame_is_written_and_read_back() throws InterruptedException {
        ChildProcess child = started(children, ChildSpec.of("cat"), received);
        assertThat(child.send(bytes(HELLO))).isTrue();
        eventually("the greeting is read", () -> assertThat(received.lines).isEqualTo(List.of(HELLO)));
    }

    @Test
    void frame_larger_than_the_pipe_buffer_arrives_whole() throws InterruptedException {
        ChildProcess child = started(children, ChildSpec.of("cat"), received);
        String large = "x".repeat(5 * MEBIBYTE);
        assertThat(child.send(bytes(large))).isTrue();
        assertThat(child.send(bytes(HELLO))).isTrue();
        eventually("two lines are read", () -> assertThat(received.lines).hasSize(2));
        assertThat(received.lines.getFirst().equals(large)).isTrue();
        assertThat(received.lines.getLast()).isEqualTo(HELLO);
    }

    @Test
    void frames_of_concurrent_threads_are_not_interleaved() throws InterruptedException {
        ChildProcess child = started(children, ChildSpec.of("cat"), received);
        List<Thread> senders = IntStream.range(0, 8)
                .mapToObj(sender -> Thread.startVirtualThread(() -> {
                    for (int i = 0; i < 200; i++) {
                        child.send(bytes((sender + ":").repeat(1 + i * 20)));
                    }
                }))
                .toList();
        for (Thread sender : senders) {
            assertThat(sender.join(SOON)).isTrue();
        }
        eventually("1600 lines are read", () -> assertThat(received.lines).hasSize(1600));
        assertThat(received.lines).allMatch(line -> line.matches("(?:(\\d:))\\1*+"));
    }

    @Test
    void lines_are_assembled_and_split_at_any_byte() throws InterruptedException {
        needsPython();
        started(children, python("""
                import sys, time
                out = sys.stdout.buffer
                text = ('{"x":"' + '\\u00fc\\u20ac' * 500 + '"}\\n').encode()
                for i in range(len(text)):
                    out.write(text[i:i+1]); out.flush()
                out.write(b'a\\r\\n\\n\\r\\nb\\rc\\nd\\n' + text); out.flush()
                sys.stdin.read()
                """), received);
        String text = "{\"x\":\"" + "ü€".repeat(500) + "\"}";
        eventually("five lines are read", () -> assertThat(received.lines).hasSize(5));
        assertThat(received.lines).containsExactly(text, "a", "b\rc", "d", text);
    }

    @Test
    void slow_line_is_delivered_when_it_is_complete() throws InterruptedException {
        needsPython();
        started(children, python("""
                import sys, time
                for c in 'slow\\n':
                    sys.stdout.write(c); sys.stdout.flush(); time.sleep(0.05)
                sys.stdin.read()
                """), received);
        eventually("the line 'slow' is read", () -> assertThat(received.lines).isEqualTo(List.of("slow")));
    }

    @Test
    void incomplete_line_is_never_delivered() throws InterruptedException {
        ChildProcess child = started(children, sh("printf 'whole\\npart'; cat >/dev/null"), received);
        eventually("one line is read", () -> assertThat(received.lines).hasSize(1));
        child.stop();
        assertThat(child.exit(SOON)).isPresent();
        assertThat(received.lines).containsExactly("whole");
    }

    @Test
    void line_over_the_limit_is_skipped_and_the_next_one_is_delivered() throws InterruptedException {
        needsPython();
        started(children, python("""
                import sys
                for i in range(64):
                    sys.stdout.write('x' * (1 << 20))
                print(); print('next'); sys.stdout.flush(); sys.stdin.read()
                """), received);
        eventually("the line 'next' is read", () -> assertThat(received.lines).isEqualTo(List.of("next")));
        assertThat(received.tooLong).containsExactly(64L * MEBIBYTE);
    }

    @Test
    void child_with_an_endless_line_is_terminated() throws InterruptedException {
        var limits = ChildLimits.defaults().withFrameBytes(KIBIBYTE).withDiscardBytes(4 * MEBIBYTE);
        ChildProcess child = started(children, sh("cat /dev/zero").withLimits(limits), received);
        ChildExit exit = child.exit(SOON).orElseThrow();
        assertThat(exit.cause()).isEqualTo(ChildExit.Cause.ENDLESS_LINE);
        assertThat(received.tooLong).hasSize(1).allMatch(bytes -> bytes > 4 * MEBIBYTE);
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(Machine.isAlive(child.pid())).isFalse();
    }

    @Test
    void child_with_a_slow_endless_line_is_terminated() throws InterruptedException {
        var limits = ChildLimits.defaults().withFrameBytes(16).withDiscardTime(Duration.ofMillis(200));
        ChildProcess child = started(
                children, sh("while :; do printf xxxxx; sleep 0.01; done").withLimits(limits), received);
        assertThat(child.exit(SOON).orElseThrow().cause()).isEqualTo(ChildExit.Cause.ENDLESS_LINE);
        assertThat(child.awaitGone(SOON)).isTrue();
    }

    @Test
    void child_that_closes_stdout_is_terminated() throws InterruptedException {
        ChildProcess child = started(children, sh("echo last; exec >&-; exec sleep 1000"), received);
        ChildExit exit = child.exit(SOON).orElseThrow();
        assertThat(exit.cause()).isEqualTo(ChildExit.Cause.OUTPUT_CLOSED);
        assertThat(exit.code()).isNull();
        assertThat(received.lines).containsExactly("last");
        assertThat(child.awaitGone(SOON)).isTrue();
        assertThat(Machine.isAlive(child.pid())).isFalse();
    }

    @Test
    void child_that_closes_stderr_stays_usable() throws InterruptedException {
        ChildProcess child = started(children, sh("exec 2>&-; exec cat"), received);
        child.send(bytes(HELLO));
        eventually("the greeting is read", () -> assertThat(received.lines).isEqualTo(List.of(HELLO)));
        assertThat(received.exits).isEmpty();
    }

    @Test
    void flood_of_stderr_does_not_block_calls() throws InterruptedException {
        needsPython();
        ChildProcess child = started(children, python("""
                import sys, threading
                def flood():
                    for i in range(256):
                        sys.stderr.buffer.write((b'e' * 63 + b'\\n') * (1 << 14))
                    sys.stderr.buffer.write(b'l' * (10 << 20) + b'\\n')
                    sys.stderr.buffer.write(b'end\\n'); sys.stderr.flush()
                threading.Thread(target=flood).start()
                for line in sys.stdin:
                    sys.stdout.write(line); sys.stdout.flush()
                """), received);
        int asked = 0;
        while (!child.stderrTail(1, 100).equals(List.of("end"))) {
            int before = asked++;
            assertThat(child.send(bytes("ping " + before))).isTrue();
            eventually("one more line is read", () -> assertThat(received.lines).hasSize(before + 1));
        }
        assertThat(child.stderrTail(1 << 20, 1 << 20).toString().length()).isLessThanOrEqualTo(80 * KIBIBYTE);
        assertThat(received.log).hasSizeBetween(50, 1000);
    }

    @Test
    void control_characters_in_stderr_are_escaped() throws InterruptedException {
        ChildProcess child =
                started(children, sh("printf '\\033[31mred\\007\\t\\342\\200\\256x\\377\\n' >&2"), received);
        ChildExit exit = child.exit(SOON).orElseThrow();
        assertThat(exit.stderrTail()).containsExactly("\\x1b[31mred\\x07 \\u202ex\ufffd");
        assertThat(received.log).isEqualTo(exit.stderrTail());
    }

    /// As on a machine on which the stderr thread gets no processor time for a while.
    @Test
    void stderr_that_is_read_late_is_part_of_the_exit() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Recorder late = new Recorder() {
            @Override
            public void log(String line, long dropped) {
                try {
                    assertThat(never.await(400, TimeUnit.MILLISECONDS)).isFalse();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        ChildProcess child = started(children, sh("echo starting >&2; sleep 0.1; echo no licence >&2; exit 3"), late);
        assertThat(child.exit(SOON).orElseThrow().stderrTail()).containsExactly("starting", "no licence");
    }

    /// As on a busy machine, or after a long line.
    @Test
    void output_that_is_read_late_is_delivered_before_the_exit() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Recorder late = new Recorder() {
            @Override
            public void frame(byte[] buffer, int from, int to) {
                try {
                    assertThat(never.await(300, TimeUnit.MILLISECONDS)).isFalse();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                super.frame(buffer, from, to);
            }
        };
        ChildProcess child = started(children, sh("echo one; echo two; exit 3"), late);
        assertThat(child.exit(SOON)).isPresent();
        assertThat(late.lines).containsExactly("one", "two");
    }

    @Test
    void child_that_does_not_read_blocks_no_sender() throws InterruptedException {
        var limits = ChildLimits.defaults().withQueueBytes(MEBIBYTE);
        ChildProcess unread = started(children, sh("exec sleep 1000").withLimits(limits), received);
        var other = new Recorder();
        ChildProcess healthy = started(children, ChildSpec.of("cat"), other);
        long start = PLATFORM.ticker().nanos();
        byte[] frame = new byte[10 * KIBIBYTE];
        int taken = 0;
        while (unread.send(frame)) {
            taken++;
        }
        assertThat(PLATFORM.ticker().nanos() - start).isLessThan(5_000_000_000L);
        assertThat(taken * frame.length).isBetween(MEBIBYTE - frame.length, 2 * MEBIBYTE);
        healthy.send(bytes(HELLO));
        eventually("the greeting is read", () -> assertThat(other.lines).isEqualTo(List.of(HELLO)));
        assertThat(received.exits).isEmpty();
    }

    @Test
    void child_that_does_not_read_for_too_long_is_terminated() throws InterruptedException {
        var limits = ChildLimits.defaults().withStuckWrite(Duration.ofMillis(300));
        ChildProcess unread = started(children, sh("exec sleep 1000").withLimits(limits), received);
        assertThat(unread.send(new byte[MEBIBYTE])).isTrue();
        assertThat(unread.exit(SOON).orElseThrow().cause()).isEqualTo(ChildExit.Cause.STUCK);
        assertThat(unread.awaitGone(SOON)).isTrue();
        assertThat(unread.send(bytes(HELLO))).isFalse();
    }

    @Test
    void child_that_reads_slowly_is_not_stuck() throws InterruptedException {
        needsPython();
        var limits = ChildLimits.defaults().withStuckWrite(Duration.ofSeconds(2));
        // Each read is twenty times as fast as required; all together take longer than the limit.
        ChildProcess slow = started(children, python("""
                import os, sys, time
                print('up'); sys.stdout.flush()
                left = 1 << 20
                while left > 0:
                    left -= len(os.read(0, 1 << 15)); time.sleep(0.1)
                print('all'); sys.stdout.flush(); sys.stdin.read()
                """).withLimits(limits), received);
        eventually("the line 'up' is read", () -> assertThat(received.lines).isEqualTo(List.of("up")));
        assertThat(slow.send(new byte[MEBIBYTE])).isTrue();
        eventually(
                "the lines 'up', 'all' are read",
                () -> assertThat(received.lines).isEqualTo(List.of("up", "all")));
        assertThat(received.exits).isEmpty();
    }

    @Test
    void listener_that_throws_gets_the_next_line() throws InterruptedException {
        var calls = new AtomicInteger();
        var broken = new Recorder() {
            @Override
            public void frame(byte[] buffer, int from, int to) {
                if (calls.incrementAndGet() == 1) {
                    throw new StackOverflowError("bug of the listener");
                }
                super.frame(buffer, from, to);
            }
        };
        ChildProcess child = started(children, ChildSpec.of("cat"), broken);
        child.send(bytes("first"));
        child.send(bytes("second"));
        eventually("the line 'second' is read", () -> assertThat(broken.lines).isEqualTo(List.of("second")));
        assertThat(broken.exits).isEmpty();
    }

    @Test
    void exit_is_reported_although_the_listener_blocks_the_reader() throws InterruptedException {
        var never = new CountDownLatch(1);
        var entered = new CountDownLatch(1);
        var stuck = new Recorder() {
            @Override
            public void frame(byte[] buffer, int from, int to) {
                entered.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        };
        ChildProcess child = started(children, sh("echo one; exec sleep 1000"), stuck);
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
        try {
            child.kill();
            assertThat(child.exit(SOON).orElseThrow().signal()).isEqualTo("SIGKILL");
            eventually("one exit is reported", () -> assertThat(stuck.exits).hasSize(1));
        } finally {
            never.countDown();
        }
    }

    @Test
    void all_output_is_delivered_before_the_exit() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            var recorder = new Recorder();
            ChildProcess child =
                    started(children, sh("i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo $i; done"), recorder);
            assertThat(child.exit(SOON)).isPresent();
            eventually("one exit is reported", () -> assertThat(recorder.exits).hasSize(1));
            assertThat(recorder.lines).hasSize(2000).endsWith("2000");
            assertThat(recorder.afterExit).isEmpty();
            assertThat(recorder.exits.getFirst().cause()).isEqualTo(ChildExit.Cause.ENDED);
        }
    }
}
