package dev.fusebox.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.breaker.CallRejectedException;
import dev.fusebox.breaker.CircuitBreaker;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class FailoverTest {
    @Test
    void failure_reaches_caller_and_only_rejected_calls_use_backup() throws Exception {
        List<String> lines = Printed.linesOf(Failover::run);

        assertThat(lines).hasSize(7);
        assertThat(lines.subList(0, 5)).allMatch(line -> line.endsWith("it may have been paid"));
        assertThat(lines.subList(5, 7)).containsExactly("6: paid by the backup", "7: paid by the backup");
    }

    @Test
    void nested_rejection_does_not_use_backup() {
        var further = CircuitBreaker.of("bank");
        further.forceOpen("maintenance");

        assertThatThrownBy(() -> new Failover().call(() -> further.call(() -> "paid"), () -> "paid twice"))
                .isInstanceOfSatisfying(
                        CallRejectedException.class,
                        refused -> assertThat(refused.breakerName()).isEqualTo(further.name()));
    }
}
