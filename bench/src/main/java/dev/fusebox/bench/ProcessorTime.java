package dev.fusebox.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/// A profiler that adds the processor time of an operation to each iteration, without that of the collector and
/// compiler.
///
/// While other programs compete for the processors, elapsed time depends on them; processor time stays within a
/// few percent. The two are the same on an idle machine, except where threads park and leave their processor.
public class ProcessorTime implements InternalProfiler {
    static final String LABEL = "cpu.time.norm";

    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private long before;

    @Override
    public String getDescription() {
        return "processor time for one operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = used();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long took = used() - before;
        double each = (double) took / result.getMetadata().getAllOps();
        return List.of(new ScalarResult(LABEL, each, "ns/op", AggregationPolicy.AVG));
    }

    /// By all threads of Java together, to the nanosecond; the time of the whole process comes in steps of ten
    /// milliseconds.
    private long used() {
        return LongStream.of(threads.getThreadCpuTime(threads.getAllThreadIds()))
                .filter(nanos -> nanos > 0)
                .sum();
    }
}
