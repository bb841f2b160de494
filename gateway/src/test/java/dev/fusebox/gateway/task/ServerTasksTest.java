package dev.fusebox.gateway.task;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The tasks of one server, which is a list of the requests that reached it.
///
/// Over five seconds: a million polls.
class ServerTasksTest {
    private static final String PLAIN = ",\"_meta\":{\"fusebox/error\":{},\"kept\":1}";

    private final ManualTime time = new ManualTime();
    private final TaskIds ids = new TaskIds(time.platform(), TaskKey.OF_THIS_RUN, SecretIds.system());
    private final ServerTasks tasks = new ServerTasks(time.platform(), "files", ids);
    private final List<JsonView> reached = new ArrayList<>();
    private final List<Thread> polling = new CopyOnWriteArrayList<>();
    private Runnable onRequest = () -> {};
    private String state = "\"status\":\"working\",\"pollIntervalMs\":1000";

    private static final ClientMetadata ABLE = ClientMetadata.UNKNOWN.withExtension(AnnouncedExtensions.TASKS);

    private Call call(String method, String params) {
        Message.Request request =
                Message.Request.of(Messages.request(7, method, params).getBytes(StandardCharsets.UTF_8));
        return new Call(
                request,
                ABLE,
                new Deadline(
                        Duration.ofMinutes(1), Duration.ZERO, time.platform().ticker()),
                Caller.SILENT);
    }

    /// Begins a task of a remote server; returns the client's id.
    private String begun() {
        Call call = call("tools/call", "{}");
        Message.Answer answer = Message.Answer.of(JsonRpcFrames.result(
                call.request().id(), "{\"resultType\":\"task\",\"taskId\":\"own\"," + state + "}"));
        return Messages.text(result(tasks.begun(call, answer, null, this::answered)), "taskId");
    }

    private static JsonView result(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return Objects.requireNonNull(((Outcome.Answered) outcome).answer().result(), "an error");
    }

    private JsonView request(String method, String shown, String more) {
        TaskId id = Objects.requireNonNull(ids.verify(shown, Principal.OWNER), "an invalid id");
        return result(tasks.request(id, call(method, "{\"taskId\":\"" + shown + "\"" + more + "}"), this::answered));
    }

    private JsonView poll(String shown) {
        return request("tasks/get", shown, "");
    }

    private Outcome answered(Call call) {
        Message.Request sent = call.settled().request();
        reached.add(sent.frame());
        onRequest.run();
        String result = sent.method().equals("tasks/get") ? ",\"taskId\":\"own\"," + state : "";
        return new Outcome.Answered(
                Message.Answer.of(JsonRpcFrames.result(sent.id(), "{\"resultType\":\"complete\"" + result + "}")));
    }

    @Test
    void server_gets_its_own_id_and_the_client_sees_only_the_gateways() {
        String shown = begun();
        time.advance(Duration.ofSeconds(1));
        assertThat(poll(shown).string("taskId")).isEqualTo(shown);
        request("tasks/update", shown, ",\"inputResponses\":{\"taskId\":{}}");
        assertThat(reached)
                .extracting(frame -> Messages.text(frame, "params", "taskId"))
                .containsOnly("own");
        assertThat(reached.getLast().path("params", "inputResponses", "taskId")).isNotNull();
    }

    @Test
    void server_is_polled_once_in_its_interval_however_often_clients_poll() {
        String shown = begun();
        for (int poll = 0; poll < 1_000_000; poll++) {
            time.advance(Duration.ofMillis(1));
            assertThat(poll(shown).string("status")).isEqualTo("working");
        }
        assertThat(reached).hasSize(1_000);
    }

    /// The first poll finds no state, and the answer to it comes when the others wait.
    @Test
    @Timeout(30)
    void polls_at_the_same_time_are_one_request() throws InterruptedException {
        state = "\"status\":\"input_required\",\"pollIntervalMs\":1000";
        String shown = begun();
        CountDownLatch isReached = new CountDownLatch(1);
        onRequest = () -> {
            isReached.countDown();
            eventually(
                    "nine polls wait",
                    () -> polling.stream().filter(ServerTasksTest::waits).count() == 9);
        };
        List<JsonView> told = new CopyOnWriteArrayList<>();
        polling.add(Thread.ofPlatform().start(() -> told.add(poll(shown))));
        isReached.await();
        for (int i = 0; i < 9; i++) {
            polling.add(Thread.ofPlatform().start(() -> told.add(poll(shown))));
        }
        for (Thread each : polling) {
            each.join();
        }
        assertThat(told)
                .hasSize(10)
                .allSatisfy(state -> assertThat(state.string("status")).isEqualTo("input_required"));
        assertThat(reached).hasSize(1);
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING;
    }

    @Test
    void long_state_of_a_task_that_goes_on_is_polled_once_in_its_interval_too() {
        state = "\"status\":\"input_required\",\"pollIntervalMs\":1000,\"inputRequests\":{\"q\":\"" + "x".repeat(60_000)
                + "\"}";
        String shown = begun();
        for (int poll = 0; poll < 10; poll++) {
            assertThat(poll(shown).string("status")).isEqualTo("input_required");
        }
        assertThat(reached).hasSize(1);
    }

