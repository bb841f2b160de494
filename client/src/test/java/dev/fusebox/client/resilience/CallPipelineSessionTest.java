package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import org.junit.jupiter.api.Test;

/// Lost sessions of a server, as its call pipeline counts them.
class CallPipelineSessionTest {
    @Test
    void lost_session_is_not_a_failure_of_the_server() {
        PipelineHarness bench = new PipelineHarness(true);
        CallFailure why =
                new CallFailure(ErrorId.SESSION_LOST, FailureCategory.OTHER, Delivery.REJECTED, "lost", Evidence.NONE);
        bench.pipeline().lost(new EndedLine(), why);
        assertThat(bench.failures()).isZero();
    }
}
