package dev.fusebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.sandbox.ScriptReport.Ended;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Two sandboxes that the tests of a class use alternately: while a script runs on one, the other gets its worker. Used
/// by one thread.
final class WarmSandboxes implements BeforeEachCallback, AfterEachCallback, AfterAllCallback {
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

    /// The sandbox of the current test.
    Bench bench() {
        return places.get(turn).bench;
    }

    /// Switches to the other sandbox, once it has a worker.
    @Override
    public void beforeEach(ExtensionContext test) throws InterruptedException, ExecutionException {
        turn = 1 - turn;
        places.get(turn).warmed();
    }

    /// Gives the sandbox that was used a worker again.
    @Override
    public void afterEach(ExtensionContext test) {
        places.get(turn).warm = places.get(turn).warming();
    }

    /// Fails if a sandbox leaves something behind.
    @Override
    public void afterAll(ExtensionContext tests) throws InterruptedException, ExecutionException {
        for (Place place : places) {
            Bench bench = place.warmed();
            bench.close();
            assertThat(bench.workers()).isZero();
            assertThat(bench.underWay.get()).isZero();
        }
    }
}
