package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The session of a client, which may have servers of its own. Thread-safe; nothing blocks.
public interface ClientSession {
    /// Stands for all clients of a principal that have no session. Immutable.
    record WithoutSession(Principal principal) implements ClientSession {
        @Override
        public boolean isHere() {
            return true;
        }
    }

    /// Whether the session is open. A session that ends is closed here before anything of it is released.
    boolean isHere();

    /// On whose behalf the client calls.
    default Principal principal() {
        return Principal.OWNER;
    }

    /// Whether the client is legacy; its own server process then also uses the legacy era, if it can.
    default boolean isLegacy() {
        return false;
    }

    /// Whether it reads `structuredContent` of tool results.
    default boolean readsStructuredContent() {
        return true;
    }

    /// The capabilities that a server process of its own is told; null for those of the client.
    default @Nullable JsonView offered() {
        return null;
    }

    /// Notes that its own server process sends a request; false if it cannot be known for whom. Called before the
    /// request is handed to a call or to [#onRequest].
    default boolean isAsked(Message.Request question) {
        return true;
    }

    /// The receiver of the answer to a request of its own server process, which may note the answer.
    default ReplyHandler noting(ReplyHandler replyHandler, Message.Request question) {
        return replyHandler;
    }

    /// Accepts a request that the session's own server sends outside of calls; false if the client accepts none
    /// then.
    default boolean onRequest(String server, ReplyHandler replyHandler, Message.Request question) {
        return false;
    }

    /// Receives a notification that a server of its own sends outside of calls: log lines, withdrawn questions,
    /// changed lists.
    default void onNotification(String server, Message.Notification notification) {}

    /// Receives these notifications of changed lists, which concern this session alone, as far as it sees
    /// these lists; false if it takes none.
    default boolean listsChanged(List<String> methods) {
        return false;
    }

    /// Whether its own server process works for it alone, so that what the process logs cannot concern another
    /// client.
    default boolean isSoleUser() {
        return true;
    }

    /// Notes that what its own server process kept in memory is lost; returns whether the results of its calls
    /// report that without help of the connection.
    ///
    /// @param report for `_meta` of the next result, as JSON
    default boolean stateLost(String report) {
        return false;
    }

    /// Notes that a process of the server may keep state of it. Called before the result is delivered.
    ///
    /// @param generation of the server; grows when a changed configuration replaces its processes
    default void leavesState(String server, long generation) {}

    /// Why it has lost what an earlier process of the server kept of it; null if that has not happened, or was
    /// returned before.
    ///
    /// @param generation of the server that has answered
    default @Nullable StateLossCause takeStateLoss(String server, long generation) {
        return null;
    }

    /// Its own process of a server has ended.
    default void lost(String server) {}

    /// The lowest level of log messages outside of calls; null for none.
    default @Nullable String logLevel() {
        return null;
    }
}
