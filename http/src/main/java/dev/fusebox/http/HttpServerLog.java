package dev.fusebox.http;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger;

/// The server's log. Thread-safe.
///
/// Never throws: logging may need a file or a class exactly when there are no descriptors left, and must not end
/// the thread that reports it. An object instead of static methods, so that its class is loaded before it is
/// needed.
final class HttpServerLog {
    private static final Logger LOG = LazyLoggers.of("dev.fusebox.http");

    /// Logs a bug with its stack trace.
    void bug(String what, Throwable why) {
        tryTo(() -> LOG.log(Logger.Level.WARNING, what, why));
    }

    /// Logs a recurring problem on one line.
    void trouble(String what, Throwable why) {
        tryTo(() -> LOG.log(Logger.Level.WARNING, what + ": " + why));
    }

    /// Logs a refusal whose reason the operator may need.
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
