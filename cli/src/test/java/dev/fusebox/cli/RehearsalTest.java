package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.world.World;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    @Test
    void a_rehearsal_is_answered_over_both_fronts() {
        assertThat(new Rehearsal(World.system()).run()).isEqualTo(4);
    }
}
