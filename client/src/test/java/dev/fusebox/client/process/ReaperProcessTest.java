package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.PLATFORM;
import static dev.fusebox.client.process.Machine.needsPython;
import static dev.fusebox.client.process.Machine.needsSessions;
import static dev.fusebox.client.process.Machine.pids;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that remain after any kind of end of a gateway. The gateway is a JVM of its own.
@Tag("process")
class ReaperProcessTest {
    /// The requirement is five seconds, on an otherwise idle machine.
    private static final Duration GONE = Duration.ofSeconds(25);

    private static final int SIGTERM = 15;

    /// A server that ignores SIGTERM, with a child and a daemon that left the session. Each writes its process id
    /// into the file, so one server makes three lines.
    private static final String FAMILY = """
            import os, signal, sys, time
            def note():
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                with open('FILE', 'a') as f:
                    f.write('%d\\n' % os.getpid())
            def stay():
                note(); time.sleep(1000); os._exit(0)
            if not os.fork():
                stay()
            if not os.fork():
                os.setsid()
                if not os.fork():
                    stay()
                os._exit(0)
            note()
            while True:
                time.sleep(1000)
            """;

    private final Recorder received = new Recorder();
    private final List<Process> others = new ArrayList<>();
    private final ChildProcesses children = ChildProcesses.open(PLATFORM);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsPythonAndSessions() {
        needsPython();
        needsSessions();
    }

    @AfterEach
    void endAll() {
        children.close();
        others.forEach(Process::destroy);
    }

    @Test
    void no_process_survives_a_killed_gateway_for_five_seconds() throws IOException, InterruptedException {
        Path file = directory.resolve("pids");
        ProcessEntry gateway = gateway("2", file);
        assertThat(PLATFORM.processes().signal(gateway, Signal.KILL)).isTrue();

        long start = PLATFORM.ticker().nanos();
        eventually("the processes have ended", GONE, () -> pids(file).stream().noneMatch(Machine::isAlive));
        System.out.printf(
                "figures: 6 of 6 gone %d ms after SIGKILL of the gateway%n",
                (PLATFORM.ticker().nanos() - start) / 1_000_000);
        eventually("the reaper has exited", () -> assertThat(reapersOf(gateway)).isEmpty());
    }

    @Test
    void gateway_that_gets_sigterm_terminates_all_children() throws IOException, InterruptedException {
        Path file = directory.resolve("pids");
        ProcessEntry gateway = gateway("2", file);
        PLATFORM.processes().signal(gateway, Signal.TERM);
        eventually("the gateway has ended", () -> !Machine.isAlive(gateway.pid()));
        assertThat(pids(file)).noneMatch(Machine::isAlive);
    }

    @Test
    void reaper_does_not_kill_children_of_another_gateway() throws IOException, InterruptedException {
        Path file = directory.resolve("pids");
        Path others = directory.resolve("others");
        ProcessEntry gateway = gateway("1", file);
        gateway("1", others);
        eventually(
                "the pids of three processes of each gateway are written",
                () -> pids(file).size() == 3 && pids(others).size() == 3);

        PLATFORM.processes().signal(gateway, Signal.KILL);
        eventually("the processes have ended", () -> pids(file).stream().noneMatch(Machine::isAlive));
        eventually("the reaper has exited", () -> assertThat(reapersOf(gateway)).isEmpty());
        assertThat(pids(others)).allMatch(Machine::isAlive);
    }

    @Test
    void killed_reaper_is_restarted() throws InterruptedException {
        started(children, ChildSpec.of("cat"), received);
        long first = children.reaperPid();
        assertThat(Machine.isAlive(first)).isTrue();
        PLATFORM.processes().list().stream()
                .filter(it -> it.pid() == first)
                .forEach(it -> PLATFORM.processes().signal(it, Signal.KILL));
        eventually("another reaper is running", () -> children.reaperPid() != first && children.reaperPid() != 0);
        assertThat(Machine.isAlive(children.reaperPid())).isTrue();
    }

