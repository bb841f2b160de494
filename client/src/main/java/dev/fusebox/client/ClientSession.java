package dev.fusebox.client;

import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// The session of a client, which may have servers of its own. Thread-safe; nothing blocks.
public interface ClientSession {
    /// Whether the session is open. A session that ends is closed here before anything of it is released.
    boolean isHere();

    /// Whether the client speaks the legacy era; a server process of its own then speaks it, too, if it can.
    default boolean isLegacy() {
        return false;
    }

    /// Whether it knows that results of tools may have an object beside their content.
    default boolean readsStructuredContent() {
        return true;
    }

    /// Takes what a server of its own asks outside of calls; false if it cannot be asked then.
    default boolean asked(String server, ReplyHandler replyHandler, Message.Request question) {
        return false;
    }

    /// Receives a notification that a server of its own sends outside of calls: log lines, withdrawn questions,
    /// changed lists.
    default void told(String server, Message.Notification notification) {}

    /// The process that it had of a server is gone.
    default void lost(String server) {}

    /// From which level on it wants log lines outside of calls, too; null if it wants none.
    default @Nullable String logLevel() {
        return null;
    }
}
