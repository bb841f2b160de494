package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// From which level on a server of the session era writes its log to us: it belongs to the session there, and to
/// the request here. A server that is started again is told its level with the handshake. Thread-safe: one thread
/// at a time tells the server, so each level is told once, and in order.
final class LevelThere {
    /// A client that changes its level as fast as servers answer is told the rest with its next call.
    private static final int MOST_CHANGES = 8;

    private final World world;
    private final Upstream upstream;

    /// Arrives when the level that is being told has been answered; null while none is.
    private final AtomicReference<@Nullable Arrival<Boolean>> telling = new AtomicReference<>();

    private volatile @Nullable String told;

    LevelThere(World world, Upstream upstream) {
        this.world = world;
        this.upstream = upstream;
    }

    /// Tells the server, if it does not know. Blocks for as long as the caller has patience.
    ///
    /// @param level null if the client wants to hear nothing
    void hearFrom(@Nullable String level, Patience patience) {
        hearFrom(() -> level, patience);
    }

    /// The same for a level that may change meanwhile: the last one stays.
    void hearFrom(Supplier<@Nullable String> level, Patience patience) {
        Arrival<Boolean> turn = new Arrival<>();
        while (isNews(level.get()) && patience.left() > 0) {
            Arrival<Boolean> other = telling.compareAndExchange(null, turn);
            if (other == null) {
                tellAll(level, patience, turn);
                return;
            }
            if (!isAnswered(other, patience)) {
                return;
            }
        }
    }

    private boolean isNews(@Nullable String level) {
        return level != null && !level.equals(told);
    }

    /// False if the thread was interrupted.
    private boolean isAnswered(Arrival<Boolean> other, Patience patience) {
        try {
            patience.await(other, world);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void tellAll(Supplier<@Nullable String> level, Patience patience, Arrival<Boolean> turn) {
        try {
            for (int change = 0; change < MOST_CHANGES; change++) {
                String now = level.get();
                if (now == null || !isNews(now) || !tell(now, patience)) {
                    return;
                }
            }
        } finally {
            telling.set(null);
            turn.bring(true);
        }
    }

    /// Whether the server has answered. One that has no log, or does not know the level, is not asked again.
    private boolean tell(String level, Patience patience) {
        if (!hasLog(upstream.welcome(patience))) {
            told = level;
            return true;
        }
        String params = "{\"level\":" + JsonWriter.quoted(level) + "}";
        Message.Request request =
                Message.Request.of(JsonRpcFrames.request(RequestId.of("level"), "logging/setLevel", params));
        boolean isAnswered = upstream.call(new Call(request, patience, Caller.SILENT)) instanceof Outcome.Answered;
        told = isAnswered ? level : null;
        return isAnswered;
    }

    private static boolean hasLog(Upstream.Welcome welcome) {
        JsonView result = welcome instanceof Upstream.Welcome.Greeted(JsonView greeting) ? greeting : null;
        return result == null || result.path("capabilities", "logging") != null;
    }
}
