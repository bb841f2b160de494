package dev.fusebox.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.gateway.served.Outlet;
import dev.fusebox.gateway.served.QuestionLimit;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.ManualTime;
import org.junit.jupiter.api.Test;

class CallsTest {
    private static final Outlet SILENT = new Outlet() {
        @Override
        public void send(byte[] frame) {
            // Nothing is sent here.
        }

        @Override
        public void finish(byte[] answer) {
            // Nothing is sent here.
        }

        @Override
        public void abandon() {
            // Nothing is sent here.
        }
    };

    private final ManualTime time = new ManualTime();
    private final Calls calls = new Calls(2, 1 << 20);
    private final Message.Request request =
            Message.Request.of(JsonRpcFrames.request(RequestId.of("one"), "tools/call", null));

    private Calls.Ongoing call(boolean isCancellable) {
        Deadline deadline = Deadline.endless(time.platform().ticker());
        return new Calls.Ongoing(deadline, SILENT, QuestionLimit.USUAL.budget("server"), isCancellable);
    }

    private Calls.Ongoing entered(boolean isCancellable) {
        Calls.Ongoing call = call(isCancellable);
        assertThat(calls.enter(request, call)).isEqualTo(Calls.Entry.ADMITTED);
        return call;
    }

    @Test
    void call_that_was_cancelled_before_its_answer_is_handed_over_is_not_answered() {
        Calls.Ongoing call = entered(true);

        calls.cancel(request.id());

        assertThat(call.deadline().isGivenUp()).isTrue();
        assertThat(calls.leave(request, call)).isFalse();
    }

    @Test
    void cancellation_after_the_answer_was_handed_over_has_no_effect() {
        Calls.Ongoing call = entered(true);

        assertThat(calls.leave(request, call)).isTrue();
        calls.cancel(request.id());

        assertThat(call.deadline().isGivenUp()).isFalse();
    }

    @Test
    void late_end_of_a_cancelled_call_leaves_the_next_call_of_the_same_id_alone() {
        Calls.Ongoing cancelled = entered(true);
        calls.cancel(request.id());
        Calls.Ongoing next = entered(true);

        assertThat(calls.leave(request, cancelled)).isFalse();
        assertThat(calls.leave(request, next)).isTrue();
        assertThat(calls.isEmpty()).isTrue();
    }

    @Test
    void cancelled_call_keeps_its_place_until_it_has_ended() {
        Calls.Ongoing cancelled = entered(true);
        calls.cancel(request.id());
        Calls.Ongoing next = entered(true);
        calls.cancel(request.id());

        assertThat(calls.enter(request, call(true))).isEqualTo(Calls.Entry.REFUSED);
        calls.leave(request, cancelled);
        assertThat(calls.enter(request, call(true))).isEqualTo(Calls.Entry.ADMITTED);
        assertThat(calls.leave(request, next)).isFalse();
    }

    @Test
    void handshake_cannot_be_cancelled() {
        Calls.Ongoing handshake = entered(false);

        calls.cancel(request.id());

        assertThat(handshake.deadline().isGivenUp()).isFalse();
        assertThat(calls.leave(request, handshake)).isTrue();
    }
}
