package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a gateway as a process of its own says of its start, and what of its log is there when it has ended.
@Tag("process")
@Timeout(180)
class LogArchiveProcessTest {
    private static final Pattern STARTED = Pattern.compile("INFO gateway started: transport=(\\S+) address=(\\S+)"
            + " servers=2 config=(\\S+) version=(\\S+) pid=(\\d+)( startMs=\\d+)?\n");
    private static final String HELLO = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}\n";

    @TempDir
    private Path folder;

    private Path config;
    private @Nullable Process gateway;

    @BeforeEach
    void begin() throws IOException {
        config = Files.writeString(
                folder.resolve("config.json"),
                "{\"mcpServers\":{\"a\":{\"command\":\"sleep\"},\"b\":{\"command\":\"sleep\"}},\"http\":{\"port\":0}}");
    }

    @AfterEach
    void end() {
        if (gateway != null) {
            gateway.destroyForcibly().onExit().join();
        }
    }

    private Path home() {
        return folder.resolve("home");
    }

    private Process start(String transport) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(Launched.command("serve", "--config", config.toString(), "--transport", transport));
        builder.environment().put("FUSEBOX_HOME", home().toString());
        Process started = builder.redirectError(folder.resolve("err").toFile()).start();
        gateway = started;
        return started;
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("err"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Matcher started() {
        eventually("the log shows the start", () -> assertThat(errors()).containsPattern(STARTED));
        Matcher line = STARTED.matcher(errors());
        assertThat(line.find()).isTrue();
        return line;
    }

    private static void greet(Process process) throws IOException {
        process.getOutputStream().write(HELLO.getBytes(UTF_8));
        process.getOutputStream().flush();
        BufferedReader answers = process.inputReader(UTF_8);
        assertThat(answers.readLine()).startsWith("{").contains("protocolVersion");
    }

    private String logs(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, UTF_8);
        Platform platform = Platform.system().withEnvironment(Map.of("FUSEBOX_HOME", home().toString()));
        new LogsCommand(platform).run(List.of(words), new CommandOutput(printed, printed, false));
        return out.toString(UTF_8);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(home().resolve("log"))) {
            return files.toList();
        }
    }

    @Test
    void stdio_gateway_logs_start_and_keeps_log_after_kill() throws Exception {
        Process process = start("stdio");
        greet(process);
        Matcher line = started();
        assertThat(line.group(1)).isEqualTo("stdio");
        assertThat(line.group(3)).isEqualTo(config.toString());
        assertThat(line.group(5)).isEqualTo(Long.toString(process.pid()));
        assertThat(errors().lines().filter(each -> each.contains(" INFO "))).hasSize(1);
        eventually(
                "the line is kept",
                () -> assertThat(logs("--gateway", "" + process.pid())).contains("gateway started: transport=stdio"));
        process.destroyForcibly().onExit().join();
        assertThat(logs()).contains("showing the log of gateway " + process.pid(), "gateway started: transport=stdio");
        assertThat(files()).hasSize(1);
        assertThat(Files.getPosixFilePermissions(files().getFirst())).hasSize(2);
    }

    @Test
    void http_gateway_logs_start_and_metrics_describe_it() throws Exception {
        Process process = start("http");
        URI address = URI.create(started().group(2));
        assertThat(errors()).contains("serving on " + address);
        String numbers =
                new String(address.resolve("/metrics").toURL().openStream().readAllBytes(), UTF_8);
        assertThat(numbers)
                .contains("fusebox_build_info{version=\"" + VersionCommand.ofFusebox() + "\"")
                .contains("fusebox_server_state{server=\"a\",state=\"idle\"} 1\n")
                .contains("fusebox_sessions{transport=\"http\",era=\"legacy\"} 0\n")
                .contains("process_resident_memory_bytes ", "process_open_fds ", "process_cpu_seconds_total ");
        process.destroy();
        process.onExit().join();
        assertThat(logs("--gateway", "" + process.pid()))
                .contains("gateway started: transport=http address=" + address);
    }

    @Test
    void gateway_serves_without_log_files_and_warns_once() throws Exception {
        Files.createDirectories(home());
        Files.writeString(home().resolve("log"), "in the way");
        greet(start("stdio"));
        started();
        eventually("a warning is logged", () -> assertThat(errors()).contains("WARN cannot write the log file"));
        assertThat(errors().lines().filter(each -> each.contains(" WARN "))).hasSize(1);
    }
}
