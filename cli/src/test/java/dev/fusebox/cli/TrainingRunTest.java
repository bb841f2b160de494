package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class TrainingRunTest {
    private static final int CALLS = 50;
    private static final int SEARCHES = 10;

    @Test
    void training_calls_are_answered_on_all_front_ends() {
        assertThat(new TrainingRun(Platform.system(), CALLS, SEARCHES).run())
                .isEqualTo(3 * (1 + CALLS) + 2 * (1 + SEARCHES));
    }
}
