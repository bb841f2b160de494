package dev.fusebox.gateway.observe;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;

/// The logger of configuration reloads. Stateless and thread-safe; nothing blocks.
public final class ConfigLog {
    private static final System.Logger LOG = LazyLoggers.of(ConfigLog.class);

    private ConfigLog() {}

    /// Starts to log.
    public static void listenTo(EventLog eventLog) {
        eventLog.listen(ConfigEvent.class::isInstance, told -> {
            if (told.event() instanceof ConfigEvent event) {
                log(event);
            }
        });
    }

    private static void log(ConfigEvent event) {
        switch (event) {
            case ConfigEvent.Applied applied ->
                LOG.log(
                        applied.nextStart().isEmpty() ? Level.INFO : Level.WARNING,
                        "configuration applied: " + applied.summary());
            case ConfigEvent.Rejected rejected ->
                LOG.log(Level.ERROR, "configuration rejected, keeping the previous one: " + rejected.summary());
        }
    }
}
