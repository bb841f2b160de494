package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import java.util.List;

/// A server that works for one call, and goes back to where it came from, or ends if it may still be at that call.
///
/// @param capabilities of the client, as JSON
record BorrowedConnection(
        ExclusiveConnections exclusiveConnections, ExclusiveConnection exclusiveConnection, String capabilities)
        implements ServerRequestHandler {
    @Override
    public ReconnectingConnection.Welcome welcome(Deadline deadline) {
        return exclusiveConnection.welcome(deadline);
    }

    @Override
    public Outcome call(Call call, ClientMetadata client) {
        return exclusiveConnection.call(call, client);
    }

    @Override
    public void done(Outcome outcome, List<SuspendedCall.Question> open) {
        if (outcome instanceof Outcome.Answered) {
            exclusiveConnections.giveBack(capabilities, exclusiveConnection);
        } else {
            exclusiveConnections.end(exclusiveConnection);
        }
    }
}
