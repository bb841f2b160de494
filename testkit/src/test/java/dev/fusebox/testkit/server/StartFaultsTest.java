package dev.fusebox.testkit.server;

import static dev.fusebox.testkit.server.ServerProcess.initializeWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The faults of beginning, listing and ending, as a raw reader of a real process sees them.
@Tag("process")
@Timeout(60)
class StartFaultsTest {
    private static final int KILLED = 128 + 9;
    private static final int WRONG_USAGE = 64;

    @Test
    void without_faults_it_answers_until_its_input_ends() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.connected()) {
            serverProcess.assertWorks(1);
            serverProcess.in().close();
            assertThat(serverProcess.exitCode()).isZero();
            serverProcess.out().assertEnd();
            serverProcess.err().assertEnd();
        }
    }

    @Test
    void exit_at_start_leaves_ten_lines_and_a_code() throws Exception {
        try (ServerProcess serverProcess =
                ServerProcess.start(ServerScript.faultless().with(ScriptedFault.of(FaultKind.EXIT_AT_START, 3)))) {
            for (int line = 1; line <= 10; line++) {
                assertThat(serverProcess.err().next()).isEqualTo("fixture: cannot start, reason " + line);
            }
            serverProcess.err().assertEnd();
            serverProcess.out().assertEnd();
            assertThat(serverProcess.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void variables_are_as_good_as_arguments() throws Exception {
        try (ServerProcess serverProcess =
                ServerProcess.start(ServerScript.faultless(), Map.of("FIXTURE_FAULTS", "hang"))) {
            serverProcess.initialize();
            serverProcess.callWith(1);
            serverProcess.assertSilentBefore(2);
        }
    }

    @Test
    void an_unknown_fault_is_told_and_ends_it() throws Exception {
        List<String> command = new ArrayList<>(ScriptedServer.stdio(ServerScript.faultless()));
        command.addAll(List.of("--fault", "nonsense"));
        Process process = new ProcessBuilder(command).start();
        assertThat(Lines.of(process.getErrorStream()).next()).contains("no fault is named 'nonsense'");
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(WRONG_USAGE);
    }

    @Test
    void exit_on_early_request_is_death_before_initialize_and_nothing_after() throws Exception {
        ServerScript script = ServerScript.faultless().with(ScriptedFault.of(FaultKind.EXIT_ON_EARLY_REQUEST, 4));
        try (ServerProcess serverProcess = ServerProcess.start(script)) {
            serverProcess.request(1, "server/discover", "{}");
            assertThat(serverProcess.exitCode()).isEqualTo(4);
            serverProcess.out().assertEnd();
        }
        try (ServerProcess serverProcess = ServerProcess.start(script)) {
            serverProcess.initialize();
            serverProcess.request(1, "server/discover", "{}");
            assertThat(Found.errorCode(serverProcess.out().answerTo(1))).isEqualTo(-32601);
        }
    }

    @Test
    void hang_on_initialize_is_silence_on_initialize_only() throws Exception {
        try (ServerProcess serverProcess =
                ServerProcess.start(ServerScript.faultless().with(FaultKind.HANG_ON_INITIALIZE))) {
            serverProcess.send(initializeWith("2025-11-25"));
            serverProcess.assertSilentBefore(1);
        }
    }

    @Test
    void the_version_is_the_one_of_the_script() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.start(
                ServerScript.faultless().with(ScriptedFault.of(FaultKind.PROTOCOL_VERSION, "2031-01-01")))) {
            serverProcess.send(initializeWith("2025-06-18"));
            assertThat(Found.textAt(serverProcess.out().answerTo(0), "result", "protocolVersion"))
                    .isEqualTo("2031-01-01");
        }
    }

    @Test
    void ignore_eof_lives_on_until_it_is_terminated() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.connected(ScriptedFault.of(FaultKind.IGNORE_EOF))) {
            serverProcess.call(1, "slow", "{\"ms\":200}");
            serverProcess.in().close();
            assertThat(serverProcess.textOf(1)).isEqualTo("waited 200 ms");
            assertThat(serverProcess.handle().isAlive()).isTrue();
            serverProcess.handle().destroy();
            serverProcess.exitCode();
        }
    }

    @Test
    void ignore_sigterm_works_on_until_it_is_killed() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.connected(ScriptedFault.of(FaultKind.IGNORE_SIGTERM))) {
            serverProcess.handle().destroy();
            serverProcess.assertWorks(1);
            serverProcess.handle().destroy();
            serverProcess.assertWorks(2);
            serverProcess.handle().destroyForcibly();
            assertThat(serverProcess.exitCode()).isEqualTo(KILLED);
        }
    }

    @Test
    void ignore_sigterm_still_ends_with_its_input() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.connected(ScriptedFault.of(FaultKind.IGNORE_SIGTERM))) {
            serverProcess.in().close();
            assertThat(serverProcess.exitCode()).isZero();
        }
    }

    @Test
    void hang_on_tools_list_is_silence_on_that_only() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.connected(ScriptedFault.of(FaultKind.HANG_ON_TOOLS_LIST))) {
            serverProcess.request(1, "tools/list", "{}");
            serverProcess.assertSilentBefore(2);
            serverProcess.assertWorks(3);
        }
    }

    @Test
    void lists_are_spoilt_as_the_script_says() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.connected(
                ScriptedFault.of(FaultKind.MANY_TOOLS, 3000),
                ScriptedFault.of(FaultKind.DUPLICATE_TOOL),
                ScriptedFault.of(FaultKind.INVALID_TOOLS))) {
            List<JsonView> tools = tools(serverProcess, 1, "{}");
            assertThat(tools).hasSizeGreaterThan(3000);
            assertThat(tools)
                    .filteredOn(tool -> "echo".equals(tool.string("name")))
                    .hasSize(2);
            assertThat(tools)
                    .filteredOn(tool -> tool.isObject() && tool.member("name") == null)
                    .hasSize(1);
            assertThat(tools).filteredOn(tool -> !tool.isObject()).hasSize(1);
            assertThat(tools)
                    .filteredOn(tool -> "bad name!".equals(tool.string("name")))
                    .hasSize(1);
        }
    }

    @Test
    void a_cursor_loop_goes_round() throws Exception {
        try (ServerProcess serverProcess = ServerProcess.connected(ScriptedFault.of(FaultKind.CURSOR_LOOP, 2))) {
            String params = "{}";
            var cursors = new ArrayList<String>();
            for (int id = 1; id <= 5; id++) {
                serverProcess.request(id, "tools/list", params);
                String cursor = Found.textAt(serverProcess.out().answerTo(id), "result", "nextCursor");
                cursors.add(cursor);
                params = "{\"cursor\":\"" + cursor + "\"}";
            }
            assertThat(cursors).containsExactly("round-1", "round-2", "round-1", "round-2", "round-1");
        }
    }

    private static List<JsonView> tools(ServerProcess serverProcess, int id, String params)
            throws IOException, InterruptedException {
        serverProcess.request(id, "tools/list", params);
        return Found.at(serverProcess.out().answerTo(id), "result", "tools").elements();
    }
}
