package dev.fusebox.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How calls share the memory for large responses.
@Timeout(60)
class MemoryLeaseTest {
    private static final Platform PLATFORM = Platform.system();

    private final ResponseMemory memory = new ResponseMemory(1_000);

    private MemoryLease memoryLease(Duration limit) {
        return new MemoryLease(PLATFORM, memory, new Deadline(limit, Duration.ZERO, PLATFORM.ticker()));
    }

    private MemoryLease lease() {
        return memoryLease(Duration.ofMinutes(1));
    }

    @Test
    void one_call_may_exceed_full_memory_while_all_others_wait_for_it() throws Exception {
        MemoryLease first = lease();
        MemoryLease exempt = lease();
        MemoryLease waiting = lease();
        assertThat(first.take(1_000)).isTrue();
        assertThat(exempt.take(400)).isTrue();
        assertThat(exempt.take(400)).isTrue();
        assertThat(first.take(1)).isFalse();
        assertThat(waiting.take(1)).isFalse();
        FutureTask<Boolean> later = new FutureTask<>(() -> waiting.await(100));
        Thread.ofVirtual().start(later);
        exempt.end();
        assertThat(later.get()).isTrue();
        assertThat(lease().take(1)).as("another is exempt now").isFalse();
        first.end();
        assertThat(lease().take(900)).isTrue();
    }

    @Test
    void wait_for_memory_ends_with_the_deadline_of_the_client() {
        assertThat(lease().take(1_000)).isTrue();
        assertThat(lease().take(1)).isTrue();
        assertThat(memoryLease(Duration.ofMillis(50)).await(1)).isFalse();
        assertThat(memoryLease(Duration.ZERO).await(1)).isFalse();
    }

    @Test
    void ended_lease_reserves_nothing() {
        MemoryLease late = lease();
        late.end();
        assertThat(late.take(1_000)).isTrue();
        assertThat(lease().take(1_000)).isTrue();
    }

    @Test
    void thread_has_the_lease_of_its_call() {
        assertThat(MemoryLease.current()).isNull();
        Deadline deadline = new Deadline(Duration.ofMinutes(1), Duration.ZERO, PLATFORM.ticker());
        MemoryLease outer = MemoryLease.open(PLATFORM, deadline);
        MemoryLease inner = MemoryLease.open(PLATFORM, deadline);
        assertThat(MemoryLease.current()).isSameAs(inner);
        inner.close();
        assertThat(MemoryLease.current()).isSameAs(outer);
        outer.close();
        assertThat(MemoryLease.current()).isNull();
    }
}
