package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReconnectingConnection;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The log level of a legacy server's connection: the level belongs to the session there, and to the request
/// here. A restarted server gets its level after the handshake. Thread-safe: one thread at a time sends the
/// level, so each level is sent once, and in order.
final class ServerLogLevel {
    /// If a client changes its level as fast as servers answer, the rest is sent with its next call.
    private static final int MAX_CHANGES = 8;

    /// A server that needs longer is not waited for: its calls may work all the same.
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private final Platform platform;
    private final ReconnectingConnection connection;

    /// Completed when the level that is being sent has been answered; null while none is.
    private final AtomicReference<@Nullable Promise<Boolean>> telling = new AtomicReference<>();

    private volatile @Nullable String told;

    ServerLogLevel(Platform platform, ReconnectingConnection connection) {
        this.platform = platform;
        this.connection = connection;
    }

    /// Sets the level at the server, unless that was done. Blocks at most until the deadline.
    ///
    /// @param level null if the client requests no log messages
    void setLevel(@Nullable String level, Deadline deadline) {
        setLevel(() -> level, deadline);
    }

    /// The same for a level that may change in the meantime: the last one takes effect.
    void setLevel(Supplier<@Nullable String> level, Deadline deadline) {
        Promise<Boolean> turn = new Promise<>();
        while (isNews(level.get()) && deadline.left() > 0) {
            Promise<Boolean> other = telling.compareAndExchange(null, turn);
            if (other == null) {
                apply(level, deadline, turn);
                return;
            }
            if (!isAnswered(other, deadline)) {
                return;
            }
        }
    }

    private boolean isNews(@Nullable String level) {
        return level != null && !level.equals(told);
    }

    /// False if the thread was interrupted.
    private boolean isAnswered(Promise<Boolean> other, Deadline deadline) {
        try {
            deadline.await(other, platform);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void apply(Supplier<@Nullable String> level, Deadline deadline, Promise<Boolean> turn) {
        try {
            for (int change = 0; change < MAX_CHANGES; change++) {
                String now = level.get();
                if (now == null || !isNews(now) || !send(now, deadline)) {
                    return;
                }
            }
        } finally {
            telling.set(null);
            turn.complete(true);
        }
    }

    /// Whether the server has answered. One that has no log, does not know the level, or does not answer within
    /// two seconds or half of the time left, is not asked again.
    private boolean send(String level, Deadline deadline) {
        if (!hasLog(connection.initialize(deadline))) {
            told = level;
            return true;
        }
        String params = "{\"level\":" + JsonWriter.quoted(level) + "}";
        Message.Request request =
                Message.Request.of(JsonRpcFrames.request(RequestId.of("level"), "logging/setLevel", params));
        Duration limit = Duration.ofNanos(Math.clamp(deadline.left() / 2, 1, ANSWER_LIMIT.toNanos()));
        Deadline brief = deadline.forRequest(limit, Duration.ZERO);
        Outcome outcome = connection.call(new Call(request, brief, Caller.SILENT));
        boolean isTold = outcome instanceof Outcome.Answered
                || (outcome instanceof Outcome.Failed(CallFailure failure)
                        && failure.code() == ErrorCode.TIMEOUT
                        && failure.delivery() == Delivery.UNKNOWN);
        told = isTold ? level : null;
        return isTold;
    }

    private static boolean hasLog(ReconnectingConnection.HandshakeResult handshakeResult) {
        JsonView result = handshakeResult instanceof ReconnectingConnection.HandshakeResult.Completed(JsonView greeting)
                ? greeting
                : null;
        return result == null || result.path("capabilities", "logging") != null;
    }
}
