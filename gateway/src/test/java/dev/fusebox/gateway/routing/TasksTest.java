package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.Isolation;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tasks of several servers, for clients with the extension.
@Tag("process")
@Timeout(120)
class TasksTest {
    private static final String WITH_TASKS =
            "{\"elicitation\":{\"form\":{}},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

    private static GatewayHarness open() {
        return GatewayHarness.plan()
                .server(TestServer.of("one", SingleServerHarness.script(Era.MODERN))
                        .restartedByCalls())
                .server("two", SingleServerHarness.script(Era.MODERN))
                .server(TestServer.of("three", SingleServerHarness.script(Era.BOTH))
                        .with(EraPolicy.AUTO))
                .open();
    }

    private static EitherClient client(GatewayHarness gateway, EitherClient.Way way) {
        return new EitherClient(gateway, way, WITH_TASKS);
    }

    private static String created(EitherClient client, String tool, String arguments) {
        JsonView answer = client.call(tool, arguments);
        assertThat(answer.path("result", "resultType")).as(answer.json()).isNotNull();
        assertThat(Messages.text(answer, "result", "resultType"))
                .as(answer.json())
                .isEqualTo("task");
        return Messages.text(answer, "result", "taskId");
    }

    private static JsonView ask(EitherClient client, String method, String task, String more) {
        return client.ask(method, ",\"taskId\":\"" + task + "\"" + more);
    }

    private static JsonView polled(EitherClient client, String task) {
        return ask(client, "tasks/get", task, "");
    }

    private static JsonView awaitStatus(EitherClient client, String task, String status) {
        JsonView[] last = new JsonView[1];
        eventually("the task is " + status, () -> {
            last[0] = polled(client, task);
            assertThat(Messages.text(last[0], "result", "status"))
                    .as(last[0].json())
                    .isEqualTo(status);
        });
        return Objects.requireNonNull(last[0].member("result"));
    }

