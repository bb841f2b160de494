package dev.fusebox.gateway.upstream;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Principal;
import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.task.ServerTasks;
import dev.fusebox.gateway.task.TaskId;
import dev.fusebox.gateway.task.TaskIds;
import dev.fusebox.gateway.task.TaskKey;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The notifications about tasks of one server, which accepts every subscription and tells one state.
@Timeout(60)
class TaskWatchTest {
    private static final ClientMetadata ABLE = ClientMetadata.UNKNOWN.withExtension(AnnouncedExtensions.TASKS);

    private final ManualTime time = new ManualTime();
    private final TaskIds ids = new TaskIds(time.platform(), TaskKey.OF_THIS_RUN, SecretIds.system());
    private final ServerTasks tasks = new ServerTasks(time.platform(), "files", ids);
    private final List<String> told = new CopyOnWriteArrayList<>();

    private final AtomicInteger listens = new AtomicInteger();
    private int removedAfter = Integer.MAX_VALUE;

    private Outcome listened(Call call) {
        listens.incrementAndGet();
        call.caller()
                .onNotification(Message.Notification.of(JsonRpcFrames.notification(
                        "notifications/subscriptions/acknowledged",
                        "{\"notifications\":{\"taskIds\":[\"same\",\"other\"]}}")));
        for (String task : List.of("same", "unknown")) {
            call.caller()
                    .onNotification(Message.Notification.of(JsonRpcFrames.notification(
                            "notifications/tasks", "{\"taskId\":\"" + task + "\",\"status\":\"completed\"}")));
        }
        return new Outcome.Failed(CallFailure.cancelled());
    }

    /// Begins a task; returns the client's id.
    private String begun(String own) {
        time.advance(Duration.ofMillis(1));
        byte[] frame = JsonRpcFrames.request(RequestId.of("1"), "tools/call", "{}");
        Deadline deadline = new Deadline(
                Duration.ofMinutes(1), Duration.ZERO, time.platform().ticker());
        Call call = new Call(Message.Request.of(frame), ABLE, deadline, Caller.SILENT);
        Message.Answer answer = Message.Answer.of(JsonRpcFrames.result(
                call.request().id(), "{\"resultType\":\"task\",\"taskId\":\"" + own + "\",\"status\":\"working\"}"));
        Outcome outcome = tasks.begun(call, answer, null, never -> new Outcome.Failed(CallFailure.cancelled()));
        return Messages.text(((Outcome.Answered) outcome).answer().frame(), "result", "taskId");
    }

    private TaskWatch watch(Map<String, TaskId> watched) {
        return new TaskWatch(
                time.platform(),
                new TaskWatch.Server("files", tasks, this::listened, () -> listens.get() >= removedAfter),
                watched,
                notification -> told.add(Messages.text(notification.frame(), "params", "taskId")));
    }

    @Test
    void subscription_to_a_task_is_not_opened_again_at_a_server_that_is_removed() {
        removedAfter = 2;
        TaskWatch watch = begunWatch("other");
        eventually("it was opened once more", () -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(listens).hasValue(2);
        });
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofMinutes(1));
            assertThat(listens).hasValue(2);
        }
        watch.end();
    }

    private TaskWatch begunWatch(String own) {
        String shown = begun(own);
        TaskWatch watch = watch(Map.of(shown, Objects.requireNonNull(ids.verify(shown, Principal.OWNER))));
        watch.begin(ABLE);
        return watch;
    }

    @Test
    void subscription_to_tasks_that_have_ended_is_not_opened_again() {
        TaskWatch watch = begunWatch("same");
        eventually("the client is told", () -> assertThat(told).hasSize(1));
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofMinutes(1));
            assertThat(listens).hasValue(1);
        }
        watch.end();
    }

    @Test
    void task_that_a_client_has_under_two_ids_is_reported_under_both() throws InterruptedException {
        Map<String, TaskId> watched = new LinkedHashMap<>();
        for (String own : List.of("same", "same", "other")) {
            String shown = begun(own);
            watched.put(shown, Objects.requireNonNull(ids.verify(shown, Principal.OWNER)));
        }
        List<String> shown = List.copyOf(watched.keySet());
        TaskWatch watch = watch(watched);
        watch.begin(ABLE);
        Deadline deadline = Deadline.endless(time.platform().ticker());
        assertThat(watch.granted(deadline)).containsExactlyInAnyOrderElementsOf(shown);
        eventually("both are told", () -> assertThat(told).containsExactlyInAnyOrder(shown.getFirst(), shown.get(1)));
        watch.end();
    }
}
