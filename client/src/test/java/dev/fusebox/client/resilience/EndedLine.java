package dev.fusebox.client.resilience;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Connection;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.RequestId;
import java.util.List;

/// A connection that has ended. Immutable.
///
/// @param inFlight whose calls it ended
record EndedLine(List<Deadline> inFlight) implements Connection {
    EndedLine() {
        this(List.of());
    }

    @Override
    public Outcome call(Call call) {
        return new Outcome.Failed(CallFailure.cancelledUnsent());
    }

    @Override
    public void sendOneWay(byte[] notification) {
        // Nobody is there.
    }

    @Override
    public void answer(JsonView answer, RequestId question) {
        // Nobody is there.
    }

    @Override
    public boolean isAlive() {
        return false;
    }

    @Override
    public long lastReceivedAt() {
        return 0;
    }

    @Override
    public long dropped() {
        return 0;
    }

    @Override
    public void close() {
        // It is.
    }
}
