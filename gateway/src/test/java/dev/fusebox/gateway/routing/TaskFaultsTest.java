package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tasks whose server hangs, dies, changes or goes in the middle.
@Tag("process")
@Timeout(120)
class TaskFaultsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final String WITH_TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

    /// A modern server that answers each call with a task, and writes down what it is asked. A task of `rare` is to
    /// be polled every ten minutes, polls of `hang` have no answer, `work` is completed as soon as there is a file,
    /// and a task of `long` has the longest id.
    private static final String SERVER = """
            import sys, json, os
            def say(m, r, kind='result'): print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], kind: r}), flush=True)
            def note(text): open(FOLDER + '/notes', 'a').write(text + '\\n')
            tasks = 0
            for line in sys.stdin:
                m = json.loads(line)
                method = m.get('method')
                p = m.get('params', {})
                if 'id' not in m: continue
                if method == 'server/discover':
                    say(m, {'resultType': 'complete', 'supportedVersions': ['2026-07-28'],
                        'capabilities': {'tools': {}, 'extensions': {'io.modelcontextprotocol/tasks': {}}},
                        'ttlMs': 0, 'cacheScope': 'private'})
                elif method == 'tools/list':
                    say(m, {'resultType': 'complete', 'ttlMs': 0, 'cacheScope': 'private', 'tools': [
                        {'name': n, 'inputSchema': {'type': 'object'}} for n in ['rare', 'hang', 'work', 'long']]})
                elif method == 'tools/call':
                    tasks += 1
                    own = '%s %d' % (p['name'], tasks)
                    if p['name'] == 'long': own = own + 'x' * (2048 - len(own))
                    say(m, {'resultType': 'task', 'taskId': own, 'status': 'working',
                        'createdAt': '2026-01-01T00:00:00Z', 'lastUpdatedAt': '2026-01-01T00:00:00Z', 'ttlMs': None,
                        'pollIntervalMs': 600000 if p['name'] == 'rare' else 50})
                    note(method)
                elif not method.startswith('tasks/'):
                    say(m, {'code': -32601, 'message': 'no'}, 'error')
                else:
                    note(method)
                    own = p['taskId']
                    isDone = own.startswith('work') and os.path.exists(FOLDER + '/go')
                    state = {'resultType': 'complete', 'taskId': own, 'status': 'working', 'pollIntervalMs': 50}
                    if isDone:
                        state['status'] = 'completed'
                        state['result'] = {'content': [{'type': 'text', 'text': 'done'}]}
                    if method != 'tasks/get': say(m, {'resultType': 'complete'})
                    elif not own.startswith('hang'): say(m, state)
            """;

    @TempDir
    private Path folder;

    private List<String> noted() {
        try {
            Path notes = folder.resolve("notes");
            return Files.exists(notes) ? Files.readAllLines(notes) : List.of();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// @param version of the program; another one is another server
    private TestServer server(int version, Duration timeout) {
        String before = "FOLDER = '" + folder + "'\nVERSION = " + version + "\n";
        ChildSpec spec = ChildSpec.of("python3", "-S", "-E", "-c", before + SERVER);
        return TestServer.of("one", spec).within(timeout).restartedByCalls();
    }

    private GatewayHarness open(Duration timeout) {
        return GatewayHarness.plan().server(server(1, timeout)).open();
    }

    private static Outcome called(Router router, String tool) {
        byte[] frame =
                JsonRpcFrames.request(RequestId.of("1"), "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":{}}");
        Deadline deadline = new Deadline(LONG, Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
        Call call = new Call(Message.Request.of(frame), deadline, Caller.SILENT);
        return router.call(call.of(ClientMetadata.UNKNOWN));
    }

    @Test
    void thousand_calls_end_with_the_process_of_their_tasks_however_rarely_it_is_polled() {
        try (GatewayHarness gateway = open(LONG);
                Router router = new Router(gateway.servers(), null)) {
            gateway.start("one");
            Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < 1_000; i++) {
                Thread.ofVirtual().start(() -> outcomes.add(called(router, "one__rare")));
            }
            eventually("all tasks have begun", () -> assertThat(noted()).hasSize(1_000));
            List<Long> processes = gateway.processes();
            assertThat(processes).hasSize(1);
            assertThat(ProcessHandle.of(processes.getFirst()).orElseThrow().destroyForcibly())
                    .isTrue();
            eventually("all calls have ended", () -> assertThat(outcomes).hasSize(1_000));
            assertThat(outcomes).allSatisfy(outcome -> {
                assertThat(outcome).isInstanceOf(Outcome.Failed.class);
                CallFailure failure = ((Outcome.Failed) outcome).failure();
                assertThat(failure.code()).as(failure.message()).isEqualTo(ErrorCode.SERVER_CRASHED);
            });
            assertThat(gateway.processes()).as("no other was started").isEmpty();
        }
    }

    @Test
    void call_whose_server_hangs_in_a_poll_ends_in_time_and_cancels_its_task() {
        try (GatewayHarness gateway = open(Duration.ofSeconds(2));
                EitherClient client = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            assertThat(Messages.kind(client.call("one__hang", "{}"))).contains("timeout", "unknown");
            eventually("the task is cancelled", () -> assertThat(noted()).contains("tasks/cancel"));
        }
    }

    @Test
    void client_that_leaves_during_a_hanging_poll_cancels_the_task() {
        try (GatewayHarness gateway = open(LONG);
                EitherClient client = new EitherClient(gateway, EitherClient.Way.STATELESS_STDIO, Messages.ABLE)) {
            Wire.Stream stream = client.open("one__hang", "{}");
            eventually("the task is polled", () -> assertThat(noted()).contains("tasks/get"));
            stream.close();
            eventually("the task is cancelled", () -> assertThat(noted()).contains("tasks/cancel"));
        }
    }

    @Test
    void followed_call_finishes_on_the_old_process_when_its_server_is_changed() throws IOException {
        try (GatewayHarness gateway = open(LONG);
                EitherClient client = new EitherClient(gateway, EitherClient.Way.STATELESS_STDIO, Messages.ABLE);
                Wire.Stream stream = client.open("one__work", "{}")) {
            eventually("the task is polled", () -> assertThat(noted()).contains("tasks/get"));
            gateway.reload(List.of(gateway.added(server(2, LONG))), Duration.ofSeconds(60));
            int polls = noted().size();
            eventually("the task is still polled", () -> assertThat(noted()).hasSizeGreaterThan(polls + 2));
            Files.createFile(folder.resolve("go"));
            assertThat(Messages.said(Objects.requireNonNull(stream.next()))).isEqualTo("done");
        }
    }

    @Test
    void followed_call_ends_with_the_drain_when_its_server_is_removed() {
        try (GatewayHarness gateway = open(LONG);
                EitherClient client = new EitherClient(gateway, EitherClient.Way.STATELESS_STDIO, Messages.ABLE);
                Wire.Stream stream = client.open("one__work", "{}")) {
            eventually("the task is polled", () -> assertThat(noted()).contains("tasks/get"));
            gateway.reload(List.of(), Duration.ofSeconds(1));
            assertThat(Messages.kind(Objects.requireNonNull(stream.next()))).contains("unknown");
        }
    }

    @Test
    void task_of_a_removed_server_is_refused_by_name() {
        try (GatewayHarness gateway = open(LONG);
                EitherClient client = new EitherClient(gateway, EitherClient.Way.STATELESS_HTTP, WITH_TASKS)) {
            String task = Messages.text(client.call("one__work", "{}"), "result", "taskId");
            gateway.reload(List.of(), Duration.ofSeconds(1));
            JsonView refused = client.ask("tasks/get", ",\"taskId\":\"" + task + "\"");
            assertThat(Messages.at(refused, "error", "code").json()).isEqualTo("-32602");
            assertThat(Messages.text(refused, "error", "message")).contains("server one is no longer configured");
        }
    }

    @Test
    void task_of_a_changed_server_has_failed_and_can_be_cancelled_twice() {
        try (GatewayHarness gateway = open(LONG);
                EitherClient client = new EitherClient(gateway, EitherClient.Way.STATELESS_HTTP, WITH_TASKS)) {
            String task = ",\"taskId\":\"" + Messages.text(client.call("one__work", "{}"), "result", "taskId") + "\"";
            gateway.reload(List.of(gateway.added(server(2, LONG))), Duration.ofSeconds(1));
            eventually(
                    "the task has failed",
                    () -> assertThat(client.ask("tasks/get", task).path("result", "status"))
                            .hasToString("\"failed\""));
            for (int i = 0; i < 2; i++) {
                assertThat(client.ask("tasks/cancel", task).member("result")).isNotNull();
            }
        }
    }

    @Test
    void task_with_the_longest_id_is_polled_and_cancelled() {
        try (GatewayHarness gateway = open(LONG);
                EitherClient client = new EitherClient(gateway, EitherClient.Way.STATELESS_HTTP, WITH_TASKS)) {
            String task = ",\"taskId\":\"" + Messages.text(client.call("one__long", "{}"), "result", "taskId") + "\"";
            assertThat(client.ask("tasks/get", task).path("result", "status")).hasToString("\"working\"");
            assertThat(client.ask("tasks/cancel", task).member("result")).isNotNull();
            eventually("the server knows the id", () -> assertThat(noted()).contains("tasks/cancel"));
        }
    }
}
