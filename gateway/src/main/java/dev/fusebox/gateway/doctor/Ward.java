package dev.fusebox.gateway.doctor;

import dev.fusebox.gateway.ailment.Ailment;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.Loggers;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Examines servers at the same time, each on a thread of its own, so that none waits for another. Thread-safe;
/// [#examine] blocks until all is known or the time is over, whatever the servers do.
public final class Ward {
    private static final System.Logger LOG = Loggers.of(Ward.class);

    private final World world;
    private final Duration limit;

    /// @param limit for everything together
    public Ward(World world, Duration limit) {
        this.world = world;
        this.limit = limit;
    }

    /// One chart for each, in their order.
    public List<Chart> examine(List<Patient> patients) throws InterruptedException {
        long end = world.ticker().nanos() + limit.toNanos();
        Thread self = Thread.currentThread();
        AtomicInteger left = new AtomicInteger(patients.size());
        List<Chart> charts = new ArrayList<>();
        for (Patient patient : patients) {
            Chart chart = new Chart(patient.server().id());
            charts.add(chart);
            Thread.ofVirtual().name("fusebox-doctor").start(() -> {
                try {
                    examine(patient, chart, end);
                } finally {
                    chart.close();
                    left.decrementAndGet();
                    LockSupport.unpark(self);
                }
            });
        }
        world.await(limit, () -> left.get() == 0);
        charts.forEach(this::overdue);
        return charts;
    }

    /// A bug in one examination is a finding, and costs no other.
    private void examine(Patient patient, Chart chart, long end) {
        try {
            new Examination(world, patient, chart, end).run();
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.DEBUG, "an examination failed", bug);
            chart.add(
                    Finding.fail(Check.CONFIG, Ailment.INTERNAL, "the examination itself failed while " + chart.step())
                            .shownBy(List.of(bug.getClass().getName()))
                            .mendedBy("report it with the output of `" + FuseboxCommand.of("version") + "`"));
        }
    }

    private void overdue(Chart chart) {
        if (chart.isClosed()) {
            return;
        }
        chart.add(Finding.fail(
                        Check.GATEWAY,
                        Ailment.TIME_OVER,
                        "the doctor's time, " + limit.toMillis() + " ms, was over while waiting for " + chart.step())
                .mendedBy(FuseboxCommand.onFile(
                        "doctor", chart.server(), "--timeout", Long.toString(4 * Math.max(limit.toMillis(), 1000)))));
        chart.close();
    }
}
