package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Caller;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A caller of the stateless era, who hears the log lines that the request asked for and no others. A server of the
/// session era says them unasked, and one over HTTP says them to the call. Thread-safe; nothing blocks.
///
/// @param level from which on there are log lines; null for none at all
record LogFilter(Caller caller, @Nullable String level) implements Caller {
    /// From the least to the most serious (revision 2025-11-25, section "Log Levels").
    private static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    @Override
    public void progress(byte[] frame) {
        caller.progress(frame);
    }

    @Override
    public void told(Message.Notification notification) {
        if (!notification.method().equals("notifications/message") || wants(notification)) {
            caller.told(notification);
        }
    }

    private boolean wants(Message.Notification line) {
        JsonView params = line.params();
        String found = params == null ? null : params.string("level");
        return level != null && found != null && LEVELS.indexOf(found) >= LEVELS.indexOf(level);
    }

    @Override
    public boolean asked(Asker asker, Message.Request question) {
        return caller.asked(asker, question);
    }
}
