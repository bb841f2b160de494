package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Fault;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Peer;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A server of the session era that works for one call at a time, so that whatever it says or asks belongs to that
/// call. Thread-safe; [#call] blocks and is for one thread at a time.
final class Loan implements Peer {
    private final Upstream upstream;
    private volatile Earshot borrower = Earshot.NONE;
    private @Nullable String told;

    /// @param opening makes the way to the server for a peer
    Loan(Function<Peer, Upstream> opening) {
        this.upstream = opening.apply(this);
    }

    Upstream.Welcome welcome(Patience patience) {
        return upstream.welcome(patience);
    }

    Outcome call(Call call, Metadata client) {
        Earshot earshot = Earshot.of(call.caller(), client.logLevel());
        borrower = earshot;
        try {
            hearFrom(client.logLevel(), call.patience());
            return upstream.call(new Call(call.request(), call.patience(), earshot));
        } finally {
            borrower = Earshot.NONE;
        }
    }

    /// The level of the log belongs to the session there, and to the request here. A server that is started again is
    /// told its level with the handshake.
    private void hearFrom(@Nullable String level, Patience patience) {
        if (level == null || level.equals(told)) {
            return;
        }
        String params = "{\"level\":" + JsonWriter.quoted(level) + "}";
        Message.Request request = Message.Request.of(Frames.request(RequestId.of("level"), "logging/setLevel", params));
        Outcome outcome = upstream.call(new Call(request, patience, Caller.SILENT));
        told = outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null ? level : null;
    }

    @Override
    public boolean asked(Asker asker, Message.Request request) {
        return borrower.asked(asker, request);
    }

    @Override
    public void told(Message.Notification notification) {
        borrower.told(notification);
    }

    @Override
    public void lost(Connection connection, Fault fault) {
        // The call on it has been told.
    }

    void close() {
        upstream.close();
    }
}
