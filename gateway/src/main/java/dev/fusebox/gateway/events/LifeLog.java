package dev.fusebox.gateway.events;

import dev.fusebox.gateway.ailment.Ailment;
import dev.fusebox.gateway.life.LifeEvent;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// Writes a line into the log when a server goes down or comes back, and none for the steps between.
/// Thread-safe, having no state; nothing blocks.
public final class LifeLog {
    private static final System.Logger LOG = System.getLogger(LifeLog.class.getName());

    private LifeLog() {}

    /// From now on.
    public static void of(Chronicle chronicle) {
        chronicle.listen(ServerLived.class::isInstance, told -> {
            if (told.event() instanceof ServerLived(String server, LifeEvent event)) {
                log(server, event);
            }
        });
    }

    private static void log(String server, LifeEvent event) {
        switch (event) {
            case LifeEvent.GivenUp(Long process, int count, String message) ->
                LOG.log(Level.ERROR, server + " is given up [" + Ailment.PERMANENTLY_FAILED + "]: " + message);
            case LifeEvent.Restarted(Long old, Long process, String reason, int attempt) ->
                LOG.log(Level.INFO, server + " was started again, as process " + process + ": " + reason);
            case LifeEvent.Recovered(String by, Duration down) ->
                LOG.log(Level.INFO, server + " works again after " + down.toSeconds() + " s, seen by a " + by);
            case LifeEvent.Crashed crashed -> LOG.log(Level.DEBUG, server + ": " + crashed);
            case LifeEvent.StatusChanged changed -> LOG.log(Level.DEBUG, server + ": " + changed);
            case LifeEvent.ToolsDiscovered discovered -> LOG.log(Level.DEBUG, server + ": " + discovered);
            case LifeEvent.ToolsUpdated updated -> LOG.log(Level.DEBUG, server + ": " + updated);
        }
    }
}
