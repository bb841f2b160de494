package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.ClosedByInterruptException;
import org.junit.jupiter.api.Test;

/** How the JDK's channels tell of an interruption. */
class InterruptedChannelTest {
    @Test
    void channel_closed_by_an_interruption_is_neither_success_nor_failure() {
        Rig rig = Rig.consecutive(1);

        assertThatThrownBy(() -> rig.breaker.call(() -> {
                    throw new ClosedByInterruptException();
                }))
                .isInstanceOf(ClosedByInterruptException.class);

        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
    }
}
