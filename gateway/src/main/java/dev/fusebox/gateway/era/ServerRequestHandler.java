package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import java.util.List;

/// A connection to a legacy server whose requests reach the client that it works for. Thread-safe; [#initialize]
/// and [#call] block at most until the deadline.
interface ServerRequestHandler {
    ReconnectingConnection.HandshakeResult initialize(Deadline deadline);

    /// Makes a call during which the server may send requests to the client.
    Outcome call(Call call);

    /// Ends a call.
    ///
    /// @param open unanswered questions
    void done(Outcome outcome, List<SuspendedCall.ServerRequest> open);
}
