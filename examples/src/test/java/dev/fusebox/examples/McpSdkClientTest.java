package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.Surroundings;
import dev.fusebox.breaker.Verdict;
import dev.fusebox.testkit.ManualTime;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The official SDK against a real server in a child process; only the breakers' clock is advanced manually.
@Tag("interop")
@Timeout(120)
class McpSdkClientTest {
    private static final Duration COOLDOWN = Duration.ofSeconds(30);

    /// Long enough for a JVM to start on a busy machine; only waited for when something hangs.
    private static final Duration PATIENT = Duration.ofSeconds(60);

    private static final Duration IMPATIENT = Duration.ofSeconds(6);

    private final ManualTime time = new ManualTime();
    private final AtomicInteger starts = new AtomicInteger();
    private McpSdkClient client = clientWith(PATIENT);

    @AfterEach
    void stop_the_server() {
        client.close();
    }

    @Test
    void program_prints_result_of_tool() throws Exception {
        assertThat(Printed.linesOf(out -> McpSdkClient.run(out, "echo", commandOfTheServer())))
                .singleElement()
                .asString()
                .contains("hello");
    }

    @Test
    void answer_counts_for_server_and_tool() throws Exception {
        assertThat(call("echo").content()).hasSize(1);
        assertThat(server().totalCalls()).isEqualTo(1);
        assertThat(tool("echo").totalCalls()).isEqualTo(1);
    }

    @Test
    void json_rpc_error_and_error_result_count_as_alive() throws Exception {
        for (int attempt = 0; attempt < 6; attempt++) {
            assertThatThrownBy(() -> call("refuse"))
                    .isInstanceOf(McpError.class)
                    .hasMessage("wrong arguments");
            assertThat(call("sulk").isError()).isTrue();
        }
        assertThat(server().counts().failures()).isZero();
        assertThat(tool("refuse").counts().failures()).isZero();
        assertThat(tool("sulk").counts().failures()).isZero();
        assertThat(starts).hasValue(1);
    }

    @Test
    void crash_counts_at_once_and_next_call_restarts_server() throws Exception {
        assertThatThrownBy(() -> call("crash")).isInstanceOf(RuntimeException.class);
        assertThat(server().failureCount()).isEqualTo(1);

        assertThat(call("echo").content()).hasSize(1);
        assertThat(server().failureCount()).isZero();
        assertThat(starts).hasValue(2);
    }

    @Test
    void third_crash_opens_breaker_and_probe_recovers_server() throws Exception {
        for (int crash = 0; crash < 3; crash++) {
            assertThat(catchThrowable(() -> call("crash"))).isNotInstanceOf(CallRejectedException.class);
        }
        assertThat(server().state()).isEqualTo(State.OPEN);

        assertThatThrownBy(() -> call("echo"))
                .isInstanceOf(CallRejectedException.class)
                .hasMessageStartingWith("Circuit breaker 'files' is open after 3 failures")
                .extracting(thrown -> ((CallRejectedException) thrown).retryAfter())
                .isEqualTo(COOLDOWN);
        assertThat(starts).hasValue(3);

        time.advance(COOLDOWN);
        assertThat(call("echo").content()).hasSize(1);
        assertThat(server().state()).isEqualTo(State.CLOSED);
        assertThat(starts).hasValue(4);
    }

    @Test
    void open_tool_breaker_rejects_only_its_tool() throws Exception {
        call("sulk");
        client.breakers().find(serverName().tool("sulk")).orElseThrow().forceOpen("it only sulks");

        assertThatThrownBy(() -> call("sulk"))
                .isInstanceOf(CallRejectedException.class)
                .hasMessageContaining("files/sulk");
        assertThat(call("echo").content()).hasSize(1);
        assertThat(server().counts().failures()).isZero();
        assertThat(server().totals().abandoned()).isEqualTo(1);
    }

    @Test
    void interrupted_call_is_not_counted() throws Exception {
        call("echo");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> call("hang")).hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(server().counts().failures()).isZero();
        assertThat(server().totals().abandoned()).isEqualTo(1);
    }

    /// Over five seconds: the SDK's timeout also bounds the start of the server, and so cannot be much shorter.
    @Test
    void timeouts_open_breaker_and_probe_restarts_server() throws Exception {
        client = clientWith(IMPATIENT);
        call("echo");

        for (int call = 1; call <= 3; call++) {
            assertThatThrownBy(() -> call("hang")).hasCauseInstanceOf(TimeoutException.class);
            assertThat(server().failureCount()).isEqualTo(call);
            assertThat(tool("hang").failureCount()).isEqualTo(call);
        }
        assertThat(server().lastFailure()).asString().startsWith(Verdict.TIMEOUT);
        assertThat(server().state()).isEqualTo(State.OPEN);

        time.advance(COOLDOWN);
        assertThat(call("echo").content()).hasSize(1);
        assertThat(starts).hasValue(2);
    }

    @Test
    void start_failure_counts_for_server_only() {
        client = new McpSdkClient(
                "files",
                () -> McpSdkClient.overStdio(
                        ServerParameters.builder("/nowhere/no-such-server").build(), Duration.ofSeconds(1)),
                Clocks.surroundings(time));

        assertThatThrownBy(() -> call("echo")).hasMessageContaining("failed to initialize");
        assertThat(server().failureCount()).isEqualTo(1);
        assertThat(tool("echo").totalCalls()).isZero();
    }

    @Test
    void concurrent_callers_are_serialized() throws Exception {
        client = new McpSdkClient("files", () -> start(PATIENT), Surroundings.system());
        List<Callable<Integer>> callers = Collections.nCopies(8, this::callEchoOften);

        try (ExecutorService threads = Executors.newFixedThreadPool(callers.size())) {
            for (Future<Integer> answers : threads.invokeAll(callers, 60, TimeUnit.SECONDS)) {
                assertThat(answers.get()).isEqualTo(300);
            }
        }
        assertThat(starts).hasValue(1);
    }

    private int callEchoOften() throws Exception {
        int answers = 0;
        while (answers < 300) {
            assertThat(call("echo").content()).hasSize(1);
            answers++;
        }
        return answers;
    }

    private CallToolResult call(String name) throws Exception {
        return client.call(CallToolRequest.builder(name).build());
    }

    private BreakerSnapshot server() {
        return client.breakers().find(serverName()).orElseThrow().snapshot();
    }

    private BreakerSnapshot tool(String name) {
        return client.breakers().find(serverName().tool(name)).orElseThrow().snapshot();
    }

    private static BreakerName serverName() {
        return BreakerName.of("files");
    }

    private McpSdkClient clientWith(Duration timeout) {
        return new McpSdkClient("files", () -> start(timeout), Clocks.surroundings(time));
    }

    private McpSyncClient start(Duration timeout) {
        starts.incrementAndGet();
        List<String> command = commandOfTheServer();
        return McpSdkClient.overStdio(
                ServerParameters.builder(command.getFirst())
                        .args(command.subList(1, command.size()))
                        .build(),
                timeout);
    }

    private static List<String> commandOfTheServer() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        URI classes = URI.create(ScriptedMcpServer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString());
        String path = Path.of(classes).toString();
        return List.of(java, "-XX:TieredStopAtLevel=1", "-Xmx32m", "-cp", path, ScriptedMcpServer.class.getName());
    }
}
