package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;

/// What a server is added to: the gateway, as far as adding concerns it. Thread-safe.
public interface ServerAdder {
    /// From now on everybody sees that this server is being added. False if there is one of this name.
    boolean expect(String server);

    /// A server that was expected does not come.
    void abandon(String server, String why);

    /// Has the configuration file applied. Does not block.
    void readFile();

    /// Whether the gateway runs by a configuration that has this server.
    boolean has(String server);

    /// Waits until it is known how a server that was added is, for as long as a caller has patience.
    void await(String server, Deadline deadline) throws InterruptedException;
}
