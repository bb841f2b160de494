package dev.fusebox.gateway.observe;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;

/// The logger of logins. Stateless and thread-safe; nothing blocks.
public final class LoginLog {
    private static final System.Logger LOG = LazyLoggers.of(LoginLog.class);

    private LoginLog() {}

    /// Starts to log.
    public static void listenTo(EventLog eventLog) {
        eventLog.listen(LoginEvent.class::isInstance, told -> {
            if (told.event() instanceof LoginEvent event) {
                log(event);
            }
        });
    }

    private static void log(LoginEvent event) {
        switch (event) {
            case LoginEvent.LoggedIn loggedIn ->
                LOG.log(
                        loggedIn.isSuccess() ? Level.INFO : Level.WARNING,
                        loggedIn.server()
                                + (loggedIn.isSuccess() ? ": login " : ": login failed: ")
                                + loggedIn.result());
            case LoginEvent.Refreshed refreshed ->
                LOG.log(Level.DEBUG, refreshed.server() + ": access token refreshed");
            case LoginEvent.RefreshFailed failed ->
                LOG.log(
                        Level.WARNING,
                        failed.server() + ": access token not refreshed: " + failed.cause()
                                + (failed.willRetryAt() == null
                                        ? ""
                                        : "; next attempt at " + UtcTimestamp.of(failed.willRetryAt())));
        }
    }
}
