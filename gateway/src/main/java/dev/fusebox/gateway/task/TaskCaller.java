package dev.fusebox.gateway.task;

import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import org.jspecify.annotations.Nullable;

/// The caller of a call that may be answered with a task: it notes the connection on which the answer comes, and
/// passes everything on. Thread-safe; nothing blocks.
public final class TaskCaller implements Caller {
    private final Caller caller;
    private final @Nullable Connection place;
    private volatile @Nullable Connection connection;

    public TaskCaller(Caller caller) {
        this(caller, null);
    }

    /// @param place where the call must be made; null for any
    TaskCaller(Caller caller, @Nullable Connection place) {
        this.caller = caller;
        this.place = place;
    }

    /// The connection on which the server has responded; null if it has not.
    public @Nullable Connection connection() {
        return connection;
    }

    @Override
    public @Nullable Connection place() {
        return place;
    }

    @Override
    public void answeredOn(Connection on) {
        connection = on;
    }

    @Override
    public void progress(byte[] frame) {
        caller.progress(frame);
    }

    @Override
    public void onNotification(Message.Notification notification) {
        caller.onNotification(notification);
    }

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        return caller.onRequest(replyHandler, question);
    }

    @Override
    public void withdraw(RequestId question) {
        caller.withdraw(question);
    }
}