    @Test
    void reaper_ignores_sigterm_and_exits_on_close() throws InterruptedException {
        started(children, ChildSpec.of("cat"), received);
        long reaper = children.reaperPid();
        eventually("the reaper has begun to ignore SIGTERM", () -> ignoresSigterm(reaper));
        PLATFORM.processes().list().stream()
                .filter(it -> it.pid() == reaper)
                .forEach(it -> PLATFORM.processes().signal(it, Signal.TERM));
        started(children, ChildSpec.of("cat"), received);
        assertThat(children.reaperPid()).isEqualTo(reaper);
        children.close();
        assertThat(Machine.isAlive(reaper)).isFalse();
    }

    private static boolean ignoresSigterm(long pid) {
        return read("/proc/" + pid + "/status")
                .lines()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> Long.parseUnsignedLong(
                        line.substring("SigIgn:".length()).strip(), 16))
                .anyMatch(ignored -> (ignored >> (SIGTERM - 1) & 1) == 1);
    }

    @Test
    void reaper_finds_tagged_processes_without_grep() throws IOException, InterruptedException {
        Path tools = Files.createDirectory(directory.resolve("bin"));
        Files.copy(where("sleep"), tools.resolve("sleep"));
        Process first = sleeper("1.2.abc.7");
        Process second = sleeper("1.2.abc.8\nwith a second line");
        Process other = sleeper("1.2.abd.7");
        var builder = new ProcessBuilder("/bin/sh", "-c", ReaperProcess.script(), "x", OwnerTag.VARIABLE + "=1.2.abc.");
        builder.environment().put("PATH", tools.toString());
        Process reaper = builder.start();
        reaper.getOutputStream().close();
        eventually("the reaper has exited", GONE, () -> !reaper.isAlive());
        // It does not wait for the exit of the killed processes.
        eventually("both processes have ended", GONE, () -> !first.isAlive() && !second.isAlive());
        assertThat(other.isAlive()).isTrue();
    }

    private Process sleeper(String mark) throws IOException {
        var builder = new ProcessBuilder("sleep", "1000");
        builder.environment().put(OwnerTag.VARIABLE, mark);
        Process sleeper = builder.start();
        others.add(sleeper);
        return sleeper;
    }

    @Test
    void start_without_free_descriptors_is_a_local_shortage_and_recovers() throws InterruptedException {
        var spec = sh("ulimit -n 60; exec " + String.join(" ", java("starve", "40", "cat")));
        started(children, spec, received);
        eventually("the line 'done' is read", () -> assertThat(received.lines).contains("done"));
        assertThat(received.lines.subList(0, 40))
                .contains("STARTED", "OUR_SHORTAGE")
                .containsOnly("STARTED", "OUR_SHORTAGE");
        assertThat(received.lines.get(40)).isEqualTo("STARTED");
    }

    /// A gateway that is not registered in this process, so that only its own reaper ends its children.
    private ProcessEntry gateway(String count, Path file) throws IOException, InterruptedException {
        Path script = directory.resolve(file.getFileName() + ".py");
        Files.writeString(script, FAMILY.replace("FILE", file.toString()));
        var builder = new ProcessBuilder(java("keep", count, "python3", script.toString()));
        builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        Process gateway = builder.start();
        others.add(gateway);
        ProcessEntry entry = PLATFORM.processes().list().stream()
                .filter(it -> it.pid() == gateway.pid())
                .findFirst()
                .orElseThrow();
        int expected = 3 * Integer.parseInt(count);
        eventually(
                "the pids of all processes are written",
                () -> assertThat(pids(file)).hasSize(expected));
        return entry;
    }

    private static List<String> java(String... args) {
        var line = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                path(),
                Gateway.class.getName()));
        line.addAll(List.of(args));
        return line;
    }

    /// The tests run on the module path, the gateway on the class path.
    private static String path() {
        String modules = System.getProperty("jdk.module.path", "");
        String classes = Gateway.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return classes + ":" + classes.replace("test-classes", "classes") + ":" + modules;
    }

    private static Path where(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(it -> Path.of(it, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private static List<Long> reapersOf(ProcessEntry gateway) {
        return PLATFORM.processes().list().stream()
                .filter(it -> !it.zombie())
                .map(ProcessEntry::pid)
                .filter(pid ->
                        commandLine(pid).contains(OwnerTag.VARIABLE + "=" + gateway.pid() + "." + gateway.start()))
                .toList();
    }

    private static String commandLine(long pid) {
        return read("/proc/" + pid + "/cmdline");
    }

    /// Empty for a process that is gone.
    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            return "";
        }
    }
}
