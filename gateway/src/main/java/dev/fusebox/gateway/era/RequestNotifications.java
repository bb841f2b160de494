package dev.fusebox.gateway.era;

import dev.fusebox.client.Caller;
import dev.fusebox.client.ForwardingCaller;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The notifications that a modern client gets from a legacy server while one of its requests runs: progress,
/// questions, and the log messages for this request (2026-07-28, section "Logging"). Thread-safe if its parts are;
/// nothing blocks.
final class RequestNotifications extends ForwardingCaller {
    /// Levels from least to most severe (revision 2025-11-25, section "Log Levels").
    static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    /// Discards everything.
    static final RequestNotifications NONE = of(Caller.SILENT, null);

    private final Caller client;
    private final @Nullable String level;
    private final Consumer<Message.Notification> others;

    /// @param level lowest level of log messages for the client; null for none
    /// @param others receives what belongs to no request in the modern era, such as list changes
    RequestNotifications(Caller client, @Nullable String level, Consumer<Message.Notification> others) {
        super(client);
        this.client = client;
        this.level = level;
        this.others = others;
    }

    /// For a client whose server works for no other client.
    static RequestNotifications of(Caller client, @Nullable String level) {
        return new RequestNotifications(client, level, notification -> {});
    }

    /// Lowest level of log messages for the client; null for none.
    @Nullable
    String level() {
        return level;
    }

    @Override
    public void onNotification(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/message" -> {
                if (wants(notification)) {
                    client.onNotification(notification);
                }
            }
            case "notifications/cancelled" -> client.onNotification(notification);
            default -> others.accept(notification);
        }
    }

    private boolean wants(Message.Notification line) {
        return isFrom(level, line);
    }

    /// Whether a log message has at least this level.
    ///
    /// @param level null for none
    static boolean isFrom(@Nullable String level, Message.Notification line) {
        JsonView params = line.params();
        String found = params == null ? null : params.string("level");
        return level != null && found != null && LEVELS.indexOf(found) >= LEVELS.indexOf(level);
    }
}
