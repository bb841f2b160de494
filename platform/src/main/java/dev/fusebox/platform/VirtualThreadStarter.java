package dev.fusebox.platform;

import java.lang.System.Logger.Level;

/// Virtual threads on a machine that may have none left to give. Thread-safe; nothing blocks.
public final class VirtualThreadStarter {
    private static final System.Logger LOG = LazyLoggers.of(VirtualThreadStarter.class);

    private VirtualThreadStarter() {}

    /// Has this done on a thread of its own. If none can be had, that is logged, and something else is done in its
    /// place, on the caller's thread: nobody must wait for ever for what has never begun.
    ///
    /// @return false if there was no thread
    public static boolean start(String name, Runnable work, Runnable otherwise) {
        try {
            Thread.ofVirtual().name(name).start(work);
            return true;
        } catch (RuntimeException | Error none) {
            LOG.log(Level.ERROR, "there is no thread for " + name, none);
            otherwise.run();
            return false;
        }
    }
}
