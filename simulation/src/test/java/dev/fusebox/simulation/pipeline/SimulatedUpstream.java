package dev.fusebox.simulation.pipeline;

import dev.fusebox.client.Connector;

/// A simulated server with its connector. For the threads of one simulation.
interface SimulatedUpstream extends Connector {
    String name();

    ServerJournal journal();

    /// Whether it has sent anything on its present connection since then, by the monotonic clock.
    boolean saidSince(long then);
}
