package dev.fusebox.platform;

import java.lang.System.Logger.Level;

/// Starter of virtual threads that handles the failure to create one. Thread-safe; never blocks.
public final class VirtualThreadStarter {
    private static final System.Logger LOG = LazyLoggers.of(VirtualThreadStarter.class);

    private VirtualThreadStarter() {}

    /// Runs `work` on a new virtual thread. If no thread can be created, logs that and runs `otherwise` on the
    /// caller's thread, so that nothing waits forever for work that has not begun.
    ///
    /// @return false if no thread could be created
    public static boolean start(String name, Runnable work, Runnable otherwise) {
        try {
            Thread.ofVirtual().name(name).start(work);
            return true;
        } catch (RuntimeException | Error none) {
            LOG.log(Level.ERROR, "cannot start virtual thread " + name, none);
            otherwise.run();
            return false;
        }
    }
}