    @ParameterizedTest
    @EnumSource(names = {"STATELESS_HTTP", "STATELESS_STDIO"})
    void tasks_of_several_servers_are_polled_where_they_are(EitherClient.Way way) {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, way)) {
            List<String> tasks = List.of(
                    created(client, "one__slow_compute", "{\"seconds\":1,\"label\":\"a\"}"),
                    created(client, "two__slow_compute", "{\"seconds\":1,\"label\":\"b\"}"),
                    created(client, "three__slow_compute", "{\"seconds\":1,\"label\":\"c\"}"));
            List<String> said = tasks.stream()
                    .map(task -> awaitStatus(client, task, "completed").json())
                    .toList();
            assertThat(said.get(0)).contains("computed a");
            assertThat(said.get(1)).contains("computed b");
            assertThat(said.get(2)).contains("computed c");
        }
    }

    @Test
    void questions_of_a_task_name_their_server_and_are_answered_one_by_one() {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String task = created(client, "two__multi_input", "{}");
            JsonView asked = awaitStatus(client, task, "input_required");
            assertThat(Messages.text(asked, "inputRequests", "first", "params", "message"))
                    .startsWith("[two] ");
            String confirmed = "{\"action\":\"accept\",\"content\":{\"confirm\":true}}";
            ask(client, "tasks/update", task, ",\"inputResponses\":{\"first\":" + confirmed + "}");
            JsonView left = Objects.requireNonNull(polled(client, task).member("result"));
            assertThat(left.path("inputRequests", "first")).as(left.json()).isNull();
            assertThat(left.path("inputRequests", "second")).as(left.json()).isNotNull();
            ask(client, "tasks/update", task, ",\"inputResponses\":{\"second\":" + confirmed + "}");
            assertThat(awaitStatus(client, task, "completed").json()).contains("both parts are right");
        }
    }

    @Test
    void cancelled_task_is_cancelled_at_its_server() {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String task = created(client, "one__slow_compute", "{\"seconds\":600}");
            assertThat(ask(client, "tasks/cancel", task, "").member("result")).isNotNull();
            awaitStatus(client, task, "cancelled");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STATELESS_HTTP", "STATELESS_STDIO"})
    void process_that_is_ended_when_it_is_idle_is_kept_for_its_task(EitherClient.Way way) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .server("one", SingleServerHarness.script(Era.MODERN))
                        .idlePolicy("one", new IdlePolicy.Ephemeral(Duration.ofSeconds(1)))
                        .connectionSharing("one", new ConnectionSharing(Isolation.SESSION, 1))
                        .open();
                EitherClient client = client(gateway, way)) {
            String task = created(client, "one__slow_compute", "{\"seconds\":3,\"label\":\"a\"}");
            assertThat(awaitStatus(client, task, "completed").json()).contains("computed a");
            eventually(
                    "the process has ended",
                    () -> assertThat(gateway.processes()).isEmpty());
        }
    }

    @Test
    void long_result_of_a_task_is_cut_and_its_rest_can_be_read() {
        TestServer server = TestServer.of("one", SingleServerHarness.script(Era.MODERN))
                .policy(policy -> policy.withMaxResultBytes(500));
        try (GatewayHarness gateway = GatewayHarness.plan().server(server).open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP);
                EitherClient listener = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String label = "word ".repeat(400);
            String task = created(client, "one__slow_compute", "{\"seconds\":1,\"label\":\"" + label + "\"}");
            JsonView told;
            try (Wire.Stream stream = listener.wire().open(listen(task))) {
                told = Messages.at(awaitCompleted(stream, task), "params");
            }
            for (JsonView state : List.of(told, awaitStatus(client, task, "completed"))) {
                JsonView result = Messages.at(state, "result");
                String shown =
                        Messages.text(Messages.at(result, "content").elements().getFirst(), "text");
                assertThat(shown.length()).isBetween(100, 500);
                assertThat("computed " + label).startsWith(shown);
                String rest = Messages.text(result, "_meta", "fusebox/cut", "uri");
                JsonView read = client.ask("resources/read", ",\"uri\":\"" + rest + "\"");
                assertThat(Messages.at(read, "result", "contents").elements()).hasSize(1);
            }
        }
    }

    private static String listen(String... tasks) {
        String ids = Arrays.stream(tasks).map(JsonWriter::quoted).collect(Collectors.joining(","));
        return Messages.stateless(
                90, "subscriptions/listen", WITH_TASKS, ",\"notifications\":{\"taskIds\":[" + ids + "]}");
    }

    @Test
    void client_without_the_extension_is_told_what_is_missing() {
        try (GatewayHarness gateway = open();
                EitherClient able = client(gateway, EitherClient.Way.STATELESS_HTTP);
                EitherClient other = new EitherClient(gateway, EitherClient.Way.STATELESS_HTTP, Messages.ABLE);
                EitherClient session = new EitherClient(gateway, EitherClient.Way.SESSION_HTTP, Messages.ABLE)) {
            String task = created(able, "one__slow_compute", "{\"seconds\":600}");
            for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
                JsonView refused = ask(other, method, task, ",\"inputResponses\":{}");
                assertThat(Messages.at(refused, "error", "code").json()).isEqualTo("-32021");
                assertThat(refused.path(
                                "error", "data", "requiredCapabilities", "extensions", "io.modelcontextprotocol/tasks"))
                        .isNotNull();
                assertThat(Messages.at(ask(session, method, task, ""), "error", "code")
                                .json())
                        .isEqualTo("-32601");
            }
            assertThat(Messages.at(other.call("one__failing_job", "{}"), "error", "code")
                            .json())
                    .as("the server insists")
                    .isEqualTo("-32021");
        }
    }

    @Test
    void unknown_ids_are_refused() {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String task = created(client, "one__slow_compute", "{\"seconds\":600}");
            for (String id : List.of("", "7", task + "A", task.replace("t1.", "t1.A"))) {
                JsonView refused = polled(client, id);
                assertThat(Messages.at(refused, "error", "code").json())
                        .as(refused.json())
                        .isEqualTo("-32602");
            }
            assertThat(Messages.at(client.ask("tasks/get", ""), "error", "code").json())
                    .isEqualTo("-32602");
        }
    }

    /// The second principal is made by the test: clients of one gateway are those of its owner.
    @Test
    void task_of_one_principal_is_unknown_to_another() {
        try (GatewayHarness gateway = open();
                Router router = new Router(gateway.servers(), null)) {
            Principal ada = new Principal("ada");
            JsonView called =
                    answer(router, ada, "tools/call", "\"name\":\"two__slow_compute\",\"arguments\":{\"seconds\":600}");
            String task =
                    "\"taskId\":" + Messages.at(called, "result", "taskId").json();
            for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
                for (Principal other : List.of(Principal.OWNER, new Principal("ben"))) {
                    assertThat(answer(router, other, method, task).path("error", "code"))
                            .hasToString("-32602");
                }
            }
            assertThat(answer(router, ada, "tasks/get", task).path("result", "status"))
                    .hasToString("\"working\"");
        }
    }

    private static JsonView answer(Router router, Principal principal, String method, String members) {
        byte[] frame = Messages.stateless(1, method, WITH_TASKS, "," + members).getBytes(StandardCharsets.UTF_8);
        Message.Request request = Message.Request.of(frame);
        Deadline deadline = new Deadline(Duration.ofSeconds(30), Duration.ZERO, SingleServerHarness.PLATFORM.ticker());
        Call call = new Call(request, deadline, Caller.SILENT);
        ClientMetadata client = Objects.requireNonNull(ClientMetadata.of(request));
        return ((Outcome.Answered) router.call(call.of(client.of(principal))))
                .answer()
                .frame();
    }

    @Test
    void task_of_a_process_that_was_killed_has_failed_and_its_server_is_not_started_again() {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            client.call("two__greet", "{}");
            client.call("three__greet", "{}");
            List<Long> others = gateway.processes();
            String task = created(client, "one__slow_compute", "{\"seconds\":600}");
            Long process = gateway.processes().stream()
                    .filter(pid -> !others.contains(pid))
                    .findFirst()
                    .orElseThrow();
            assertThat(ProcessHandle.of(process).orElseThrow().destroyForcibly())
                    .isTrue();
            JsonView failed = awaitStatus(client, task, "failed");
            assertThat(Messages.text(failed, "error", "data", "fusebox/error", "server"))
                    .isEqualTo("one");
            assertThat(Messages.text(failed, "error", "data", "fusebox/error", "code"))
                    .isEqualTo("server_crashed");
            assertThat(ask(client, "tasks/cancel", task, "").member("result")).isNotNull();
            eventually(
                    "the killed process is gone",
                    () -> assertThat(gateway.processes()).doesNotContain(process));
            assertThat(gateway.processes()).as("no other was started").containsExactlyInAnyOrderElementsOf(others);
        }
    }

    @Test
    void task_that_has_ended_stays_as_it_is_when_its_process_ends() throws InterruptedException {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String task = created(client, "one__slow_compute", "{\"seconds\":1,\"label\":\"a\"}");
            awaitStatus(client, task, "completed");
            String label = "word ".repeat(4_000);
            String large = created(client, "one__slow_compute", "{\"seconds\":1,\"label\":\"" + label + "\"}");
            awaitStatus(client, large, "completed");
            assertThat(gateway.server("one").controls().restart().status()).isEqualTo(ServerStatus.ONLINE);
            assertThat(polled(client, task).json()).contains("completed", "computed a");
            assertThat(ask(client, "tasks/cancel", task, "").member("result")).isNotNull();
            JsonView gone = polled(client, large);
            assertThat(Messages.at(gone, "error", "code").json()).isEqualTo("-32602");
            assertThat(Messages.text(gone, "error", "message")).contains("has ended");
        }
    }

    @Test
    void end_of_a_task_by_a_restart_is_no_crash_of_its_server() throws InterruptedException {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String task = created(client, "one__slow_compute", "{\"seconds\":600}");
            assertThat(gateway.server("one").controls().restart().status()).isEqualTo(ServerStatus.ONLINE);
            JsonView failed = awaitStatus(client, task, "failed");
            assertThat(Messages.text(failed, "error", "data", "fusebox/error", "code"))
                    .isEqualTo("outcome_unknown");
            assertThat(Messages.text(failed, "error", "message")).contains("was ended by the gateway");
        }
    }

    @Test
    void subscribed_client_is_told_that_a_task_has_failed_because_its_server_was_removed() {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP);
                EitherClient listener = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String task = created(client, "one__slow_compute", "{\"seconds\":600}");
            try (Wire.Stream stream = listener.wire().open(listen(task))) {
                assertThat(Messages.text(Objects.requireNonNull(stream.next()), "method"))
                        .contains("acknowledged");
                gateway.reload(List.of(), Duration.ofSeconds(1));
                JsonView told = Objects.requireNonNull(stream.next());
                assertThat(Messages.text(told, "params", "taskId")).isEqualTo(task);
                assertThat(Messages.text(told, "params", "status")).isEqualTo("failed");
            }
        }
    }

    @Test
    void subscribed_client_is_told_of_tasks_under_its_own_ids() {
        try (GatewayHarness gateway = open();
                EitherClient client = client(gateway, EitherClient.Way.STATELESS_HTTP);
                EitherClient listener = client(gateway, EitherClient.Way.STATELESS_HTTP)) {
            String one = created(client, "one__confirm_delete", "{\"filename\":\"x\"}");
            String two = created(client, "two__confirm_delete", "{\"filename\":\"y\"}");
            awaitStatus(client, one, "input_required");
            awaitStatus(client, two, "input_required");
            try (Wire.Stream stream = listener.wire().open(listen(one, two, "forged"))) {
                JsonView acknowledged = Objects.requireNonNull(stream.next());
                assertThat(Messages.at(acknowledged, "params", "notifications", "taskIds")
                                .elements())
                        .extracting(JsonView::string)
                        .containsExactlyInAnyOrder(one, two);
                String confirmed = "{\"action\":\"accept\",\"content\":{\"confirm\":true}}";
                for (String task : List.of(two, one)) {
                    ask(client, "tasks/update", task, ",\"inputResponses\":{\"confirm\":" + confirmed + "}");
                    awaitCompleted(stream, task);
                }
            }
        }
    }

    /// The next notification that the task is completed. The first message is the acknowledgement, and the server may
    /// tell a state twice.
    private static JsonView awaitCompleted(Wire.Stream stream, String task) {
        JsonView told = Objects.requireNonNull(stream.next());
        while (!isCompleted(told, task)) {
            told = Objects.requireNonNull(stream.next());
        }
        assertThat(Messages.method(told)).isEqualTo("notifications/tasks");
        return told;
    }

    private static boolean isCompleted(JsonView told, String task) {
        JsonView params = told.member("params");
        return params != null && "completed".equals(params.string("status")) && task.equals(params.string("taskId"));
    }

    @Test
    void subscription_without_the_extension_is_refused() {
        try (GatewayHarness gateway = open();
                EitherClient other = new EitherClient(gateway, EitherClient.Way.STATELESS_HTTP, Messages.ABLE)) {
            JsonView refused = other.ask("subscriptions/listen", ",\"notifications\":{\"taskIds\":[\"7\"]}");
            assertThat(Messages.at(refused, "error", "code").json()).isEqualTo("-32021");
        }
    }
}
