package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// The guard that denies other processes of the same user access to this process's memory (docs/adr/0042). It
/// takes tens of milliseconds, because C library calls are linked at run time, so it runs concurrently with the
/// start of a command.
final class InspectionGuard {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Platform platform;
    private final Thread waiter = Thread.currentThread();
    private volatile boolean isDone;

    private InspectionGuard(Platform platform) {
        this.platform = platform;
    }

    /// Starts the denial, unless the operator allows inspection through the launcher.
    static InspectionGuard begin(Platform platform) {
        InspectionGuard guard = new InspectionGuard(platform);
        boolean isAllowed = "allow".equals(System.getProperty("fusebox.inspection"));
        if (isAllowed) {
            guard.isDone = true;
        } else {
            Thread.ofPlatform().daemon().name("fusebox-inspection").start(guard::deny);
        }
        return guard;
    }

    private void deny() {
        try {
            platform.processes().denyInspection();
        } finally {
            isDone = true;
            LockSupport.unpark(waiter);
        }
    }

    /// Blocks the thread that called [#begin] until the denial is in force, as far as the system supports it.
    /// Called before other programs are started.
    void await() throws InterruptedException {
        platform.await(LIMIT, () -> isDone);
    }
}
