package dev.fusebox.gateway.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Principal;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/// Cut text is kept for its time, for its owner, and within the memory that there is for it.
class ResultStoreTest {
    private static final long MEMORY = 100_000;
    private static final Duration TIME = Duration.ofMinutes(10);

    private final ManualTime time = new ManualTime();
    private final ResultStore store = new ResultStore(time.platform(), SecretIds.system(), MEMORY);
    private final Object place = new Object();
    private final ResultStore.Owner owner = new ResultStore.Owner(Principal.OWNER, place);

    private static DividedText text(int length) {
        return Objects.requireNonNull(DividedText.of("x".repeat(length), 0, new TextBudget(100, 100)));
    }

    private String keep(int length) {
        return Objects.requireNonNull(store.keep(text(length), owner, TIME));
    }

    @Test
    void text_is_kept_until_its_time_is_over() {
        String id = keep(1_000);
        time.advance(TIME.minusMillis(1));
        assertThat(store.find(id, owner)).isNotNull();
        assertThat(store.left(Objects.requireNonNull(store.find(id, owner)))).hasMillis(1);
        time.advance(Duration.ofMillis(1));
        assertThat(store.find(id, owner)).isNull();
        assertThat(store.size()).isZero();
        assertThat(store.memory()).isZero();
    }

    @Test
    void text_is_unknown_to_other_principals_and_places() {
        String id = keep(1_000);
        assertThat(store.find(id, new ResultStore.Owner(new Principal("ada"), place)))
                .isNull();
        assertThat(store.find(id, new ResultStore.Owner(Principal.OWNER, new Object())))
                .isNull();
        assertThat(store.find(id.substring(1), owner)).isNull();
        assertThat(store.find(id, owner)).isNotNull();
    }

    @Test
    void oldest_texts_go_when_memory_is_used_up() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(keep(10_000));
            assertThat(store.memory()).isLessThanOrEqualTo(MEMORY);
        }
        List<String> left =
                ids.stream().filter(id -> store.find(id, owner) != null).toList();
        assertThat(left).hasSizeBetween(2, 5).isEqualTo(ids.subList(20 - left.size(), 20));
        assertThat(time.pending()).as("timers of texts that are gone").isEqualTo(left.size());
    }

    @Test
    void number_of_texts_is_limited() {
        ResultStore large = new ResultStore(time.platform(), SecretIds.system(), Long.MAX_VALUE);
        String first = Objects.requireNonNull(large.keep(text(1), owner, TIME));
        for (int i = 0; i < ResultStore.MAX_TEXTS; i++) {
            large.keep(text(1), owner, TIME);
        }
        assertThat(large.size()).isEqualTo(ResultStore.MAX_TEXTS);
        assertThat(large.find(first, owner)).isNull();
    }

    @Test
    void text_that_is_too_long_for_the_memory_is_not_kept() {
        String id = keep(1_000);
        assertThat(store.keep(text(100_000), owner, TIME)).isNull();
        assertThat(store.find(id, owner)).as("others stay").isNotNull();
    }

    @Test
    void all_texts_of_a_place_are_released_together() {
        String id = keep(1_000);
        ResultStore.Owner other = new ResultStore.Owner(Principal.OWNER, new Object());
        String theirs = Objects.requireNonNull(store.keep(text(1_000), other, TIME));
        store.removeAll(place);
        assertThat(store.find(id, owner)).isNull();
        assertThat(store.find(theirs, other)).isNotNull();
        assertThat(time.pending()).isEqualTo(1);
        time.advance(TIME);
        assertThat(store.memory()).isZero();
    }

    @Test
    void concurrent_threads_keep_and_find_without_exceeding_the_memory() throws InterruptedException {
        Set<String> ids = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                for (int n = 0; n < 500; n++) {
                    ids.add(keep(n));
                    ids.stream().limit(3).forEach(id -> store.find(id, owner));
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(ids).hasSize(4_000);
        assertThat(store.memory()).isBetween(1L, MEMORY);
        assertThat(time.pending()).isEqualTo(store.size());
        time.advance(TIME);
        assertThat(store.size()).isZero();
        assertThat(store.memory()).isZero();
    }
}
