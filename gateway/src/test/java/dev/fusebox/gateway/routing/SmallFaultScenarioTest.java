package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.ControlledServer.Reply;
import dev.fusebox.gateway.routing.EitherClient.Way;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Small faults stay small, for clients and servers of both eras, over both front ends.
///
/// Over five seconds: a list that hangs is waited for during two, and refused credentials rest for five.
@Tag("process")
@Timeout(120)
class SmallFaultScenarioTest {
    /// More than a list that hangs is waited for, less than it would be if each of five calls waited.
    private static final Duration CALL_LIMIT = Duration.ofSeconds(9);

    /// Refused credentials rest for five seconds, and for ten more if they are refused again.
    private static final Duration RETRY_LIMIT = Duration.ofSeconds(12);

    /// Speaks one era.
    ///
    /// @param before stands before its first message
    /// @param onList what it does when it is asked for its tools
    private static ChildSpec server(boolean isModern, String before, String onList) {
        String program = """
                import sys, json
                first, modern = '%s', %s
                def say(id, result):
                    global first
                    message = json.dumps({'jsonrpc': '2.0', 'id': id, 'result': result})
                    sys.stdout.buffer.write((first + message + '\\n').encode())
                    sys.stdout.buffer.flush()
                    first = ''
                for line in sys.stdin:
                    m = json.loads(line)
                    method, id = m.get('method'), m.get('id')
                    plain = {'resultType': 'complete', 'ttlMs': 0, 'cacheScope': 'private'}
                    if id is None:
                        continue
                    elif method == 'initialize':
                        say(id, {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}},
                            'serverInfo': {'name': 'python', 'version': '1'}})
                    elif method == 'server/discover' and modern:
                        say(id, {**plain, 'supportedVersions': ['2026-07-28'], 'capabilities': {'tools': {}},
                            'serverInfo': {'name': 'python', 'version': '1'}})
                    elif method == 'tools/list':
                        %s
                    elif method == 'tools/call':
                        say(id, {'resultType': 'complete', 'content': [{'type': 'text', 'text': 'done'}]})
                    else:
                        sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'id': id,
                            'error': {'code': -32601, 'message': 'no'}}) + '\\n')
                        sys.stdout.flush()
                """.formatted(before, isModern ? "True" : "False", onList);
        return ChildSpec.of("python3", "-S", "-E", "-c", program);
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun);
    }

    @ParameterizedTest
    @CsvSource({
        "SESSION_HTTP,    false",
        "SESSION_STDIO,   true",
        "STATELESS_HTTP,  true",
        "STATELESS_STDIO, false",
    })
    void a_list_that_hangs_costs_the_first_call_two_seconds_and_later_calls_nothing(Way way, boolean isModern) {
        TestServer silent =
                TestServer.of("silent", server(isModern, "", "pass")).within(CALL_LIMIT);
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .firstListWait(Duration.ofMillis(1))
                        .server(silent)
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            assertThat(Messages.said(client.call("silent__work", "{}"))).isEqualTo("done");
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            for (int i = 0; i < 5; i++) {
                assertThat(Messages.said(client.call("silent__work", "{}"))).isEqualTo("done");
            }
            assertThat(since(begun)).isLessThan(CALL_LIMIT);
        }
    }

    /// Answers everything but the log level.
    private static final String WITHOUT_LEVEL = """
            import sys, json
            def say(id, result): print(json.dumps({'jsonrpc': '2.0', 'id': id, 'result': result}), flush=True)
            for line in sys.stdin:
                m = json.loads(line)
                method = m.get('method')
                if method == 'initialize':
                    say(m['id'], {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}, 'logging': {}},
                        'serverInfo': {'name': 'python', 'version': '1'}})
                elif method == 'tools/list':
                    say(m['id'], {'tools': [{'name': 'work', 'inputSchema': {'type': 'object'}}]})
                elif method == 'tools/call':
                    say(m['id'], {'content': [{'type': 'text', 'text': 'done'}]})
                elif method == 'server/discover':
                    print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], 'error': {'code': -32601, 'message': 'no'}}),
                        flush=True)
            """;

    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void a_log_level_that_is_not_answered_costs_the_first_call_two_seconds_and_later_calls_nothing(Way way) {
        TestServer silent = TestServer.of("silent", ChildSpec.of("python3", "-S", "-E", "-c", WITHOUT_LEVEL))
                .within(CALL_LIMIT);
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .server(silent)
                        .connectionSharing("silent", new ConnectionSharing(Isolation.SESSION, 1))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            client.ask("logging/setLevel", ",\"level\":\"error\"");
            assertThat(Messages.said(client.call("silent__work", "{}"))).isEqualTo("done");
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            for (int i = 0; i < 5; i++) {
                assertThat(Messages.said(client.call("silent__work", "{}"))).isEqualTo("done");
            }
            assertThat(since(begun)).isLessThan(CALL_LIMIT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SESSION_HTTP,    false",
        "SESSION_STDIO,   true",
        "STATELESS_HTTP,  true",
        "STATELESS_STDIO, false",
    })
    void a_byte_order_mark_before_the_first_message_of_a_server_is_dropped(Way way, boolean isModern) {
        String tools = "say(id, {**plain, 'tools': [" + EitherClient.tool("work") + "]})";
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .process("marked", server(isModern, "\\ufeff", tools))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            assertThat(Messages.said(client.call("marked__work", "{}"))).isEqualTo("done");
            eventually(
                    "its list is known",
                    () -> assertThat(client.ask("tools/list", ",\"x\":1").json())
                            .contains("marked__work"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void after_answers_with_401_calls_work_again_within_seconds(Way way) {
        try (ControlledServer remote = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("remote", remote.uri()))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            assertThat(Messages.said(client.call("remote__work", "{}"))).isEqualTo("done");
            remote.answer(Reply.of(401));
            // A list that was just read shows that the server lives, so more than one call may be sent.
            eventually("calls are refused until a time that is told", () -> {
                JsonView refusal = client.call("remote__work", "{}");
                assertThat(Messages.kind(refusal)).isEqualTo("auth_required auth not_sent");
                assertThat(retryAfterMillis(refusal)).isBetween(1L, 5_000L);
            });
            remote.answer(ControlledServer.DONE);
            eventually(
                    "a call is answered",
                    RETRY_LIMIT,
                    () -> assertThat(client.call("remote__work", "{}").json()).doesNotContain("fusebox/error"));
        }
    }

    private static long retryAfterMillis(JsonView refusal) {
        return Long.parseLong(Messages.at(refusal, "result", "_meta", "fusebox/error", "retryAfterMs")
                .json());
    }
}
