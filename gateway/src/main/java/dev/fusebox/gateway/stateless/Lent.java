package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReconnectingConnection;
import java.util.List;

/// A server that works for one call, and goes back to where it came from, or ends if it may still be at that call.
///
/// @param capabilities of the client, as JSON
record Lent(Loans loans, Loan loan, String capabilities) implements Host {
    @Override
    public ReconnectingConnection.Welcome welcome(Deadline deadline) {
        return loan.welcome(deadline);
    }

    @Override
    public Outcome call(Call call, Metadata client) {
        return loan.call(call, client);
    }

    @Override
    public void done(Outcome outcome, List<Parked.Question> open) {
        if (outcome instanceof Outcome.Answered) {
            loans.giveBack(capabilities, loan);
        } else {
            loans.end(loan);
        }
    }
}
