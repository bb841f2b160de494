package dev.fusebox.gateway.era;

import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.Message;
import org.jspecify.annotations.Nullable;

/// Somebody who stays for longer than a request, and may have servers of its own meanwhile. Thread-safe; nothing
/// blocks.
public interface ClientSession {
    /// Whether it is still there. Who leaves says so here first, and everywhere else after that.
    boolean isHere();

    /// Whether it is a client of the session era: a process of its own speaks that era, too, if it can.
    default boolean isOfSessionEra() {
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
