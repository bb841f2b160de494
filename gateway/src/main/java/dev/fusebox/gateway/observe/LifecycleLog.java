package dev.fusebox.gateway.observe;

import dev.fusebox.client.ErrorId;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// The logger of server status changes and process events. Stateless and thread-safe; nothing blocks.
public final class LifecycleLog {
    private static final System.Logger LOG = LazyLoggers.of(LifecycleLog.class);

    private LifecycleLog() {}

    /// Starts to log.
    public static void listenTo(EventLog eventLog) {
        eventLog.listen(ServerLifecycleEvent.class::isInstance, told -> {
            if (told.event() instanceof ServerLifecycleEvent(String server, LifecycleEvent event)) {
                log(server, event);
            }
        });
    }

    private static void log(String server, LifecycleEvent event) {
        switch (event) {
            case LifecycleEvent.GivenUp(Long process, int count, String message) ->
                LOG.log(Level.ERROR, server + " permanently failed [" + ErrorId.PERMANENTLY_FAILED + "]: " + message);
            case LifecycleEvent.Restarted(Long old, Long process, String reason, int attempt) ->
                LOG.log(Level.INFO, server + " restarted as process " + process + ": " + reason);
            case LifecycleEvent.Recovered(String by, Duration down) ->
                LOG.log(Level.INFO, server + " recovered after " + down.toSeconds() + " s, detected by " + by);
            case LifecycleEvent.Crashed crashed -> LOG.log(Level.INFO, server + " crashed: " + words(crashed));
            case LifecycleEvent.StatusChanged(ServerStatus previous, ServerStatus status, String message) ->
                LOG.log(Level.INFO, server + ": " + previous + " -> " + status + ", " + message);
            case LifecycleEvent.StateLost lost -> LOG.log(Level.WARNING, words(server, lost));
            case LifecycleEvent.ToolsDiscovered discovered -> LOG.log(Level.DEBUG, server + ": " + discovered);
            case LifecycleEvent.ToolsUpdated updated -> LOG.log(Level.DEBUG, server + ": " + updated);
        }
    }

    private static String words(String server, LifecycleEvent.StateLost lost) {
        return "session state lost: server=" + server + " reason=" + lost.reason() + " process=" + lost.process()
                + " newProcess=" + lost.next();
    }

    private static String words(LifecycleEvent.Crashed crashed) {
        String process = crashed.process() == null ? "its process" : "process " + crashed.process();
        String end = crashed.signal() == null ? "exit code " + crashed.exitCode() : crashed.signal();
        return process + " ended with " + end + " after " + crashed.lived().toSeconds() + " s, recent crashes: "
                + crashed.count();
    }
}
