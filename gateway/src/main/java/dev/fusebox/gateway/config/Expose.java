package dev.fusebox.gateway.config;

/// What clients see of the servers.
public enum Expose {
    /// The tools, resources and prompts of every server, as `server__tool`.
    PROXY
}
