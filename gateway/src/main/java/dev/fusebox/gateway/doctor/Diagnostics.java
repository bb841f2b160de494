package dev.fusebox.gateway.doctor;

import dev.fusebox.gateway.errors.ErrorId;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
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
public final class Diagnostics {
    private static final System.Logger LOG = LazyLoggers.of(Diagnostics.class);

    private final Platform platform;
    private final Duration each;
    private final Duration limit;

    /// @param each for one server, from the beginning of its examination on
    /// @param limit for everything together
    public Diagnostics(Platform platform, Duration each, Duration limit) {
        this.platform = platform;
        this.each = each;
        this.limit = limit;
    }

    /// One chart for each, in their order.
    public List<CheckResults> examine(List<DiagnosedServer> servers) throws InterruptedException {
        long end = platform.ticker().nanos() + limit.toNanos();
        Thread self = Thread.currentThread();
        AtomicInteger left = new AtomicInteger(servers.size());
        List<CheckResults> resultses = new ArrayList<>();
        Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
        for (DiagnosedServer server : servers) {
            CheckResults results = new CheckResults(server.server().id());
            resultses.add(results);
            Runnable examination = () -> {
                try {
                    examine(server, results, end);
                } finally {
                    left.decrementAndGet();
                    LockSupport.unpark(self);
                }
            };
            if (PackageRunner.starts(server.server())) {
                turns.add(examination);
            } else {
                start(examination);
            }
        }
        for (int i = Math.min(turns.size(), PackageRunner.atOnce()); i > 0; i--) {
            start(() -> takeTurns(turns));
        }
        platform.await(limit, () -> left.get() == 0);
        resultses.forEach(this::overdue);
        return resultses;
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
    private void examine(DiagnosedServer server, CheckResults results, long end) {
        if (results.isClosed()) {
            return;
        }
        try {
            long now = platform.ticker().nanos();
            examineUntil(now + Math.min(each.toNanos(), end - now), server, results);
        } finally {
            results.close();
            server.leaving().run();
        }
    }

    /// A bug in one examination is a finding, and costs no other.
    private void examineUntil(long end, DiagnosedServer server, CheckResults results) {
        try {
            new ServerDiagnosis(platform, server, results, end).run();
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.DEBUG, "an examination failed", bug);
            results.add(Finding.fail(
                            Check.CONFIG, ErrorId.INTERNAL, "the examination itself failed while " + results.step())
                    .shownBy(List.of(bug.getClass().getName()))
                    .mendedBy("report it with the output of `" + FuseboxCommand.of("version") + "`"));
        }
    }

    private void overdue(CheckResults results) {
        if (results.isClosed()) {
            return;
        }
        results.add(Finding.fail(
                        Check.GATEWAY,
                        ErrorId.TIME_OVER,
                        "the doctor's time, " + limit.toMillis() + " ms, was over while waiting for " + results.step())
                .mendedBy(FuseboxCommand.onFile(
                        "doctor", results.server(), "--timeout", Long.toString(4 * Math.max(limit.toMillis(), 1000)))));
        results.close();
    }
}
