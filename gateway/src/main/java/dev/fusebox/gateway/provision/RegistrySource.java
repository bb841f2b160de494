package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import java.io.IOException;
import java.util.List;

/// Where descriptions of servers come from. Thread-safe; reading blocks as the disk or the network does.
interface RegistrySource {
    /// No registry that anybody wants to search is longer, all its documents together.
    int LONGEST = 16 << 20;

    /// What can be seen of them without reading them: equal for as long as they need not be read again.
    Object mark();

    /// All of them.
    ///
    /// @throws IOException if they cannot be had, with the reason
    List<byte[]> read(Deadline deadline) throws IOException, InterruptedException;
}
