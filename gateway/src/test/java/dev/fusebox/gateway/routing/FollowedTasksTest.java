package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tasks that the gateway follows for clients that do not know them, at servers that begin tasks unasked.
@Tag("process")
@Timeout(120)
class FollowedTasksTest {
    /// A modern server that answers each call with a task, and writes down what it is asked. It completes a task at
    /// the third poll; `ask` has a question, `never` does not end, `break` fails, and `forget` is forgotten.
    private static final String MODERN = """
            import sys, json
            def say(m, r): print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], **r}), flush=True)
            polls = {}
            for line in sys.stdin:
                m = json.loads(line)
                method = m.get('method')
                p = m.get('params', {})
                if 'id' not in m: continue
                if method.startswith('tasks/'): open(NOTES, 'a').write(method + '\\n')
                if method == 'server/discover':
                    say(m, {'result': {'resultType': 'complete', 'supportedVersions': ['2026-07-28'],
                        'capabilities': {'tools': {}}, 'ttlMs': 0, 'cacheScope': 'private'}})
                elif method == 'tools/list':
                    say(m, {'result': {'resultType': 'complete', 'ttlMs': 0, 'cacheScope': 'private', 'tools': [
                        {'name': n, 'inputSchema': {'type': 'object'}}
                        for n in ['work', 'ask', 'never', 'break', 'forget', 'stumble']]}})
                elif method == 'tools/call':
                    polls[p['name']] = 0
                    say(m, {'result': {'resultType': 'task', 'taskId': p['name'], 'status': 'working',
                        'createdAt': '2026-01-01T00:00:00Z', 'lastUpdatedAt': '2026-01-01T00:00:00Z', 'ttlMs': None,
                        'pollIntervalMs': 50}})
                elif method == 'tasks/get':
                    own = p['taskId']
                    polls[own] += 1
                    state = {'resultType': 'complete', 'taskId': own, 'status': 'working', 'pollIntervalMs': 50,
                        'statusMessage': 'step %d' % polls[own]}
                    if own == 'ask' and polls[own] < 100:
                        state['status'] = 'input_required'
                        state['inputRequests'] = {'sure': {'method': 'elicitation/create', 'params': {
                            'mode': 'form', 'message': 'Sure?',
                            'requestedSchema': {'type': 'object', 'properties': {}}}}}
                    elif own == 'break' and polls[own] >= 2:
                        state['status'] = 'failed'
                        state['error'] = {'code': -32050, 'message': 'it broke', 'data': {'part': 7}}
                    elif own != 'never' and polls[own] >= 3:
                        state['status'] = 'completed'
                        state['result'] = {'content': [{'type': 'text', 'text': 'done ' + own}]}
                    if own == 'stumble' and polls[own] < 3: say(m, {'error': {'code': -32603, 'message': 'not now'}})
                    elif own == 'forget': say(m, {'error': {'code': -32602, 'message': 'no such task'}})
                    else: say(m, {'result': state})
                elif method == 'tasks/update':
                    polls[p['taskId']] = 100
                    open(NOTES, 'a').write(json.dumps(p['inputResponses']) + '\\n')
                    say(m, {'result': {'resultType': 'complete'}})
                elif method == 'tasks/cancel':
                    say(m, {'result': {'resultType': 'complete'}})
                else:
                    say(m, {'error': {'code': -32601, 'message': 'no'}})
            """;

    /// A server of the session era with a tool that is executed as a task only.
    private static final String SESSION = """
            import sys, json, threading
            def say(m, r): print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], **r}), flush=True)
            for line in sys.stdin:
                m = json.loads(line)
                method = m.get('method')
                p = m.get('params', {})
                if 'id' not in m: continue
                if method.startswith('tasks/'): open(NOTES, 'a').write(method + '\\n')
                if method == 'initialize':
                    say(m, {'result': {'protocolVersion': '2025-11-25',
                        'serverInfo': {'name': 'python', 'version': '1'},
                        'capabilities': {'tools': {}, 'tasks': {'requests': {'tools': {'call': {}}}, 'cancel': {}}}}})
                elif method == 'tools/list':
                    say(m, {'result': {'tools': [{'name': n, 'inputSchema': {'type': 'object'},
                        'execution': {'taskSupport': 'required'}} for n in ['work', 'never', 'die']]}})
                elif method == 'tools/call' and 'task' in p:
                    say(m, {'result': {'task': {'taskId': p['name'], 'status': 'working', 'ttl': p['task']['ttl'],
                        'createdAt': '2026-01-01T00:00:00Z', 'lastUpdatedAt': '2026-01-01T00:00:00Z'}}})
                    if p['name'] == 'die': sys.exit(3)
                elif method == 'tasks/result' and p['taskId'] == 'work':
                    say(m, {'result': {'content': [{'type': 'text', 'text': 'done ' + p['taskId']}]}})
                elif method == 'tasks/result':
                    pass
                elif method == 'tasks/cancel':
                    say(m, {'result': {}})
                else:
                    say(m, {'error': {'code': -32601, 'message': 'no task was asked for'}})
            """;

    @TempDir
    private Path folder;

    private Path notes() {
        return folder.resolve("notes");
    }

