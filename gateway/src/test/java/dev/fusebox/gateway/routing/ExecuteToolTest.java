package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.execute.ExecuteTool;
import dev.fusebox.gateway.result.ResultRules;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.sandbox.Sandbox;
import dev.fusebox.sandbox.SandboxLimits;
import dev.fusebox.sandbox.WorkerProgram;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A client has scripts run that call tools of servers, by the way that every call takes.
///
/// Over five seconds: the first script starts a worker.
@Tag("process")
@Timeout(240)
class ExecuteToolTest {
    private static final ChildProcesses WORKERS = ChildProcesses.open(SingleServerHarness.PLATFORM);
    private static final Sandbox SANDBOX =
            new Sandbox(SingleServerHarness.PLATFORM, WORKERS, program(), SandboxLimits.defaults());
    private static final ExecuteTool TOOL =
            new ExecuteTool(SANDBOX, Duration.ofMinutes(2), () -> List.of("old", "new"));
    private static final ExposurePolicy EXPOSURE = new ExposurePolicy(false, Set.of(), List.of(new CallTool(), TOOL));

    @AfterAll
    static void close() {
        SANDBOX.close();
        WORKERS.close();
    }

    private static WorkerProgram program() {
        String path = System.getProperty("java.class.path", "")
                + File.pathSeparator
                + System.getProperty("jdk.module.path", "");
        try {
            return WorkerProgram.of(path, null).orElseThrow();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static GatewayHarness two() {
        return GatewayHarness.plan()
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .server("new", SingleServerHarness.script(Era.MODERN))
                .exposure(EXPOSURE)
                .open();
    }

    private static JsonView run(GatewayClient client, String code) {
        return Messages.at(client.call("mcp_execute", "{\"code\":" + JsonWriter.quoted(code) + "}"), "result");
    }

    private static JsonView said(JsonView result) {
        return Messages.at(result, "structuredContent");
    }

    @ParameterizedTest
    @EnumSource
    void a_script_calls_tools_of_servers_of_both_eras(Manner manner) {
        try (GatewayHarness gateway = two()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            assertThat(client.tools()).containsExactly("mcp_call", "mcp_execute");
            long begun = System.nanoTime();
            JsonView result = run(client, """
                    const ask = (s) => servers[s].echo({ text: 'from ' + s });
                    const said = await Promise.all(Object.keys(servers).map(ask));
                    console.log('asked', said.length);
                    said.join(', ')
                    """);
            long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
            JsonView report = said(result);
            assertThat(report.string("result")).isEqualTo("from old, from new");
            assertThat(Messages.at(report, "logs").json()).isEqualTo("[\"asked 2\"]");
            assertThat(Messages.at(report, "calls").elements()).hasSize(2).allSatisfy(call -> {
                assertThat(call.string("tool")).isEqualTo("echo");
                assertThat(Messages.at(call, "ok").isTrue()).isTrue();
                assertThat(Long.parseLong(Messages.at(call, "durationMs").json()))
                        .isBetween(0L, millis);
            });
            assertThat(Messages.at(result, "content").elements().getFirst().string("text"))
                    .isEqualTo(report.json());
        }
    }

    @Test
    void script_gets_whole_results_and_its_own_is_limited_by_its_tokens() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("old", SingleServerHarness.script(Era.LEGACY))
                        .policy(old -> old.withMaxResultBytes(500)))
                .exposure(EXPOSURE)
                .open()) {
            gateway.servers().setResultRules(new ResultRules(300, Duration.ofMinutes(5)));
            GatewayClient client = GatewayClient.of(gateway);
            String call = "await servers.old.big({ bytes: 5000 })";
            assertThat(Messages.at(said(run(client, "(" + call + ").length")), "result"))
                    .hasToString("5000");
            JsonView refused = run(client, call);
            assertThat(Messages.at(said(refused), "error").string("code")).isEqualTo("limit_exceeded");
            assertThat(said(refused).json())
                    .contains("mcp_execute has structured content of", "results.maxTokens is 300")
                    .contains("fusebox://fusebox/results/");
        }
    }

    @Test
    void a_null_for_an_optional_argument_of_a_script_is_left_out() {
        try (GatewayHarness gateway = two()) {
            String code = "[await servers.old.echo({ text: null }), await servers.new.echo({ text: null })].join('|')";
            assertThat(said(run(GatewayClient.of(gateway), code)).string("result"))
                    .isEqualTo("|");
        }
    }

    @Test
    void failed_call_throws_the_error_of_a_direct_call() {
        try (GatewayHarness gateway = two()) {
            GatewayClient client = GatewayClient.of(gateway);
            gateway.start("old");
            JsonView report = said(run(client, """
                    const seen = [];
                    for (const call of [() => servers.odl.echo({}), () => servers.old.ecko({}),
                            () => servers.old.echo({ text: 7 }), () => servers.old.fail({})]) {
                        try { await call(); seen.push('no error') } catch (e) { seen.push(e.error.code) }
                    }
                    return seen
                    """));
            assertThat(Messages.at(report, "result").json())
                    .isEqualTo("[\"unknown_server\",\"unknown_tool\",\"invalid_arguments\",\"tool_failed\"]");
        }
    }

    @Test
    void what_a_server_has_laid_out_on_many_lines_is_read_all_the_same() {
        try (GatewayHarness gateway = two()) {
            JsonView report = said(run(GatewayClient.of(gateway), """
                    const text = JSON.stringify({ a: [1, { b: 2 }] }, null, 2);
                    const all = await Promise.all(Object.keys(servers).map((s) => servers[s].echo({ text })));
                    all.map((each) => each.a[1].b)
                    """));
            assertThat(Messages.at(report, "result").json()).isEqualTo("[2,2]");
        }
    }

    @Test
    void exception_of_a_script_is_not_reported_as_a_failed_call() {
        try (GatewayHarness gateway = two()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (String own : List.of("{ code: 7 }", "{}", "[]", "{ message: 'mine' }", "'breaker_open'")) {
                JsonView report =
                        said(run(client, "throw Object.assign(new TypeError('mine'), { error: " + own + " })"));
                assertThat(Messages.at(report, "error").string("code")).isEqualTo("script_failed");
                assertThat(Messages.at(report, "error").string("message")).isEqualTo("TypeError: mine");
            }
        }
    }

    @Test
    void a_failed_call_that_is_not_caught_ends_the_script_with_its_error() {
        try (GatewayHarness gateway = two()) {
            JsonView result = run(GatewayClient.of(gateway), "await servers.odl.echo({})");
            assertThat(Messages.at(result, "isError").isTrue()).isTrue();
            JsonView error = Messages.at(said(result), "error");
            assertThat(error.string("code")).isEqualTo("unknown_server");
            assertThat(error.string("server")).isEqualTo("odl");
            assertThat(Messages.at(said(result), "calls").elements()).hasSize(1);
        }
    }

    /// The end of the text of a script that a failed call has ended.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "frail.crash | unknown | ; the call may have been executed",
                "dead.echo | not_sent | ; the call was not sent",
                "old.fail | rejected | failed",
            })
    void uncaught_failure_of_a_call_states_whether_the_call_was_sent(String tool, String outcome, String end) {
        GatewayHarness.Plan plan = GatewayHarness.plan()
                .server("frail", SingleServerHarness.script(Era.LEGACY))
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .server(TestServer.of("dead", SingleServerHarness.script(Era.LEGACY, "exit-at-start"))
                        .crashing())
                .exposure(EXPOSURE);
        try (GatewayHarness gateway = plan.open()) {
            JsonView result = run(GatewayClient.of(gateway), "await servers." + tool + "({})");
            assertThat(Messages.at(said(result), "error").string("outcome")).isEqualTo(outcome);
            assertThat(Messages.at(result, "content").elements().getFirst().string("text"))
                    .endsWith(end)
                    .doesNotContain("Error:");
        }
    }

    @Test
    void script_error_has_its_position() {
        try (GatewayHarness gateway = two()) {
            JsonView error = Messages.at(said(run(GatewayClient.of(gateway), "let a = 1;\nlet b = ;")), "error");
            assertThat(error.string("code")).isEqualTo("script_failed");
            assertThat(error.string("message"))
                    .isEqualTo("SyntaxError: Expected an operand but found ;, at line 2, column 9");
            assertThat(Messages.at(error, "line").json()).isEqualTo("2");
        }
    }

    @Test
    void script_that_uses_a_missing_global_gets_a_list_of_the_available_ones() {
        try (GatewayHarness gateway = two()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (String elsewhere : List.of("await mcp_call({})", "setTimeout(f, 1)", "require('fs')")) {
                JsonView error = Messages.at(said(run(client, elsewhere)), "error");
                assertThat(error.string("message")).contains("is not defined", "servers.NAME.TOOL({...})", "sleep(ms)");
            }
            JsonView own = Messages.at(said(run(client, "throw new ReferenceError('mine')")), "error");
            assertThat(own.string("message")).isEqualTo("ReferenceError: mine");
        }
    }

    @Test
    void script_in_code_fences_is_rejected() {
        try (GatewayHarness gateway = two()) {
            JsonView error = Messages.at(said(run(GatewayClient.of(gateway), "```js\nreturn 1\n```")), "error");
            assertThat(error.string("code")).isEqualTo("invalid_arguments");
            assertThat(error.string("message")).contains("```", "send it without them");
        }
    }

    @Test
    void the_gateways_own_tools_are_no_server() {
        try (GatewayHarness gateway = two()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (String own : List.of("mcp_call", "mcp_execute")) {
                JsonView report = said(run(
                        client,
                        "try { await servers.fusebox." + own
                                + "({ code: '1', server: 'old', tool: 'echo' }) } catch (e) { return e.error.code }"));
                assertThat(report.string("result")).isEqualTo("unknown_server");
            }
        }
    }

    @Test
    void a_script_ends_when_the_time_is_over_that_its_caller_gives_it() {
        try (GatewayHarness gateway = two()) {
            GatewayClient client = GatewayClient.of(gateway);
            assertThat(said(run(client, "1")).member("error")).isNull();
            JsonView answer = client.call("mcp_execute", "{\"code\":\"while (true);\",\"timeoutMs\":700}");
            JsonView error = Messages.at(said(Messages.at(answer, "result")), "error");
            assertThat(error.string("code")).isEqualTo("timeout");
            assertThat(error.string("message")).contains("700 ms", "timeoutMs");
        }
    }

    @Test
    void timeout_of_a_call_beyond_the_configured_one_is_cut_to_it() {
        ExecuteTool brief = new ExecuteTool(SANDBOX, Duration.ofMillis(400), List::of);
        try (GatewayHarness gateway = GatewayHarness.plan()
                .exposure(new ExposurePolicy(false, Set.of(), List.of(brief)))
                .open()) {
            JsonView answer =
                    GatewayClient.of(gateway).call("mcp_execute", "{\"code\":\"while (true);\",\"timeoutMs\":60000}");
            JsonView error = Messages.at(said(Messages.at(answer, "result")), "error");
            assertThat(error.string("code")).isEqualTo("timeout");
            assertThat(error.string("message")).contains("400 ms", "at most execute.timeoutMs");
        }
    }

    @Test
    void invalid_arguments_are_reported() {
        try (GatewayHarness gateway = two()) {
            JsonView answer = GatewayClient.of(gateway).call("mcp_execute", "{\"kode\":\"1\",\"timeoutMs\":-1}");
            JsonView error = Messages.at(answer, "result", "structuredContent", "error");
            assertThat(error.string("code")).isEqualTo("invalid_arguments");
            assertThat(Objects.requireNonNull(error.string("message")))
                    .contains("code is missing", "\"kode\"", "timeoutMs");
        }
    }
}
