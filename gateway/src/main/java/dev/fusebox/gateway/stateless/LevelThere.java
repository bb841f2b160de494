package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import org.jspecify.annotations.Nullable;

/// From which level on a server of the session era writes its log to us: it belongs to the session there, and to the
/// request here. A server that is started again is told its level with the handshake. Thread-safe: two who tell it at
/// once tell it twice.
final class LevelThere {
    private final Upstream upstream;
    private volatile @Nullable String told;

    LevelThere(Upstream upstream) {
        this.upstream = upstream;
    }

    /// Tells the server, if it does not know. Blocks for as long as the caller has patience.
    ///
    /// @param level null if the client wants to hear nothing
    void hearFrom(@Nullable String level, Patience patience) {
        if (level == null || level.equals(told)) {
            return;
        }
        String params = "{\"level\":" + JsonWriter.quoted(level) + "}";
        Message.Request request = Message.Request.of(Frames.request(RequestId.of("level"), "logging/setLevel", params));
        Outcome outcome = upstream.call(new Call(request, patience, Caller.SILENT));
        told = outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null ? level : null;
    }
}