    private List<String> noted() {
        try {
            return Files.exists(notes()) ? Files.readAllLines(notes()) : List.of();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private GatewayHarness open(String program, EraPolicy era, Duration timeout) {
        ChildSpec spec = ChildSpec.of("python3", "-S", "-E", "-c", "NOTES = '" + notes() + "'\n" + program);
        return GatewayHarness.plan()
                .server(TestServer.of("one", spec).with(era).within(timeout))
                .open();
    }

    private GatewayHarness modern(Duration timeout) {
        return open(MODERN, EraPolicy.AUTO, timeout);
    }

    @ParameterizedTest
    @EnumSource(EitherClient.Way.class)
    void client_gets_the_result_of_the_task(EitherClient.Way way) {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, way, Messages.ABLE)) {
            assertThat(Messages.said(client.call("one__work", "{}"))).isEqualTo("done work");
            assertThat(noted()).containsExactly("tasks/get", "tasks/get", "tasks/get");
        }
    }

    @ParameterizedTest
    @EnumSource(EitherClient.Way.class)
    void status_messages_are_progress(EitherClient.Way way) {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, way, Messages.ABLE)) {
            List<JsonView> told = client.progressOf("tools/call", Messages.tool("one__work", "{}"));
            assertThat(told)
                    .filteredOn(message -> "notifications/progress".equals(Messages.method(message)))
                    .extracting(message -> Messages.text(message, "params", "message"))
                    .containsExactly("step 1", "step 2");
        }
    }

    @Test
    void session_is_asked_what_the_task_asks_and_only_once() {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client =
                        new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, "{\"elicitation\":{\"form\":{}}}")) {
            List<String> asked = new ArrayList<>();
            client.wire().answering(question -> {
                asked.add(Messages.text(question, "params", "message"));
                return "{\"action\":\"accept\",\"content\":{}}";
            });
            assertThat(Messages.said(client.call("one__ask", "{}"))).isEqualTo("done ask");
            assertThat(asked).containsExactly("[one] Sure?");
            assertThat(noted()).contains("{\"sure\": {\"action\": \"accept\", \"content\": {}}}");
        }
    }

    @Test
    void modern_client_without_the_extension_is_asked_by_a_result() {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client =
                        new EitherClient(gateway, EitherClient.Way.STATELESS_HTTP, "{\"elicitation\":{\"form\":{}}}")) {
            JsonView asked = client.call("one__ask", "{}");
            assertThat(Messages.text(asked, "result", "resultType")).isEqualTo("input_required");
            String state = Messages.at(asked, "result", "requestState").json();
            JsonView answer = client.ask(
                    "tools/call",
                    Messages.tool("one__ask", "{}") + ",\"requestState\":" + state
                            + ",\"inputResponses\":{\"sure\":{\"action\":\"accept\",\"content\":{}}}");
            assertThat(Messages.said(answer)).isEqualTo("done ask");
        }
    }

    @Test
    void error_of_a_task_is_the_error_of_the_call() {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            JsonView error =
                    Objects.requireNonNull(client.call("one__break", "{}").member("error"));
            assertThat(error.json()).contains("-32050", "it broke", "\"part\": 7");
        }
    }

    @Test
    void error_that_passes_does_not_end_the_call() {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            assertThat(Messages.said(client.call("one__stumble", "{}"))).isEqualTo("done stumble");
        }
    }

    @Test
    void task_that_its_server_has_forgotten_leaves_the_outcome_unknown() {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            assertThat(Messages.kind(client.call("one__forget", "{}"))).contains("outcome_unknown", "unknown");
        }
    }

    @Test
    void call_that_takes_too_long_cancels_its_task() {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(2));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            assertThat(Messages.kind(client.call("one__never", "{}"))).contains("timeout");
            eventually("the task is cancelled", () -> assertThat(noted()).contains("tasks/cancel"));
        }
    }

    @Test
    void call_that_is_cancelled_cancels_its_task() {
        try (GatewayHarness gateway = modern(Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.STATELESS_STDIO, Messages.ABLE)) {
            Wire.Stream stream = client.open("one__never", "{}");
            eventually("the task is polled", () -> assertThat(noted()).contains("tasks/get"));
            stream.close();
            eventually("the task is cancelled", () -> assertThat(noted()).contains("tasks/cancel"));
        }
    }

    @ParameterizedTest
    @EnumSource(EitherClient.Way.class)
    void tool_of_a_legacy_server_that_requires_a_task_can_be_called(EitherClient.Way way) {
        try (GatewayHarness gateway = open(SESSION, EraPolicy.AUTO, Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, way, Messages.ABLE)) {
            eventually(
                    "the tool is listed as one that can be called",
                    () -> assertThat(client.ask("tools/list", "").json()).contains("one__work", "\"optional\""));
            JsonView answer = client.call("one__work", "{}");
            assertThat(Messages.said(answer)).isEqualTo("done work");
            assertThat(String.valueOf(answer.path("result", "resultType")))
                    .as("in the form for the client: " + answer.json())
                    .isEqualTo(way.inSession() ? "null" : "\"complete\"");
            assertThat(noted()).containsExactly("tasks/result");
        }
    }

    @Test
    void server_that_ends_during_its_task_leaves_the_outcome_unknown() {
        try (GatewayHarness gateway = open(SESSION, EraPolicy.AUTO, Duration.ofSeconds(60));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            eventually(
                    "the tool is listed",
                    () -> assertThat(client.ask("tools/list", "").json()).contains("one__die"));
            assertThat(Messages.kind(client.call("one__die", "{}"))).contains("unknown");
        }
    }

    @Test
    void task_of_a_legacy_server_is_cancelled_with_its_call() {
        try (GatewayHarness gateway = open(SESSION, EraPolicy.AUTO, Duration.ofSeconds(2));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            eventually(
                    "the tool is listed",
                    () -> assertThat(client.ask("tools/list", "").json()).contains("one__never"));
            assertThat(Messages.kind(client.call("one__never", "{}"))).contains("timeout");
            eventually("the task is cancelled", () -> assertThat(noted()).contains("tasks/cancel"));
        }
    }
}
