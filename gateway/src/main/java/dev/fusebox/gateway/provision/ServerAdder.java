package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;

/// The part of the gateway to which servers are added. Thread-safe; only [#await] blocks.
public interface ServerAdder {
    /// Announces that this server is being added. False if the name is in use.
    boolean expect(String server);

    /// Withdraws the announcement of a server.
    void abandon(String server, String why);

    /// Requests a configuration reload. Does not block.
    void readFile();

    /// Whether the current configuration has this server.
    boolean has(String server);

    /// Waits until the state of an added server is known, until the caller's deadline at most.
    void await(String server, Deadline deadline) throws InterruptedException;
}
