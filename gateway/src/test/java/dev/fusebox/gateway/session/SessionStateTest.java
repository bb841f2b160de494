package dev.fusebox.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.StateLossCause;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionStateTest {
    private final SessionState state = new SessionState(ClientHistory.none());

    @Test
    void replaced_generation_is_reported_once() {
        state.note("one", 1);
        assertThat(state.takeLoss("one", 1)).isNull();
        state.note("one", 2);
        assertThat(state.takeLoss("one", 2)).isEqualTo(StateLossCause.RECONFIGURED);
        assertThat(state.takeLoss("one", 2)).isNull();
    }

    @Test
    void generation_that_keeps_no_state_reports_the_loss_of_the_one_before_once() {
        state.note("one", 1);
        assertThat(state.takeLoss("one", 2)).isEqualTo(StateLossCause.RECONFIGURED);
        assertThat(state.takeLoss("one", 2)).isNull();
    }

    @Test
    void state_of_a_call_that_ends_late_is_reported_by_the_next_result_of_the_new_generation() {
        state.note("one", 2);
        assertThat(state.takeLoss("one", 2)).isNull();
        state.note("one", 1);
        assertThat(state.takeLoss("one", 1)).as("the process has answered").isNull();
        assertThat(state.takeLoss("one", 2)).isEqualTo(StateLossCause.RECONFIGURED);
        assertThat(state.takeLoss("one", 2)).isNull();
    }

    @Test
    void loss_with_a_former_gateway_is_reported_once_and_for_its_server_only() {
        ClientHistory history = new ClientHistory(Set.of("one"), StateLossCause.GATEWAY_ENDED, _ -> {});
        SessionState resumed = new SessionState(history);
        assertThat(resumed.takeLoss("two", 1)).isNull();
        assertThat(resumed.takeLoss("one", 1)).isEqualTo(StateLossCause.GATEWAY_ENDED);
        assertThat(resumed.takeLoss("one", 1)).isNull();
    }
}
