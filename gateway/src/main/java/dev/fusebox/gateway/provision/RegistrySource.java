package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import java.io.IOException;
import java.util.List;

/// A source of registry documents. Thread-safe; reading blocks on the disk or the network.
interface RegistrySource {
    /// The limit for all documents together, larger than any usable registry.
    int MAX_LENGTH = 16 << 20;

    /// The visible state of the documents: equal as long as they need not be read again.
    Object mark();

    /// All documents.
    ///
    /// @throws IOException if they cannot be read, with the reason
    List<byte[]> read(Deadline deadline) throws IOException, InterruptedException;
}
