package dev.fusebox.gateway.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TaskResultTest {
    private static final String DONE =
            "{\"resultType\":\"complete\",\"taskId\":\"7\",\"status\":\"completed\",\"result\":{\"content\":[]}}";

    private static Outcome answered(String result) {
        return new Outcome.Answered(Message.Answer.of(JsonRpcFrames.result(RequestId.of(1), result)));
    }

    private static JsonView result(Outcome outcome) {
        return Objects.requireNonNull(((Outcome.Answered) outcome).answer().result());
    }

    private static Outcome refused(Outcome of) {
        return new Outcome.Failed(CallFailure.of(
                ErrorId.RESULT_TOO_LARGE, "the result has " + result(of).length() + " bytes"));
    }

    @Test
    void result_is_that_which_the_rules_give() {
        Outcome shown = TaskResult.limitedResponse(answered(DONE), "s", whole -> answered("{\"content\":[7]}"));
        assertThat(result(shown).json()).isEqualTo(DONE.replace("[]", "[7]"));
    }

    @Test
    void refused_result_is_one_of_a_call_that_failed_and_the_task_is_completed_all_the_same() {
        JsonView shown = result(TaskResult.limitedResponse(answered(DONE), "s", TaskResultTest::refused));
        assertThat(shown.string("status")).isEqualTo("completed");
        assertThat(Messages.at(shown, "result", "isError")).hasToString("true");
        assertThat(Messages.text(shown, "result", "_meta", "fusebox/error", "server"))
                .isEqualTo("s");
        assertThat(Messages.text(
                        Messages.at(shown, "result", "content").elements().getFirst(), "text"))
                .contains("the result has 14 bytes");
    }

    @Test
    void notification_is_treated_like_a_poll() {
        Message.Notification told = Message.Notification.of(JsonRpcFrames.notification("notifications/tasks", DONE));
        assertThat(Messages.at(
                        TaskResult.limitedNotification(told, "s", TaskResultTest::refused)
                                .frame(),
                        "params",
                        "result",
                        "isError"))
                .hasToString("true");
        assertThat(TaskResult.limitedNotification(told, "s", whole -> whole)).isSameAs(told);
    }

    @Test
    void state_without_a_result_and_a_failure_are_as_they_were() {
        Outcome working = answered("{\"taskId\":\"7\",\"status\":\"working\"}");
        assertThat(TaskResult.limitedResponse(working, "s", TaskResultTest::refused))
                .isSameAs(working);
        Outcome failed = new Outcome.Failed(CallFailure.cancelled());
        assertThat(TaskResult.limitedResponse(failed, "s", TaskResultTest::refused))
                .isSameAs(failed);
    }
}
