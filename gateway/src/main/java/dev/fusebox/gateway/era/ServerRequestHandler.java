package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import java.util.List;

/// A server of the session era whose questions reach the client that it works for. Thread-safe; [#welcome] and
/// [#call] block, as long as the caller has patience.
interface ServerRequestHandler {
    ReconnectingConnection.Welcome welcome(Deadline deadline);

    /// Makes a call that may be asked questions.
    Outcome call(Call call);

    /// A call has ended.
    ///
    /// @param open questions that nobody has answered
    void done(Outcome outcome, List<SuspendedCall.Question> open);
}
