package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.gateway.session.Heartbeat;
import dev.fusebox.platform.Timers;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.concurrent.atomic.AtomicBoolean;

/// The response channel of a subscription (`subscriptions/listen`), regardless of the server's era. It sends
/// keep-alives, and ends exactly once. Thread-safe; blocks no longer than the underlying channel.
final class ListenChannel implements ResponseChannel {
    private final RequestId id;
    private final Deadline deadline;
    private final ResponseChannel responseChannel;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Heartbeat heartbeat;

    ListenChannel(Timers timers, RequestId id, Deadline deadline, ResponseChannel responseChannel) {
        this.id = id;
        this.deadline = deadline;
        this.responseChannel = responseChannel;
        this.heartbeat = new Heartbeat(timers, responseChannel::keepAlive);
    }

    /// The answer that ends a subscription in good order (revision 2026-07-28, section "Subscriptions").
    static Message.Answer end(RequestId id) {
        String meta = "{\"" + ClientMetadata.SUBSCRIPTION_ID + "\":" + id.json() + "}";
        return Message.Answer.of(JsonRpcFrames.result(id, "{\"resultType\":\"complete\",\"_meta\":" + meta + "}"));
    }

    /// Starts sending keep-alives.
    void begin() {
        heartbeat.start();
    }

    /// Ends the subscription from this side.
    void end() {
        finish(end(id).frame().bytes(), Kind.ANSWERED);
        deadline.giveUp();
    }

    @Override
    public void send(byte[] frame) {
        if (!ended.get()) {
            responseChannel.send(frame);
        }
    }

    @Override
    public void finish(byte[] frame, Kind kind) {
        if (isFirstEnd()) {
            responseChannel.finish(frame, kind);
        }
    }

    @Override
    public void abandon() {
        if (isFirstEnd()) {
            responseChannel.abandon();
        }
    }

    private boolean isFirstEnd() {
        boolean first = ended.compareAndSet(false, true);
        heartbeat.stop();
        return first;
    }
}
