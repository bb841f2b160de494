package dev.fusebox.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// The parameters of a benchmark run. Immutable.
///
/// A round runs every benchmark once, each in a fresh JVM, so that disturbances of the machine affect all of them.
///
/// @param rounds how often each benchmark is run
/// @param warmups iterations that are not counted, each of twice the usual time
/// @param iterations iterations in a round
/// @param millis the time of an iteration
record BenchmarkRun(int rounds, int warmups, int iterations, int millis) {
    /// Three JVMs for each benchmark; about eight minutes.
    static final BenchmarkRun FULL = new BenchmarkRun(3, 4, 5, 200);

    /// For quick comparisons; about a minute and a half.
    static final BenchmarkRun QUICK = new BenchmarkRun(1, 4, 5, 100);

    /// Enough to notice a mistake that doubles the time of a call: many short iterations, of which the best
    /// counts. About fifteen seconds for a dozen benchmarks.
    static final BenchmarkRun CHECK = new BenchmarkRun(1, 3, 12, 60);

    Figures run() throws RunnerException {
        Figures figures = new Figures();
        for (int round = 1; round <= rounds; round++) {
            Collection<RunResult> results = new ArrayList<>();
            results.addAll(run(1, ".*Benchmark\\..*"));
            results.addAll(run(2, "(Consecutive|Window|Refusal)Benchmark\\..*"));
            figures.addRound(results);
        }
        return figures;
    }

    private Collection<RunResult> run(int threads, String pattern) throws RunnerException {
        ChainedOptionsBuilder options = options()
                .include(pattern)
                .threads(threads)
                .forks(1)
                // A heap that does not grow while we measure, and the same collector whatever the machine.
                .jvmArgs("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");
        return new Runner(options.build()).run();
    }

    /// One round in this JVM, with one thread. Faster by the start of the JVMs, and less exact: the compiler sees
    /// all benchmarks at once.
    Figures runHere(List<String> patterns) throws RunnerException {
        ChainedOptionsBuilder options =
                options().threads(1).forks(0).verbosity(VerboseMode.SILENT).shouldFailOnError(true);
        patterns.forEach(options::include);
        Figures figures = new Figures();
        figures.addRound(new Runner(options.build()).run());
        return figures;
    }

    private ChainedOptionsBuilder options() {
        return new OptionsBuilder()
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessorTime.class)
                .warmupIterations(warmups)
                .warmupTime(TimeValue.milliseconds(2L * millis))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(millis))
                .shouldFailOnError(true);
    }
}
