package dev.fusebox.gateway.task;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.MemoryLease;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A call for a client without tasks whose remote server has answered with a task. The server has a plan for each
/// poll, and afterwards tells that it works.
@Timeout(60)
class TaskFollowerTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final ManualTime time = new ManualTime();
    private final TaskIds ids = new TaskIds(time.platform(), TaskKey.OF_THIS_RUN, SecretIds.system());
    private final ServerTasks tasks = new ServerTasks(time.platform(), "files", ids);
    private final List<String> reached = new CopyOnWriteArrayList<>();
    private final Queue<Outcome> plans = new ConcurrentLinkedQueue<>();
    private final Deadline deadline =
            new Deadline(LIMIT, Duration.ZERO, time.platform().ticker());
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final List<MemoryLease> leases = new CopyOnWriteArrayList<>();
    private final AtomicReference<MemoryLease> ofCall = new AtomicReference<>();
    private boolean acceptsUpdates = true;

    private Outcome answered(Call call) {
        Message.Request sent = call.settled().request();
        reached.add(sent.method());
        if (sent.method().equals("tasks/get")) {
            leases.add(Objects.requireNonNull(MemoryLease.current()));
        }
        if (sent.method().equals("tasks/update") && !acceptsUpdates) {
            return new Outcome.Answered(
                    Message.Answer.of(JsonRpcFrames.error(sent.id(), -32602, "no such question", null)));
        }
        Outcome plan = sent.method().equals("tasks/get") ? plans.poll() : null;
        return plan == null ? state("\"status\":\"working\",\"pollIntervalMs\":1000") : plan;
    }

    private static Outcome state(String members) {
        return new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(
                RequestId.of("1"), "{\"resultType\":\"complete\",\"taskId\":\"own\"," + members + "}")));
    }

    private Call call(String params) {
        Message.Request request =
                Message.Request.of(Messages.request(1, "tools/call", params).getBytes(StandardCharsets.UTF_8));
        return new Call(request, ClientMetadata.UNKNOWN, deadline, Caller.SILENT);
    }

    private void begin() {
        Call call = call("{\"name\":\"work\"}");
        Message.Answer answer = Message.Answer.of(JsonRpcFrames.result(
                call.request().id(),
                "{\"resultType\":\"task\",\"taskId\":\"own\",\"status\":\"working\",\"pollIntervalMs\":1000}"));
        Thread.ofVirtual().start(() -> {
            try (MemoryLease lease = MemoryLease.open(time.platform(), deadline)) {
                ofCall.set(lease);
                outcome.complete(tasks.begun(call, answer, null, this::answered));
            }
        });
    }

    private void poll() throws InterruptedException {
        time.awaitPending(1);
        time.advance(Duration.ofSeconds(1));
    }

    private CallFailure failure() {
        assertThat(outcome.join()).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome.join()).failure();
    }

    @Test
    void state_of_a_task_that_goes_on_takes_no_memory_of_the_call() throws InterruptedException {
        plans.add(state("\"status\":\"completed\",\"result\":{\"content\":[]}"));
        begin();
        poll();
        outcome.join();
        assertThat(leases).hasSize(1).doesNotContain(ofCall.get());
    }

    @Test
    void answers_that_are_not_accepted_end_the_call_and_cancel_its_task() {
        Call first = call("{\"name\":\"work\"}");
        Message.Answer begun = Message.Answer.of(JsonRpcFrames.result(
                first.request().id(), "{\"resultType\":\"task\",\"taskId\":\"own\",\"status\":\"input_required\"}"));
        plans.add(state("\"status\":\"input_required\",\"inputRequests\":{\"a\":{}}"));
        Outcome question = tasks.begun(first, begun, null, this::answered);
        String requestState = Messages.at(((Outcome.Answered) question).answer().frame(), "result", "requestState")
                .json();
        Call answers = call("{\"name\":\"work\",\"requestState\":" + requestState + ",\"inputResponses\":{\"a\":{}}}");
        assertThat(ServerTasks.continuesTask(answers)).isTrue();
        acceptsUpdates = false;
        outcome.complete(tasks.resumed(answers, this::answered));
        assertThat(failure().id()).isEqualTo(ErrorId.OUTCOME_UNKNOWN);
        assertThat(failure().message()).contains("did not accept the answers").contains("no such question");
        eventually(
                "the task is cancelled",
                () -> assertThat(reached).containsExactly("tasks/get", "tasks/update", "tasks/cancel"));
    }

    @Test
    void polls_go_on_while_the_breaker_of_the_server_is_open() throws InterruptedException {
        CallFailure open = CallFailure.notSent(ErrorId.BREAKER_OPEN, FailureCategory.OFFLINE, "open");
        plans.addAll(List.of(new Outcome.Failed(open), new Outcome.Failed(open)));
        plans.add(state("\"status\":\"completed\",\"result\":{\"content\":[]}"));
        begin();
        for (int polls = 1; polls <= 3; polls++) {
            poll();
            int all = polls;
            eventually("the server is polled", () -> assertThat(reached).hasSize(all));
        }
        assertThat(outcome.join()).isInstanceOf(Outcome.Answered.class);
        assertThat(reached).containsOnly("tasks/get");
    }

    @Test
    void call_ends_when_its_server_is_removed() throws InterruptedException {
        plans.add(new Outcome.Failed(CallFailure.notSent(ErrorId.CANCELLED, "the server was removed")));
        begin();
        poll();
        assertThat(failure().message()).isEqualTo("the server was removed");
        assertThat(failure().delivery()).as("the tool was called").isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void state_that_goes_backwards_is_polled_on() throws InterruptedException {
        plans.add(state("\"status\":\"input_required\",\"pollIntervalMs\":1000,\"inputRequests\":{}"));
        plans.add(state("\"status\":\"submitted\",\"pollIntervalMs\":1000"));
        plans.add(state("\"status\":\"working\",\"pollIntervalMs\":-7"));
        plans.add(state("\"status\":\"completed\",\"result\":{\"content\":[]}"));
        begin();
        for (int polls = 1; polls <= 4; polls++) {
            poll();
            int all = polls;
            eventually("the server is polled", () -> assertThat(reached).hasSize(all));
        }
        assertThat(outcome.join()).isInstanceOf(Outcome.Answered.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancelled", "completed"})
    void task_without_a_result_leaves_the_outcome_unknown(String status) throws InterruptedException {
        plans.add(state("\"status\":\"" + status + "\""));
        begin();
        poll();
        assertThat(failure().message()).contains(status + " the task of the call");
        assertThat(failure().delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void call_that_was_given_up_between_two_polls_cancels_its_task_at_once() throws InterruptedException {
        begin();
        time.awaitPending(1);
        deadline.giveUp();
        assertThat(failure().id()).isEqualTo(ErrorId.CANCELLED);
        eventually("the task is cancelled", () -> assertThat(reached).containsExactly("tasks/cancel"));
    }
}
