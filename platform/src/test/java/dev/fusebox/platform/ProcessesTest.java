package dev.fusebox.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of real processes with both implementations of [Processes].
@Tag("process")
class ProcessesTest {
    private static final long SECONDS = 20;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @TempDir
    private Path folder;

    static Stream<Processes> ways() {
        Processes portable = new PortableProcesses();
        return LinuxProcesses.works() ? Stream.of(portable, new LinuxProcesses()) : Stream.of(portable);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void input_is_echoed_and_the_exit_code_is_reported(Processes processes) throws Exception {
        SpawnedProcess process = running(processes, "cat; echo oops >&2; exit 3");
        var out = soon(() -> readAll(process, true));
        var err = soon(() -> readAll(process, false));
        write(process, "a line of text\n".repeat(20_000));
        process.closeIn();
        assertThat(out.get(SECONDS, TimeUnit.SECONDS)).isEqualTo("a line of text\n".repeat(20_000));
        assertThat(err.get(SECONDS, TimeUnit.SECONDS)).isEqualTo("oops\n");
        awaitEnd(process);
        assertThat(process.ended()).isEqualTo(new SpawnedProcess.Ended(3, 0));
        close(process);
    }

    /// The nice value of the calling thread, as the kernel reports it.
    private static final long COMPUTED_NANOS = 100_000_000;

    private static String niceness() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16];
    }

    @Test
    void priority_is_lowered_for_one_thread_only() throws Exception {
        assumeTrue(LinuxProcesses.works(), "skipped: only Linux has a priority for each thread");
        String before = niceness();
        CompletableFuture<String> modest = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            boolean isLowered = Processes.system().lowerPriority(3);
            try {
                modest.complete(isLowered + " " + niceness());
            } catch (IOException unreadable) {
                modest.completeExceptionally(unreadable);
            }
        });
        assertThat(modest.get(SECONDS, TimeUnit.SECONDS))
                .isEqualTo("true " + Math.min(19, Integer.parseInt(before) + 3));
        thread.join();
        assertThat(niceness()).isEqualTo(before);
    }

    @Test
    void processor_time_is_that_of_the_calling_thread() throws Exception {
        assumeTrue(LinuxProcesses.works(), "skipped: only Linux has the processor time of a thread");
        long before = Processes.system().processorNanos();
        assertThat(before).isPositive();
        Thread other = Thread.ofPlatform().start(ProcessesTest::compute);
        other.join();
        assertThat(Processes.system().processorNanos() - before).isLessThan(COMPUTED_NANOS);
        compute();
        assertThat(Processes.system().processorNanos() - before).isGreaterThanOrEqualTo(COMPUTED_NANOS);
    }

    private static void compute() {
        long begun = Processes.system().processorNanos();
        long computed = 0;
        while (computed < COMPUTED_NANOS) {
            computed = Processes.system().processorNanos() - begun;
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void signal_that_ended_a_process_is_reported(Processes processes) throws Exception {
        SpawnedProcess process = running(processes, "exec sleep 1000");
        assertThat(process.ended()).isNull();
        process.signal(Signal.TERM);
        awaitEnd(process);
        assertThat(process.ended()).isEqualTo(new SpawnedProcess.Ended(143, 15));
        close(process);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void reading_ends_with_the_process_although_a_child_holds_the_pipe(Processes processes) throws Exception {
        SpawnedProcess process = running(processes, "sleep 60 & echo last; exit 0");
        var out = soon(() -> readAll(process, true));
        var err = soon(() -> readAll(process, false));
        assertThat(out.get(SECONDS, TimeUnit.SECONDS)).isEqualTo("last\n");
        assertThat(err.get(SECONDS, TimeUnit.SECONDS)).isEmpty();
        process.signalGroup(Signal.KILL);
        close(process);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void writing_never_blocks_and_waiting_for_room_times_out(Processes processes) throws Exception {
        SpawnedProcess process = running(processes, "exec sleep 1000");
        byte[] bytes = new byte[1 << 20];
        int taken = 0;
        for (int count = 1; count > 0; count = process.tryWrite(bytes, 0, bytes.length)) {
            taken += count;
            process.await(true, SECOND / 10);
        }
        assertThat(taken).isLessThan(1 << 20);
        long start = System.nanoTime();
        assertThat(process.await(true, SECOND / 5)).isFalse();
        assertThat(System.nanoTime() - start).isBetween(SECOND / 6, 10 * SECOND);
        process.signal(Signal.KILL);
        awaitEnd(process);
        close(process);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void wake_up_ends_a_wait(Processes processes) throws Exception {
        SpawnedProcess process = running(processes, "exec sleep 1000");
        var woken = soon(() -> {
            process.wake();
            return true;
        });
        assertThat(process.await(false, Long.MAX_VALUE)).isFalse();
        assertThat(woken.get(SECONDS, TimeUnit.SECONDS)).isTrue();
        process.signal(Signal.KILL);
        awaitEnd(process);
        close(process);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void cause_of_a_failed_launch_is_reported(Processes processes) throws IOException {
        Path file = Files.writeString(folder.resolve("plain"), "text");
        assertThat(cause(processes, "no-such-command", null)).isEqualTo(LaunchResult.Cause.NOT_FOUND);
        assertThat(cause(processes, file.toString(), null)).isEqualTo(LaunchResult.Cause.NOT_EXECUTABLE);
        assertThat(cause(processes, "cat", "/no/such/directory")).isEqualTo(LaunchResult.Cause.BAD_DIRECTORY);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void listed_process_is_signalled_only_if_its_start_time_matches(Processes processes) throws Exception {
        SpawnedProcess process = running(processes, "exec sleep 1000");
        ProcessEntry entry = processes.list().stream()
                .filter(it -> it.pid() == process.pid())
                .findFirst()
                .orElseThrow();
        assertThat(entry.parent()).isEqualTo(processes.self().pid());
        var reused = new ProcessEntry(entry.pid(), entry.parent(), 0, 0, entry.start() - 1, false);
        assertThat(processes.signal(reused, Signal.KILL)).isFalse();
        assertThat(process.ended()).isNull();
        assertThat(processes.signal(entry, Signal.KILL)).isTrue();
        awaitEnd(process);
        close(process);
    }

    @Test
    void process_name_may_contain_any_characters() {
        String rest = "S 7 8 9" + " 1".repeat(15) + " 4711 0 0";
        assertThat(ProcFs.parse(3, "3 (a) b (c) " + rest)).isEqualTo(new ProcessEntry(3, 7, 8, 9, 4711, false));
        assertThat(ProcFs.parse(3, "3 (cut) S 7")).isNull();
    }

    @Test
    void environment_variable_of_a_process_can_be_read() throws Exception {
        assumeTrue(LinuxProcesses.works(), "skipped: only Linux shows the variables of processes");
        var processes = new LinuxProcesses();
        // A process that becomes another program has no variables for a moment.
        SpawnedProcess process = running(processes, "sleep 1000; true");
        ProcessEntry entry = processes.list().stream()
                .filter(it -> it.pid() == process.pid())
                .findFirst()
                .orElseThrow();
        assertThat(processes.variable(entry, "SHORT")).isEqualTo("s");
        assertThat(processes.variable(entry, "SHORTER")).isNull();
        process.signalGroup(Signal.KILL);
        awaitEnd(process);
        close(process);
        assertThat(processes.variable(entry, "SHORT")).isNull();
    }

    @Test
    void platform_without_processes_starts_none() {
        assertThat(Processes.none().launch(program("cat", null))).isInstanceOf(LaunchResult.Failed.class);
        assertThat(Processes.none().list()).isEmpty();
    }

    private static Program program(String command, @Nullable String directory) {
        return new Program(command, List.of(), Map.of("PATH", "/usr/bin:/bin"), directory);
    }

    private static LaunchResult.Cause cause(Processes processes, String command, @Nullable String directory) {
        return ((LaunchResult.Failed) processes.launch(program(command, directory))).cause();
    }

    private static SpawnedProcess running(Processes processes, String script) {
        var variables = Map.of("PATH", "/usr/bin:/bin", "LONGER", "l", "SHORT", "s");
        LaunchResult launchResult = processes.launch(new Program("/bin/sh", List.of("-c", script), variables, null));
        assertThat(launchResult).isInstanceOf(LaunchResult.Running.class);
        return ((LaunchResult.Running) launchResult).process();
    }

    private static <T> CompletableFuture<T> soon(Supplier<T> work) {
        var result = new CompletableFuture<T>();
        Thread.ofPlatform().daemon().start(() -> result.complete(work.get()));
        return result;
    }

    private static String readAll(SpawnedProcess process, boolean output) {
        var all = new ByteArrayOutputStream();
        byte[] bytes = new byte[1000];
        int count = 0;
        while (count >= 0) {
            all.write(bytes, 0, count);
            count = output ? process.readOut(bytes) : process.readErr(bytes);
        }
        if (output) {
            process.closeOut();
        } else {
            process.closeErr();
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private static void write(SpawnedProcess process, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at < bytes.length) {
            int count = process.tryWrite(bytes, at, bytes.length);
            assertThat(count).isNotNegative();
            at += count;
            process.await(true, SECOND);
        }
    }

    private static void awaitEnd(SpawnedProcess process) {
        long start = System.nanoTime();
        while (!process.await(false, SECOND)) {
            assertThat(System.nanoTime() - start).isLessThan(SECONDS * SECOND);
        }
    }

    private static void close(SpawnedProcess process) {
        process.closeIn();
        process.closeOut();
        process.closeErr();
        process.closeWatch();
        process.reap();
    }
}
