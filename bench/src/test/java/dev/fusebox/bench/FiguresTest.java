package dev.fusebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void median_of_even_count_is_mean_of_middle_two() {
        assertThat(Figure.median(List.of(4.0, 1.0, 100.0, 2.0), each -> each)).isEqualTo(3);
    }

    @Test
    void median_is_taken_per_component() {
        Figure median =
                Figure.ofRounds(List.of(new Figure(1, 9, 6, 0), new Figure(3, 7, 4, 32), new Figure(2, 8, 5, 32)));
        assertThat(median).isEqualTo(new Figure(2, 8, 5, 32));
    }

    @Test
    void contending_threads_are_compared_by_elapsed_time() {
        Figure figure = new Figure(100, 50, 40, 0);
        assertThat(figure.compared(1)).isEqualTo(50);
        assertThat(figure.compared(2)).isEqualTo(100);
    }

    @Test
    void allocation_of_one_byte_per_call_is_detected() {
        Goal goal = Goal.ALL.getFirst();
        assertThat(goal.allowsBytes(0.4)).isTrue();
        assertThat(goal.allowsBytes(1)).isFalse();
    }
}
