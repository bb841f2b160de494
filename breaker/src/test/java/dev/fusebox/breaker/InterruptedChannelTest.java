package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.ClosedByInterruptException;
import org.junit.jupiter.api.Test;

/** How the JDK's channels tell of an interruption. */
class InterruptedChannelTest {
    @Test
    void a_channel_that_was_closed_by_an_interruption_says_nothing_about_the_server() {
        Rig rig = Rig.consecutive(1);

        assertThatThrownBy(() -> rig.breaker.call(() -> {
                    throw new ClosedByInterruptException();
                }))
                .isInstanceOf(ClosedByInterruptException.class);

        assertThat(rig.state()).isEqualTo(State.CLOSED);
        assertThat(rig.totals().abandoned()).isEqualTo(1);
    }
}
