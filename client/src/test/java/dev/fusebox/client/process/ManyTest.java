package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.client.process.Machine.SOON;
import static dev.fusebox.client.process.Machine.bytes;
import static dev.fusebox.client.process.Machine.needsSessions;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Many children, at once and in sequence. `-Dlong` for 1,000 cycles instead of 200.
@Tag("load")
class ManyTest {
    private static final int CYCLES = System.getProperty("long") == null ? 200 : 1000;
    private static final int SERVERS = 300;
    /// The requirement is two seconds; ten times that on a busy machine.
    private static final Duration ECHOED = Duration.ofSeconds(20);

    private static final long MILLISECOND = 1_000_000;
    private static final String TAG = "FUSEBOX_TEST_TAG";

    private final ChildProcesses children = ChildProcesses.open(PLATFORM);

    @AfterEach
    void closeChildren() {
        children.close();
    }

    @Test
    void hundreds_of_children_respond_and_end_in_parallel() throws InterruptedException {
        Map<Integer, Recorder> received = new ConcurrentHashMap<>();
        Map<Integer, ChildProcess> started = new ConcurrentHashMap<>();
        List<Thread> starters = IntStream.range(0, SERVERS)
                .mapToObj(i -> Thread.startVirtualThread(() ->
                        started.put(i, start(children, received.computeIfAbsent(i, it -> new Recorder())))))
                .toList();
        var longestGap = new AtomicLong();
        Thread pulse = Thread.startVirtualThread(() -> beat(longestGap));
        long begin = PLATFORM.ticker().nanos();
        for (Thread starter : starters) {
            assertThat(starter.join(Duration.ofSeconds(60))).isTrue();
        }
        long allStarted = PLATFORM.ticker().nanos();
        started.forEach((i, child) -> assertThat(child.send(bytes("echo " + i))).isTrue());
        eventually(
                "every child has echoed its line",
                ECHOED,
                () -> received.entrySet().stream()
                        .allMatch(it -> it.getValue().lines.equals(List.of("echo " + it.getKey()))));
        long allAnswered = PLATFORM.ticker().nanos();
        assertThat(Machine.childThreads()).isEqualTo(3 * SERVERS);
        long ending = PLATFORM.ticker().nanos();
        children.close();
        System.out.printf(
                "figures: %d children started in %d ms, echoed in %d ms, gone in %d ms; longest pause of a"
                        + " virtual thread %d ms%n",
                SERVERS,
                (allStarted - begin) / MILLISECOND,
                (allAnswered - allStarted) / MILLISECOND,
                (PLATFORM.ticker().nanos() - ending) / MILLISECOND,
                longestGap.get() / MILLISECOND);
        pulse.interrupt();
        assertThat(started.values()).noneMatch(child -> Machine.isAlive(child.pid()));
        eventually(
                "one exit of every child is reported",
                () -> received.values().stream().allMatch(it -> it.exits.size() == 1));
    }

    @Test
    void repeated_starts_and_terminations_leak_nothing() throws InterruptedException {
        needsSessions();
        cycle(children, 20);
        eventually(
                "the threads of the child have ended",
                () -> assertThat(Machine.childThreads()).isEqualTo(0));
        int descriptors = Machine.descriptors();
        cycle(children, CYCLES);
        eventually(
                "the threads of the child have ended",
                () -> assertThat(Machine.childThreads()).isEqualTo(0));
        eventually(
                "no zombie process is left",
                () -> assertThat(Machine.zombiesOfOurs()).isEmpty());
        eventually(
                "the file descriptors are closed again",
                () -> assertThat(Machine.descriptors()).isLessThanOrEqualTo(descriptors));
        assertThat(Machine.carrying(TAG, "cycle")).isEmpty();
        assertThat(children.live()).isEmpty();
    }

    /// Every third is killed, every third leaves a grandchild, every third exits by itself.
    private static void cycle(ChildProcesses children, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            var received = new Recorder();
            String script = i % 3 == 1 ? "sleep 1000 & cat" : i % 3 == 2 ? "exit 0" : "exec cat";
            ChildProcess child = started(children, sh(script).withEnv(Map.of(TAG, "cycle")), received);
            child.send(bytes("x"));
            if (i % 3 == 0) {
                child.stop();
            } else {
                child.kill();
            }
            assertThat(child.awaitGone(SOON)).isTrue();
            eventually("one exit is reported", () -> assertThat(received.exits).hasSize(1));
        }
    }

    private static ChildProcess start(ChildProcesses children, Recorder received) {
        try {
            return started(children, ChildSpec.of("cat"), received);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Wakes every 5 ms and records the longest delay.
    private static void beat(AtomicLong longestGap) {
        long last = PLATFORM.ticker().nanos();
        try {
            while (true) {
                PLATFORM.pause(Duration.ofMillis(5));
                long now = PLATFORM.ticker().nanos();
                longestGap.accumulateAndGet(now - last, Math::max);
                last = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
