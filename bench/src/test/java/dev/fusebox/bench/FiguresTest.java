package dev.fusebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assertThat(Figure.median(List.of(4.0, 1.0, 100.0, 2.0), each -> each)).isEqualTo(3);
    }

    @Test
    void the_median_of_rounds_is_taken_for_each_part() {
        Figure median =
                Figure.ofRounds(List.of(new Figure(1, 9, 6, 0), new Figure(3, 7, 4, 32), new Figure(2, 8, 5, 32)));
        assertThat(median).isEqualTo(new Figure(2, 8, 5, 32));
    }

    @Test
    void threads_that_wait_for_each_other_are_compared_by_the_time_that_goes_by() {
        Figure figure = new Figure(100, 50, 40, 0);
        assertThat(figure.compared(1)).isEqualTo(50);
        assertThat(figure.compared(2)).isEqualTo(100);
    }

    @Test
    void a_byte_that_is_allocated_for_a_call_is_seen() {
        Goal goal = Goal.ALL.getFirst();
        assertThat(goal.allowsBytes(0.4)).isTrue();
        assertThat(goal.allowsBytes(1)).isFalse();
    }
}
