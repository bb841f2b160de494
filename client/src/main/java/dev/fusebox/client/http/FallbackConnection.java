package dev.fusebox.client.http;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Connector;
import dev.fusebox.client.Connector.Opened;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Connection over Streamable HTTP that falls back to the transport of revision 2024-11-05 when the server rejects
/// `initialize` with a status of servers that know only that transport (2025-11-25, Transports, "Backwards
/// Compatibility"). Thread-safe; blocks as the underlying connection does, and during `initialize` until the older
/// transport is open.
///
/// ```
/// streamable --initialize rejected with 400, 404 or 405, and the older transport opens--> older
/// ```
///
/// A rejected `initialize` has had no effect, so it is sent again. If the older transport cannot be opened either,
/// the first rejection is the outcome.
final class FallbackConnection implements Connection {
    /// 401, 403, 408 and 429 give no information about the transport: the request may succeed later, or with a
    /// login.
    private static final Set<Integer> HAS_NO_SUCH_TRANSPORT = Set.of(400, 404, 405);

    private final Connector older;
    private final ServerMessageHandler serverMessageHandler;
    private volatile @Nullable Connection current;
    private boolean isClosed;

    private FallbackConnection(Connector older, ServerMessageHandler serverMessageHandler) {
        this.older = older;
        this.serverMessageHandler = serverMessageHandler;
    }

    static FallbackConnection open(
            RemoteServer streamable, Connector older, ServerMessageHandler serverMessageHandler) {
        FallbackConnection fallback = new FallbackConnection(older, serverMessageHandler);
        fallback.current = new StreamableHttpConnection(streamable, fallback.new CurrentPeer());
        return fallback;
    }

    private Connection current() {
        return Objects.requireNonNull(current, "set before the connection is published");
    }

    @Override
    public Outcome call(Call call) {
        Connection first = current();
        Outcome outcome = first.call(call);
        boolean isHandshake = call.request().method().equals("initialize");
        return isHandshake && first instanceof StreamableHttpConnection && isOlderServer(outcome)
                ? callOlder(call, first, outcome)
                : outcome;
    }

    private static boolean isOlderServer(Outcome outcome) {
        Integer status = outcome instanceof Outcome.Failed(CallFailure failure)
                ? failure.evidence().httpStatus()
                : null;
        return status != null && HAS_NO_SUCH_TRANSPORT.contains(status);
    }

    private Outcome callOlder(Call call, Connection first, Outcome refused) {
        return switch (older.open(new CurrentPeer())) {
            case Opened.Refused _ -> refused;
            case Opened.Connected(Connection connection) -> {
                exchange(first, connection);
                yield connection.call(call);
            }
        };
    }

    private void exchange(Connection before, Connection after) {
        boolean isLate;
        synchronized (this) {
            isLate = isClosed;
            current = after;
        }
        before.close();
        if (isLate) {
            after.close();
        }
    }

    /// Passes on the messages of the server, and the loss of a connection only if it is the current one.
    private final class CurrentPeer implements ServerMessageHandler {
        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request request) {
            return serverMessageHandler.onRequest(replyHandler, request);
        }

        @Override
        public void onNotification(Message.Notification notification) {
            serverMessageHandler.onNotification(notification);
        }

        @Override
        public void lost(Connection connection, CallFailure failure) {
            Connection now = current;
            if (now == null || now.equals(connection)) {
                serverMessageHandler.lost(FallbackConnection.this, failure);
            }
        }
    }

    @Override
    public void sendOneWay(byte[] notification) {
        current().sendOneWay(notification);
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        current().answer(answer, question);
    }

    @Override
    public boolean isAlive() {
        return current().isAlive();
    }

    @Override
    public long lastReceivedAt() {
        return current().lastReceivedAt();
    }

    @Override
    public void begun() {
        current().begun();
    }

    @Override
    public long dropped() {
        return current().dropped();
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        current().close();
    }
}
