package dev.fusebox.http;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger;

/// Tells the log what went wrong on the front's own side. Thread-safe.
///
/// Never throws: a log may need a file or a class exactly when there are no descriptors left, and must not take
/// down the thread that reports it. An object and no static methods, so that its class is there before it is
/// needed.
final class HttpServerLog {
    private static final Logger LOG = LazyLoggers.of("dev.fusebox.http");

    /// A bug: with its stack.
    void bug(String what, Throwable why) {
        tryTo(() -> LOG.log(Logger.Level.WARNING, what, why));
    }

    /// A trouble that may come again and again: in one line.
    void trouble(String what, Throwable why) {
        tryTo(() -> LOG.log(Logger.Level.WARNING, what + ": " + why));
    }

    /// A client was refused for a reason that the operator may need to know.
    void refusal(String what) {
        tryTo(() -> LOG.log(Logger.Level.WARNING, what));
    }

    private static boolean tryTo(Runnable log) {
        try {
            log.run();
            return true;
        } catch (RuntimeException | Error e) {
            return false;
        }
    }
}
