package dev.fusebox.gateway.observe;

import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;

/// Writes a line into the log for each configuration that is applied or rejected. Thread-safe, having no state;
/// nothing blocks.
public final class ConfigLog {
    private static final System.Logger LOG = LazyLoggers.of(ConfigLog.class);

    private ConfigLog() {}

    /// Writes from now on.
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
                        "the changed configuration is applied: " + applied.summary());
            case ConfigEvent.Rejected rejected ->
                LOG.log(
                        Level.ERROR,
                        "the changed configuration is not applied, what was read before stays: " + rejected.summary());
        }
    }
}
