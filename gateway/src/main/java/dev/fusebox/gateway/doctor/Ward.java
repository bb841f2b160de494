package dev.fusebox.gateway.doctor;

import dev.fusebox.gateway.errors.ErrorId;
import dev.fusebox.world.FuseboxCommand;
import dev.fusebox.world.Loggers;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Examines servers at the same time, each on a thread of its own, so that none waits for another; only package
/// runners take turns, as many at a time as [PackageRunner#atOnce] says. Thread-safe; [#examine] blocks until all
/// is known or the time is over, whatever the servers do.
public final class Ward {
    private static final System.Logger LOG = Loggers.of(Ward.class);

    private final World world;
    private final Duration each;
    private final Duration limit;

    /// @param each for one server, from the beginning of its examination on
    /// @param limit for everything together
    public Ward(World world, Duration each, Duration limit) {
        this.world = world;
        this.each = each;
        this.limit = limit;
    }

    /// One chart for each, in their order.
    public List<Chart> examine(List<Patient> patients) throws InterruptedException {
        long end = world.ticker().nanos() + limit.toNanos();
        Thread self = Thread.currentThread();
        AtomicInteger left = new AtomicInteger(patients.size());
        List<Chart> charts = new ArrayList<>();
        Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
        for (Patient patient : patients) {
            Chart chart = new Chart(patient.server().id());
            charts.add(chart);
            Runnable examination = () -> {
                try {
                    examine(patient, chart, end);
                } finally {
                    left.decrementAndGet();
                    LockSupport.unpark(self);
                }
            };
            if (PackageRunner.starts(patient.server())) {
                turns.add(examination);
            } else {
                start(examination);
            }
        }
        for (int i = Math.min(turns.size(), PackageRunner.atOnce()); i > 0; i--) {
            start(() -> takeTurns(turns));
        }
        world.await(limit, () -> left.get() == 0);
        charts.forEach(this::overdue);
        return charts;
    }

    private static void start(Runnable work) {
        Thread.ofVirtual().name("fusebox-doctor").start(work);
    }

    private static void takeTurns(Queue<Runnable> turns) {
        for (Runnable next = turns.poll(); next != null; next = turns.poll()) {
            next.run();
        }
    }

    /// Nothing is begun after the end.
    private void examine(Patient patient, Chart chart, long end) {
        if (chart.isClosed()) {
            return;
        }
        try {
            long now = world.ticker().nanos();
            examineUntil(now + Math.min(each.toNanos(), end - now), patient, chart);
        } finally {
            chart.close();
            patient.leaving().run();
        }
    }

    /// A bug in one examination is a finding, and costs no other.
    private void examineUntil(long end, Patient patient, Chart chart) {
        try {
            new Examination(world, patient, chart, end).run();
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.DEBUG, "an examination failed", bug);
            chart.add(
                    Finding.fail(Check.CONFIG, ErrorId.INTERNAL, "the examination itself failed while " + chart.step())
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
                        ErrorId.TIME_OVER,
                        "the doctor's time, " + limit.toMillis() + " ms, was over while waiting for " + chart.step())
                .mendedBy(FuseboxCommand.onFile(
                        "doctor", chart.server(), "--timeout", Long.toString(4 * Math.max(limit.toMillis(), 1000)))));
        chart.close();
    }
}
