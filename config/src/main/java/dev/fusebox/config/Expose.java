package dev.fusebox.config;

/// What clients see of the servers.
public enum Expose {
    /// The gateway's own tools, which find and call those of servers.
    META,
    /// The tools, resources and prompts of every server, as `server__tool`.
    PROXY,
    /// Both.
    BOTH;

    /// Whether clients see everything that servers offer.
    public boolean hasServers() {
        return this != META;
    }

    /// Whether clients see the gateway's own tools.
    public boolean hasOwn() {
        return this != PROXY;
    }
}
