package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Over five seconds: as many calls as the AOT caches are trained with.
@Tag("process")
class TrainingRunTest {
    @Test
    void training_calls_are_answered_on_all_front_ends() {
        assertThat(new TrainingRun(Platform.system()).run())
                .isEqualTo(3 * (1 + TrainingRun.CALLS) + 2 * (1 + TrainingRun.SEARCHES));
    }
}
