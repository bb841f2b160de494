package dev.fusebox.client.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Evidence.Extent;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The failure counts of a call pipeline.
@Timeout(60)
class FailureCountsTest {
    private static CallFailure failure(FailureCategory category, Extent extent) {
        Evidence evidence = new Evidence(1, null, List.of(), null, null, extent, Evidence.NONE.context());
        return new CallFailure(ErrorId.INTERNAL, category, Delivery.REJECTED, "failed", evidence);
    }

    @Test
    void failures_are_counted_by_extent_also_under_new_rules() {
        PipelineHarness harness = new PipelineHarness(false);
        CallFailure lost = failure(FailureCategory.STDIO_EXIT, Extent.CONNECTION);
        harness.pipeline().failed(failure(FailureCategory.OFFLINE, Extent.CONNECTING));
        harness.pipeline().lost(new EndedLine(), lost);
        harness.call(call -> new Outcome.Failed(lost));
        harness.call(call -> new Outcome.Failed(failure(FailureCategory.HTTP, Extent.CALL)));
        harness.call(call -> new Outcome.Failed(failure(FailureCategory.OTHER, Extent.CALL)));
        harness.pipeline().silent(FailureCategory.OFFLINE, false);
        FailureCounts.Snapshot seen = new FailureCounts.Snapshot(1, 2, 1, 1);
        assertThat(harness.pipeline().failures()).isEqualTo(seen);
        assertThat(harness.pipeline().under(PipelineRules.of("server", true)).failures())
                .isEqualTo(seen);
    }

    @Test
    void failures_unrelated_to_the_server_are_not_counted() {
        PipelineHarness harness = new PipelineHarness(false);
        for (FailureCategory category : List.of(FailureCategory.AUTH, FailureCategory.LOCAL, FailureCategory.POLICY)) {
            harness.pipeline().failed(failure(category, Extent.CONNECTING));
            harness.pipeline().lost(new EndedLine(), failure(category, Extent.CONNECTION));
            harness.call(call -> new Outcome.Failed(failure(category, Extent.CALL)));
        }
        assertThat(harness.pipeline().failures()).isEqualTo(new FailureCounts.Snapshot(0, 0, 0, 0));
    }
}
