package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Has the system deny other processes of the same user to look into this one (docs/adr/0042). That takes tens of
/// milliseconds, because calls of the C library are linked at run time, so it is done beside what a command begins
/// with.
final class InspectionGuard {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Platform platform;
    private final Thread waiter = Thread.currentThread();
    private volatile boolean isDone;

    private InspectionGuard(Platform platform) {
        this.platform = platform;
    }

    /// The launcher sets the property where the operator allows inspection.
    static InspectionGuard begin(Platform platform) {
        InspectionGuard denial = new InspectionGuard(platform);
        boolean isAllowed = "allow".equals(System.getProperty("fusebox.inspection"));
        if (isAllowed) {
            denial.isDone = true;
        } else {
            Thread.ofPlatform().daemon().name("fusebox-inspection").start(denial::deny);
        }
        return denial;
    }

    private void deny() {
        try {
            platform.processes().denyInspection();
        } finally {
            isDone = true;
            LockSupport.unpark(waiter);
        }
    }

    /// Blocks the thread that began it until it is done, as far as the system allows it: before another program is
    /// started.
    void await() throws InterruptedException {
        platform.await(LIMIT, () -> isDone);
    }
}
