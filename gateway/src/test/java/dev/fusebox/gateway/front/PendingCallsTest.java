package dev.fusebox.gateway.front;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.ManualTime;
import org.junit.jupiter.api.Test;

class PendingCallsTest {
    private static final ClientChannel SILENT = new ClientChannel() {
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
    private final PendingCalls pendingCalls = new PendingCalls(2, 1 << 20);
    private final Message.Request request =
            Message.Request.of(JsonRpcFrames.request(RequestId.of("one"), "tools/call", null));

    private PendingCalls.Ongoing call(boolean isCancellable) {
        Deadline deadline = Deadline.endless(time.platform().ticker());
        return new PendingCalls.Ongoing(deadline, SILENT, ServerRequestLimit.USUAL.budget("server"), isCancellable);
    }

    private PendingCalls.Ongoing entered(boolean isCancellable) {
        PendingCalls.Ongoing call = call(isCancellable);
        assertThat(pendingCalls.enter(request, call)).isEqualTo(PendingCalls.Entry.ADMITTED);
        return call;
    }

    @Test
    void call_cancelled_before_its_response_is_sent_is_not_answered() {
        PendingCalls.Ongoing call = entered(true);

        pendingCalls.cancel(request.id());

        assertThat(call.deadline().isGivenUp()).isTrue();
        assertThat(pendingCalls.leave(request, call)).isFalse();
    }

    @Test
    void cancellation_after_the_response_was_sent_has_no_effect() {
        PendingCalls.Ongoing call = entered(true);

        assertThat(pendingCalls.leave(request, call)).isTrue();
        pendingCalls.cancel(request.id());

        assertThat(call.deadline().isGivenUp()).isFalse();
    }

    @Test
    void late_end_of_a_cancelled_call_does_not_affect_the_next_call_with_its_id() {
        PendingCalls.Ongoing cancelled = entered(true);
        pendingCalls.cancel(request.id());
        PendingCalls.Ongoing next = entered(true);

        assertThat(pendingCalls.leave(request, cancelled)).isFalse();
        assertThat(pendingCalls.leave(request, next)).isTrue();
        assertThat(pendingCalls.isEmpty()).isTrue();
    }

    @Test
    void cancelled_call_counts_until_it_has_ended() {
        PendingCalls.Ongoing cancelled = entered(true);
        pendingCalls.cancel(request.id());
        PendingCalls.Ongoing next = entered(true);
        pendingCalls.cancel(request.id());

        assertThat(pendingCalls.enter(request, call(true))).isEqualTo(PendingCalls.Entry.REFUSED);
        pendingCalls.leave(request, cancelled);
        assertThat(pendingCalls.enter(request, call(true))).isEqualTo(PendingCalls.Entry.ADMITTED);
        assertThat(pendingCalls.leave(request, next)).isFalse();
    }

    @Test
    void handshake_cannot_be_cancelled() {
        PendingCalls.Ongoing handshake = entered(false);

        pendingCalls.cancel(request.id());

        assertThat(handshake.deadline().isGivenUp()).isFalse();
        assertThat(pendingCalls.leave(request, handshake)).isTrue();
    }
}