    @Test
    void answer_to_the_call_answers_polls_only_if_it_is_a_complete_state() {
        String working = begun();
        assertThat(poll(working).string("resultType")).isEqualTo("complete");
        assertThat(reached).isEmpty();
        state = "\"status\":\"input_required\",\"pollIntervalMs\":1000";
        poll(begun());
        assertThat(reached).hasSize(1);
        state = "\"status\":\"completed\",\"pollIntervalMs\":1000";
        poll(begun());
        assertThat(reached).hasSize(2);
    }

    @Test
    void poll_after_a_notification_asks_the_server() {
        String shown = begun();
        TaskId id = Objects.requireNonNull(ids.verify(shown, Principal.OWNER));
        Message.Notification told = Message.Notification.of(JsonRpcFrames.notification(
                "notifications/tasks", "{\"taskId\":\"own\",\"status\":\"completed\",\"result\":{}}"));
        assertThat(Messages.text(tasks.onNotification(id, shown, told).frame(), "params", "taskId"))
                .isEqualTo(shown);
        assertThat(poll(shown).string("resultType")).isEqualTo("complete");
        assertThat(reached).hasSize(1);
    }

    @Test
    void interval_of_the_last_state_counts() {
        String shown = begun();
        time.advance(Duration.ofSeconds(1));
        state = "\"status\":\"working\",\"pollIntervalMs\":5000";
        poll(shown);
        time.advance(Duration.ofMillis(4_999));
        poll(shown);
        assertThat(reached).hasSize(1);
        time.advance(Duration.ofMillis(1));
        poll(shown);
        assertThat(reached).hasSize(2);
    }

    @Test
    void change_by_the_client_is_seen_at_the_next_poll() {
        String shown = begun();
        request("tasks/cancel", shown, "");
        state = "\"status\":\"cancelled\",\"pollIntervalMs\":1000";
        assertThat(poll(shown).string("status")).isEqualTo("cancelled");
    }

    @Test
    void interval_that_is_no_number_does_not_hold_polls() {
        state = "\"status\":\"working\",\"pollIntervalMs\":\"soon\"";
        String shown = begun();
        poll(shown);
        poll(shown);
        assertThat(reached).hasSize(2);
    }

    @Test
    void server_cannot_forbid_polls_for_long() {
        state = "\"status\":\"working\",\"pollIntervalMs\":1e300";
        String shown = begun();
        time.advance(Duration.ofMinutes(10));
        poll(shown);
        assertThat(reached).hasSize(1);
    }

    @Test
    void reserved_keys_of_the_server_are_removed_from_the_result_of_a_task() {
        String shown = begun();
        time.advance(Duration.ofSeconds(1));
        state = "\"status\":\"completed\",\"result\":{\"content\":[]" + PLAIN + "}";
        JsonView result = poll(shown);
        assertThat(result.path("result", "_meta", "fusebox/error")).isNull();
        assertThat(result.path("result", "_meta", "kept")).isNotNull();
    }

    @Test
    void answer_without_an_id_fails_the_call() {
        Call call = call("tools/call", "{}");
        for (String id : List.of("", ",\"taskId\":7", ",\"taskId\":\"" + "x".repeat(3_000) + "\"")) {
            Message.Answer answer =
                    Message.Answer.of(JsonRpcFrames.result(call.request().id(), "{\"resultType\":\"task\"" + id + "}"));
            assertThat(tasks.begun(call, answer, null, this::answered)).isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    void forgotten_task_of_a_process_that_is_not_known_is_asked_at_no_other() {
        TaskId id = new TaskId(
                "files", "17", ids.process(4711), time.instant(), time.instant().plusSeconds(60));
        String shown = ids.sign(id, Principal.OWNER);
        Outcome outcome = tasks.request(id, call("tasks/get", "{\"taskId\":\"" + shown + "\"}"), this::answered);
        JsonView frame = ((Outcome.Answered) outcome).answer().frame();
        assertThat(Messages.at(frame, "error", "code").json()).isEqualTo("-32602");
        assertThat(reached).isEmpty();
    }

    @Test
    void ten_thousand_tasks_can_all_be_polled() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            // With the time, each of them is another task.
            time.advance(Duration.ofMillis(1));
            all.add(begun());
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(all)
                .allSatisfy(shown -> assertThat(poll(shown).string("status")).isEqualTo("working"));
    }

    @Test
    void states_of_all_tasks_together_need_a_limited_memory() {
        state = "\"status\":\"input_required\",\"pollIntervalMs\":600000,\"inputRequests\":{\"q\":\""
                + "x".repeat(60_000) + "\"}";
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            time.advance(Duration.ofMillis(1));
            all.add(begun());
            poll(all.getLast());
        }
        assertThat(reached).hasSize(200);
        all.reversed().stream().limit(60).forEach(this::poll);
        assertThat(reached).as("the last states are kept").hasSize(200);
        poll(all.getFirst());
        assertThat(reached).as("the first state is not").hasSize(201);
        poll(all.getFirst());
        assertThat(reached).as("it is the last one again").hasSize(201);
    }
}
