package dev.fusebox.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What must add up where the stack ends. */
class EndOfStackTest {
    /** Deep enough for every frame of a stack of 256 KiB. */
    private static final int DEEPEST = 100_000;

    private final Bulkhead bulkhead = new Bulkhead(Rule.LARGEST, 0);
    /** Slots that were given where there was no room left to close them. */
    private final Bulkhead.Slot[] unclosed = new Bulkhead.Slot[DEEPEST];

    private int unclosedSlots;

    @Test
    void a_bulkhead_loses_no_slot_where_the_stack_ends() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            Thread diver = new Thread(null, this::dive, "diver", 256 * 1024);
            diver.start();
            diver.join(Duration.ofSeconds(20).toMillis());
            assertThat(diver.isAlive()).isFalse();
            closeTheRest();
        }

        assertThat(bulkhead.inside()).isZero();
    }

    /** Enters and leaves at every depth, from the deepest up. */
    @SuppressWarnings("InfiniteRecursion") // the end of the stack is what the test looks for
    private void dive() {
        try {
            dive();
        } catch (StackOverflowError deepest) {
            return;
        } finally {
            enterAndLeave();
        }
    }

    private void enterAndLeave() {
        if (bulkhead.tryEnter() instanceof Bulkhead.Slot slot) {
            try {
                slot.close();
            } catch (StackOverflowError tooDeep) {
                unclosed[unclosedSlots++] = slot;
            }
        }
    }

    private void closeTheRest() {
        while (unclosedSlots > 0) {
            unclosed[--unclosedSlots].close();
        }
    }
}
