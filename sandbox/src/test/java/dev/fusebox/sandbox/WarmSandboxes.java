package dev.fusebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.sandbox.ScriptReport.Ended;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Two sandboxes that take turns: while a script runs on one, the other gets its worker. Used by one thread.
final class WarmSandboxes {
    private final List<Place> places = List.of(new Place(), new Place());
    private int turn;

    /// A sandbox with a worker.
    private static final class Place {
        private final Bench bench =
                new Bench(SandboxLimits.defaults().withMaxCalls(20).withMaxOutputBytes(200_000));
        private FutureTask<ScriptReport> warm = warming();

        /// So that the time limit is the script's, not the start's.
        private FutureTask<ScriptReport> warming() {
            FutureTask<ScriptReport> run = new FutureTask<>(() -> bench.run("1"));
            Thread.ofPlatform().name("test-warms").start(run);
            return run;
        }

        private Bench warmed() throws InterruptedException, ExecutionException {
            assertThat(warm.get().ended()).isInstanceOf(Ended.Finished.class);
            return bench;
        }
    }

    Bench first() {
        return places.getFirst().bench;
    }

    /// The other one, once it has a worker.
    Bench next() throws InterruptedException, ExecutionException {
        turn = 1 - turn;
        return places.get(turn).warmed();
    }

    /// Gives the one that was used a worker again.
    void warm() {
        places.get(turn).warm = places.get(turn).warming();
    }

    /// Nothing may be left.
    void close() throws InterruptedException, ExecutionException {
        for (Place place : places) {
            Bench bench = place.warmed();
            bench.close();
            assertThat(bench.workers()).isZero();
            assertThat(bench.underWay.get()).isZero();
        }
    }
}
