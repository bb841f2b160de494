package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Patience;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.Timer;
import dev.fusebox.world.Timers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The way back to a client that listens (`subscriptions/listen`), whatever the era of its server. Now and then it
/// shows
/// that the line holds, and it ends once. Thread-safe; blocks no longer than the reply behind it.
final class Listening implements Reply {
    /// Shorter than what the usual proxies wait before they cut a silent line, which is a minute.
    private static final Duration BEAT = Duration.ofSeconds(15);

    private final Timers timers;
    private final RequestId id;
    private final Patience patience;
    private final Reply reply;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Timer beat;

    Listening(Timers timers, RequestId id, Patience patience, Reply reply) {
        this.timers = timers;
        this.id = id;
        this.patience = patience;
        this.reply = reply;
    }

    /// How a subscription ends in good order (revision 2026-07-28, section "Subscriptions").
    static Message.Answer end(RequestId id) {
        String meta = "{\"" + Metadata.SUBSCRIPTION_ID + "\":" + id.json() + "}";
        return Message.Answer.of(Frames.result(id, "{\"resultType\":\"complete\",\"_meta\":" + meta + "}"));
    }

    /// Shows from now on that the line holds.
    void begin() {
        beat = timers.schedule(BEAT, this::beat);
    }

    private void beat() {
        if (!ended.get()) {
            reply.keepAlive();
            begin();
        }
    }

    /// Ends it from this side.
    void end() {
        finish(end(id).frame().bytes(), Kind.ANSWERED);
        patience.giveUp();
    }

    @Override
    public void send(byte[] frame) {
        if (!ended.get()) {
            reply.send(frame);
        }
    }

    @Override
    public void finish(byte[] frame, Kind kind) {
        if (isFirstEnd()) {
            reply.finish(frame, kind);
        }
    }

    @Override
    public void abandon() {
        if (isFirstEnd()) {
            reply.abandon();
        }
    }

    private boolean isFirstEnd() {
        boolean first = ended.compareAndSet(false, true);
        Timer pending = beat;
        if (pending != null) {
            pending.cancel();
        }
        return first;
    }
}
