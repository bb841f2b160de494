package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
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

/// The diagnostics of all servers in parallel, each on its own thread, so that none waits for another; only
/// package runners are limited, to [PackageRunner#atOnce] at a time. Thread-safe; [#examine] blocks until all
/// results are known or the time is over, regardless of the servers.
public final class Diagnostics {
    private static final System.Logger LOG = LazyLoggers.of(Diagnostics.class);

    private final Platform platform;
    private final Duration each;
    private final Duration limit;

    /// @param each the time limit of one server, from the beginning of its diagnosis
    /// @param limit the time limit of the whole run
    public Diagnostics(Platform platform, Duration each, Duration limit) {
        this.platform = platform;
        this.each = each;
        this.limit = limit;
    }

    /// The results, in the order of the servers.
    public List<CheckResults> examine(List<DiagnosedServer> servers) throws InterruptedException {
        long end = platform.ticker().nanos() + limit.toNanos();
        Thread self = Thread.currentThread();
        AtomicInteger left = new AtomicInteger(servers.size());
        List<CheckResults> resultses = new ArrayList<>();
        Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
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
                queue.add(examination);
            } else {
                start(examination);
            }
        }
        for (int i = Math.min(queue.size(), PackageRunner.atOnce()); i > 0; i--) {
            start(() -> runQueued(queue));
        }
        platform.await(limit, () -> left.get() == 0);
        resultses.forEach(this::reportTimeout);
        return resultses;
    }

    private static void start(Runnable work) {
        Thread.ofVirtual().name("fusebox-doctor").start(work);
    }

    private static void runQueued(Queue<Runnable> queue) {
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
            next.run();
        }
    }

    /// Nothing is started after the end.
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

    /// A bug in one diagnosis is a finding, and does not affect the others.
    private void examineUntil(long end, DiagnosedServer server, CheckResults results) {
        try {
            new ServerDiagnosis(platform, server, results, end).run();
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.DEBUG, "a diagnosis failed", bug);
            results.add(Finding.fail(
                            Check.CONFIG,
                            ErrorId.INTERNAL,
                            "the diagnosis failed during " + results.step() + " (internal error)")
                    .shownBy(List.of(bug.getClass().getName()))
                    .withRemedy("report it with the output of `" + FuseboxCommand.of("version") + "`"));
        }
    }

    private void reportTimeout(CheckResults results) {
        if (results.isClosed()) {
            return;
        }
        results.add(Finding.fail(
                        Check.GATEWAY,
                        ErrorId.TIME_OVER,
                        "time limit of " + limit.toMillis() + " ms reached while waiting for " + results.step())
                .withRemedy(FuseboxCommand.onFile(
                        "doctor", results.server(), "--timeout", Long.toString(4 * Math.max(limit.toMillis(), 1000)))));
        results.close();
    }
}
