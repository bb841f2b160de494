package dev.fusebox.client;

import dev.fusebox.protocol.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The session of a client, which may have servers of its own. Thread-safe; nothing blocks.
public interface ClientSession {
    /// Whether the session is open. A session that ends is closed here before anything of it is released.
    boolean isHere();

    /// Whether the client speaks the legacy era; a server process of its own then speaks it, too, if it can.
    default boolean isLegacy() {
        return false;
    }

    /// Whether it reads `structuredContent` of tool results.
    default boolean readsStructuredContent() {
        return true;
    }

    /// Takes a question that its own server asks outside of calls; false if it cannot be asked then.
    default boolean asked(String server, ReplyHandler replyHandler, Message.Request question) {
        return false;
    }

    /// Receives a notification that a server of its own sends outside of calls: log lines, withdrawn questions,
    /// changed lists.
    default void onNotification(String server, Message.Notification notification) {}

    /// Receives these notifications of changed lists, which concern this session alone; false if it takes none.
    default boolean listsChanged(List<String> methods) {
        return false;
    }

    /// Its own process of a server has ended.
    default void lost(String server) {}

    /// The lowest level of log messages that it wants outside of calls; null if it wants none.
    default @Nullable String logLevel() {
        return null;
    }
}
