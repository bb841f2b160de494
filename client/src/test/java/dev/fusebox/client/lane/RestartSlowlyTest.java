package dev.fusebox.client.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.lane.Turnstile.Limits;
import dev.fusebox.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How a server that is back gets its calls: one, then two, then four.
@Timeout(60)
class RestartSlowlyTest {
    private final ManualTime time = new ManualTime();
    private final Turnstile turnstile = new Turnstile(new Limits(10, 100, 1_000_000), time.world());
    private final Visitors visitors = new Visitors(time, turnstile);

    @Test
    void one_call_is_let_in_then_two_then_four_up_to_the_usual_limit() throws Exception {
        turnstile.restartSlowly();
        List<Integer> limits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            limits.add(turnstile.limit());
            var place = visitors.inside("a", 1);
            place.answered();
            place.close();
        }
        assertThat(limits).containsExactly(1, 2, 4, 8, 10, 10);
    }

    @Test
    void whoever_waits_comes_in_as_answers_arrive() throws Exception {
        turnstile.restartSlowly();
        var first = visitors.inside("a", 1);
        var second = visitors.waiting("b", 1);
        var third = visitors.waiting("c", 1);
        var fourth = visitors.waiting("d", 1);
        first.answered();
        first.close();
        var place = second.place();
        third.place();
        assertThat(fourth.task().isDone()).isFalse();
        assertThat(turnstile.inside()).isEqualTo(2);
        place.answered();
        place.close();
        fourth.place();
    }

    @Test
    void a_call_that_is_not_answered_makes_room_for_one() throws Exception {
        turnstile.restartSlowly();
        var first = visitors.inside("a", 1);
        var second = visitors.waiting("b", 1);
        var third = visitors.waiting("c", 1);
        first.close();
        second.place();
        assertThat(third.task().isDone()).isFalse();
        assertThat(turnstile.limit()).isEqualTo(1);
    }

    @Test
    void calls_from_before_neither_stand_in_the_way_nor_speak_for_the_server() throws Exception {
        var before = visitors.inside("a", 1);
        turnstile.restartSlowly();
        visitors.inside("b", 1);
        before.answered();
        before.close();
        assertThat(turnstile.limit()).isEqualTo(1);
        visitors.waiting("c", 1);
    }

    @Test
    void calls_from_before_count_for_the_usual_limit() throws Exception {
        for (int i = 0; i < 10; i++) {
            visitors.inside("a", 1);
        }
        turnstile.restartSlowly();
        visitors.waiting("b", 1);
        assertThat(turnstile.inside()).isEqualTo(10);
    }

    @Test
    void a_second_outage_begins_anew() throws Exception {
        turnstile.restartSlowly();
        visitors.inside("a", 1);
        var waiting = visitors.waiting("b", 1);
        turnstile.restartSlowly();
        var again = waiting.place();
        visitors.waiting("c", 1);
        again.answered();
        assertThat(turnstile.limit()).isEqualTo(1);
        again.close();
        assertThat(turnstile.limit()).isEqualTo(2);
    }
}
