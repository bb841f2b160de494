package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaOrderTest {
    private static ReplicaOrder.Candidate<String> ready(String name, int load) {
        return new ReplicaOrder.Candidate<>(name, true, load);
    }

    private static ReplicaOrder.Candidate<String> down(String name, int load) {
        return new ReplicaOrder.Candidate<>(name, false, load);
    }

    @Test
    void least_loaded_replica_is_first_and_ties_keep_their_order() {
        assertThat(ReplicaOrder.order(List.of(ready("a", 2), ready("b", 1), ready("c", 1))))
                .containsExactly("b", "c", "a");
    }

    @Test
    void failed_replica_is_skipped_while_others_are_healthy() {
        assertThat(ReplicaOrder.order(List.of(down("a", 0), ready("b", 9), down("c", 0), ready("d", 3))))
                .containsExactly("d", "b");
    }

    @Test
    void no_more_than_half_are_left_out() {
        assertThat(ReplicaOrder.order(List.of(down("a", 3), down("b", 0), ready("c", 9))))
                .containsExactly("c", "b");
        assertThat(ReplicaOrder.order(List.of(down("a", 3), down("b", 0), down("c", 1))))
                .containsExactly("b", "c");
        assertThat(ReplicaOrder.order(List.of(down("a", 3)))).containsExactly("a");
    }

    @Test
    void every_ready_replica_is_tried_once_in_any_state() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            List<ReplicaOrder.Candidate<Integer>> all = new ArrayList<>();
            int size = 1 + random.nextInt(8);
            for (int each = 0; each < size; each++) {
                all.add(new ReplicaOrder.Candidate<>(each, random.nextBoolean(), random.nextInt(4)));
            }
            List<Integer> order = ReplicaOrder.order(all);
            assertThat(order).as("seed %d, %s", seed, all).doesNotHaveDuplicates();
            assertThat(order.size()).as("seed %d, %s", seed, all).isGreaterThanOrEqualTo((size + 1) / 2);
            assertThat(order)
                    .as("seed %d, %s", seed, all)
                    .containsAll(all.stream()
                            .filter(ReplicaOrder.Candidate::isReady)
                            .map(ReplicaOrder.Candidate::server)
                            .toList());
        }
    }
}
