package dev.fusebox.gateway.observe;

import dev.fusebox.breaker.BreakerEvent.StateChange;
import dev.fusebox.breaker.State;
import dev.fusebox.client.ErrorId;
import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;
import java.time.temporal.ChronoUnit;

/// The logger of breaker state changes; rejections are not logged. Stateless and thread-safe; nothing blocks.
public final class BreakerLog {
    private static final System.Logger LOG = LazyLoggers.of(BreakerLog.class);

    private BreakerLog() {}

    /// Starts to log.
    public static void listenTo(EventLog eventLog) {
        eventLog.listen(BreakerStateChanged.class::isInstance, told -> {
            if (told.event() instanceof BreakerStateChanged(StateChange change)) {
                log(change);
            }
        });
    }

    private static void log(StateChange change) {
        String until = change.retryAt() == null
                ? ""
                : "; next probe at " + change.retryAt().truncatedTo(ChronoUnit.SECONDS);
        Level level = change.to() == State.CLOSED ? Level.INFO : Level.WARNING;
        String id = change.to() == State.CLOSED ? "" : " [" + ErrorId.BREAKER_OPEN + "]";
        LOG.log(
                level,
                "breaker " + change.name() + id + ": " + change.from() + " -> " + change.to() + ", " + change.reason()
                        + until);
    }
}
