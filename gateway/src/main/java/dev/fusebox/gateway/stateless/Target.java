package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;

/// A server as clients of the stateless era see it, whatever its own era. Thread-safe; [#call] blocks.
interface Target extends AutoCloseable {
    /// Makes the call; the answer is in the words of the stateless era.
    Outcome call(Call call, Metadata client);

    @Override
    void close();
}
