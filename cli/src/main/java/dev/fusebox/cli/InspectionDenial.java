package dev.fusebox.cli;

import dev.fusebox.world.World;
import java.time.Duration;

/// Has the system deny other processes of the same user to look into this one (docs/adr/0042). That takes tens of
/// milliseconds, because calls of the C library are linked at run time, so it is done beside what a command begins
/// with.
final class InspectionDenial {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Thread worker;

    private InspectionDenial(Thread worker) {
        this.worker = worker;
    }

    /// The launcher sets the property where the operator allows inspection.
    static InspectionDenial begin(World world) {
        boolean isAllowed = "allow".equals(System.getProperty("fusebox.inspection"));
        Runnable work = isAllowed ? () -> {} : world.processes()::denyInspection;
        return new InspectionDenial(
                Thread.ofPlatform().daemon().name("fusebox-inspection").start(work));
    }

    /// Blocks until it is denied, as far as the system allows it: before another program is started.
    void await() throws InterruptedException {
        worker.join(LIMIT);
    }
}
